import Synchronization
import Workers

/// Names a transfer to the loop.
typealias TransferID = UInt64

/// What the loop is asked to do.
enum LoopMessage: Sendable {
  case start(TransferOrder)
  /// End a transfer as cancelled; one that is over or unknown is left alone.
  case cancel(TransferID)
  /// End what is under way of a group as cancelled.
  case cancelGroup(TransferGroup)
  /// The reader has room again.
  case resume(TransferID)
  /// End all transfers, and the thread.
  case stop
}

/// Where any thread leaves messages for the loop.
final class LoopInbox: Sendable {
  private struct State: Sendable {
    var messages: [LoopMessage] = []
    var isLoopWaiting = false
    var isClosed = false
  }

  private let multi: MultiHandle
  private let state = Locked(State())
  private let lastID = Atomic<TransferID>(0)
  /// How many groups there are, which share what may wait for their readers.
  let groups = Atomic<Int>(0)

  init(multi: MultiHandle) { self.multi = multi }

  func makeID() -> TransferID { lastID.add(1, ordering: .relaxed).newValue }

  /// Leaves a message, and wakes the loop if it waits and nobody has woken it yet.
  ///
  /// The wake-up happens under the lock, so that it can never come after `close()`.
  ///
  /// - Returns: whether anyone will read it.
  @discardableResult
  func send(_ message: LoopMessage) -> Bool { send(contentsOf: CollectionOfOne(message)) }

  /// Leaves messages one behind the other.
  ///
  /// - Returns: whether anyone will read them.
  @discardableResult
  func send(contentsOf messages: some Collection<LoopMessage> & Sendable) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.messages += messages
      if state.isLoopWaiting {
        state.isLoopWaiting = false
        multi.wakeUp()
      }
      return true
    }
  }

  /// All messages so far, for the loop.
  func drain() -> [LoopMessage] {
    state.withLock { state in
      state.isLoopWaiting = false
      if state.messages.isEmpty { return [] }
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Notes that the loop is about to wait.
  ///
  /// - Returns: false when there are messages, so that it must not.
  func prepareToWait() -> Bool {
    state.withLock { state in
      state.isLoopWaiting = state.messages.isEmpty
      return state.isLoopWaiting
    }
  }

  /// Takes no more messages, and lets the loop have its multi handle for the last time.
  ///
  /// - Returns: those nobody has read.
  func close() -> [LoopMessage] {
    state.withLock { state in
      state.isClosed = true
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// The handle, for the loop alone.
  var loopHandle: MultiHandle { multi }
}
