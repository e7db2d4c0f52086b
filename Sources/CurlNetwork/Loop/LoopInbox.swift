import Models
import Synchronization
import Workers

/// The number of a transfer.
typealias TransferID = UInt64

/// A message to the loop.
enum LoopMessage: Sendable {
  case start(PostedTransfer)
  /// Cancels a transfer; ignored for a transfer that has ended or is unknown.
  case cancel(TransferID)
  /// Cancels the transfers of a group.
  case cancelGroup(TransferGroup)
  /// Resumes a transfer whose reader has room again.
  case resume(TransferID)
  /// Cancels all transfers and ends the thread.
  case stop
}

/// The queue of messages to the loop, to which any thread may post.
final class LoopInbox: Sendable {
  private struct State: Sendable {
    var messages: [LoopMessage] = []
    var isLoopWaiting = false
    var isClosed = false
  }

  private let multi: MultiHandle
  private let state = Locked(State())
  private let lastID = Atomic<TransferID>(0)
  /// The number of groups, which share the limit for bytes that wait for readers.
  let groups = Atomic<Int>(0)

  init(multi: MultiHandle) { self.multi = multi }

  func makeID() -> TransferID { lastID.add(1, ordering: .relaxed).newValue }

  /// Posts a message, and wakes the loop if it sleeps.
  ///
  /// The wake-up happens under the lock, so that it cannot happen after `close()`.
  ///
  /// - Returns: Whether the loop will read the message.
  @discardableResult
  func send(_ message: LoopMessage) -> Bool { send(contentsOf: CollectionOfOne(message)) }

  /// Posts messages without any other message between them.
  ///
  /// - Returns: Whether the loop will read the messages.
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

  /// Takes all messages; only the loop calls this.
  func drain() -> [LoopMessage] {
    state.withLock { state in
      state.isLoopWaiting = false
      if state.messages.isEmpty { return [] }
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Marks the loop as sleeping, unless there are messages.
  ///
  /// - Returns: False when there are messages, so that the loop must not sleep.
  func prepareToWait() -> Bool {
    state.withLock { state in
      state.isLoopWaiting = state.messages.isEmpty
      return state.isLoopWaiting
    }
  }

  /// Closes the inbox; afterwards only the loop uses the multi handle.
  ///
  /// - Returns: The remaining messages.
  func close() -> [LoopMessage] {
    state.withLock { state in
      state.isClosed = true
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// The multi handle, for the loop only.
  var loopHandle: MultiHandle { multi }
}

/// A transfer that a caller posts to the loop.
///
/// It is a class, because it is passed on several times and copying a request is expensive.
final class PostedTransfer: Sendable {
  let id: TransferID
  let request: NetworkRequest
  /// The host key of the request's address, computed by the caller to save the loop's time.
  let host: String
  let receiver: TransferReceiver
  /// Whether the body is streamed.
  let isStreamed: Bool

  init(id: TransferID, request: NetworkRequest, receiver: TransferReceiver) {
    self.id = id
    self.request = request
    host = request.address.hostKey
    self.receiver = receiver
    isStreamed = if case .stream = receiver { true } else { false }
  }
}

/// The continuation of a caller that waits for an answer.
typealias Answering<Answer> = CheckedContinuation<Result<Answer, NetworkError>, Never>

/// The receiver of a transfer's answer.
enum TransferReceiver: Sendable {
  /// A caller that waits for the whole reply.
  case reply(Answering<NetworkReply>)
  /// A group that receives the whole reply, with its number.
  case numbered(Int, of: TransferGroup)
  /// A caller that waits for the header and then reads the body as it arrives.
  case stream(header: Answering<NetworkHeader>, buffer: BodyBuffer)

  /// Fails a transfer that has not delivered anything yet.
  func fail(_ error: NetworkError) {
    switch self {
    case .reply(let continuation):
      continuation.resume(returning: .failure(error))
    case .numbered(let number, let group):
      group.pass(number, .failure(error))
    case .stream(let continuation, let buffer):
      buffer.finish(.failure(error))
      continuation.resume(returning: .failure(error))
    }
  }
}
