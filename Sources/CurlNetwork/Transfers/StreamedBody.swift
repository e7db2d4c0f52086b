import Models
import Workers

/// The reader's end of a streamed body.
final class StreamedBody: NetworkBody {
  let id: TransferID
  private let buffer: BodyBuffer
  private let inbox: LoopInbox

  init(id: TransferID, buffer: BodyBuffer, inbox: LoopInbox) {
    self.id = id
    self.buffer = buffer
    self.inbox = inbox
  }

  deinit {
    if !buffer.isEnded { inbox.send(.cancel(id)) }
  }

  package var hasNext: Bool { buffer.hasNext }

  package var wireBytes: Int { buffer.wireBytes }

  package func next() async throws(NetworkError) -> [UInt8]? {
    if Task.isCancelled {
      inbox.send(.cancel(id))
      throw .cancelled(buffer.address)
    }
    let (result, hasRoom) = buffer.take()
    if hasRoom { inbox.send(.resume(id)) }
    if let result { return try result.get() }
    return try await waited().get()
  }

  /// Waits for the loop; checks the task again, because it may have been cancelled before the wait began.
  private func waited() async -> Result<[UInt8]?, NetworkError> {
    let (id, inbox) = (self.id, self.inbox)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if buffer.wait(continuation) { inbox.send(.resume(id)) }
        if Task.isCancelled { inbox.send(.cancel(id)) }
      }
    } onCancel: {
      inbox.send(.cancel(id))
    }
  }
}

/// The buffer between the loop and the reader of a streamed body.
final class BodyBuffer: Sendable {
  private struct Delivery: Sendable {
    let reader: Answering<[UInt8]?>
    let result: Result<[UInt8]?, NetworkError>
    let hasRoom: Bool
  }

  private struct State: Sendable {
    var bytes: [UInt8] = []
    /// The number of bytes that the reader took last; the next buffer reserves as much space.
    var lastTaken = 0
    var end: Result<Void, NetworkError>?
    var reader: Answering<[UInt8]?>?
    var isPaused = false
    var wireBytes = 0

    /// Takes all bytes, or else the end; nil when there is neither.
    mutating func take() -> Result<[UInt8]?, NetworkError>? {
      if bytes.isEmpty { return end.map { $0.map { nil } } }
      defer { (bytes, lastTaken) = ([], bytes.count) }
      return .success(bytes)
    }

    /// Ends a pause, because the reader takes all bytes.
    ///
    /// - Returns: Whether the transfer was paused.
    mutating func takePause() -> Bool {
      defer { isPaused = false }
      return isPaused
    }
  }

  let address: WebAddress
  /// The number of buffered bytes at which the buffer accepts no more.
  private let highWater: Int
  private let state = Locked(State())

  init(for request: NetworkRequest) {
    address = request.address
    highWater =
      request.acceptsCompression ? TransferLimits.packedHighWater : TransferLimits.highWater
  }

  var isEnded: Bool { state.withLock { $0.end != nil } }

  /// Whether the buffer has bytes, or the body has ended.
  var hasNext: Bool { state.withLock { !$0.bytes.isEmpty || $0.end != nil } }

  var wireBytes: Int { state.withLock { $0.wireBytes } }

  /// Adds bytes without waking the reader; the loop calls `flush` for that later.
  ///
  /// - Returns: False when the buffer is full and does not accept the bytes.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      guard state.bytes.count < highWater else {
        state.isPaused = true
        return false
      }
      if state.bytes.isEmpty { state.bytes.reserveCapacity(max(bytes.count, state.lastTaken)) }
      state.bytes.append(contentsOf: bytes)
      return true
    }
  }

  /// Delivers the buffered bytes to a waiting reader.
  ///
  /// - Returns: Whether the transfer was paused and now has room.
  func flush(wireBytes: Int) -> Bool {
    deliver { $0.wireBytes = wireBytes }
  }

  /// Ends the body; the reader gets the bytes before the end first.
  func finish(_ end: Result<Void, NetworkError>) {
    _ = deliver { state in
      if state.end == nil { state.end = end }
    }
  }

  /// Takes the available bytes.
  ///
  /// - Returns: The bytes, or nil at the end; no result when the reader has to wait. Also whether the transfer was
  ///   paused and now has room.
  func take() -> (result: Result<[UInt8]?, NetworkError>?, hasRoom: Bool) {
    state.withLock { state in (state.take(), state.takePause()) }
  }

  /// Makes a reader wait, unless bytes have arrived since its last check.
  ///
  /// - Returns: Whether the transfer was paused and now has room.
  func wait(_ reader: Answering<[UInt8]?>) -> Bool {
    deliver { $0.reader = reader }
  }

  /// Changes the state, and resumes a waiting reader if there is a result for it.
  private func deliver(_ change: @Sendable (inout State) -> Void) -> Bool {
    let delivery = state.withLock { state -> Delivery? in
      change(&state)
      guard let reader = state.reader, let result = state.take() else { return nil }
      state.reader = nil
      return Delivery(reader: reader, result: result, hasRoom: state.takePause())
    }
    guard let delivery else { return false }
    delivery.reader.resume(returning: delivery.result)
    return delivery.hasRoom
  }
}
