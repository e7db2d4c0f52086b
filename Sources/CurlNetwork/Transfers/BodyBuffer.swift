import Models
import Workers

/// Where the loop leaves the bytes of a streamed body, and its reader takes them.
final class BodyBuffer: Sendable {
  private struct Delivery: Sendable {
    let reader: Answering<[UInt8]?>
    let result: Result<[UInt8]?, NetworkError>
    let hasRoom: Bool
  }

  private struct State: Sendable {
    var bytes: [UInt8] = []
    /// How many bytes the reader took last: as many may come before it takes the next ones.
    var lastTaken = 0
    var end: Result<Void, NetworkError>?
    var reader: Answering<[UInt8]?>?
    var isPaused = false
    var wireBytes = 0

    /// All bytes there are, else the end; nil when there is neither yet.
    mutating func take() -> Result<[UInt8]?, NetworkError>? {
      if bytes.isEmpty { return end.map { $0.map { nil } } }
      defer { (bytes, lastTaken) = ([], bytes.count) }
      return .success(bytes)
    }

    /// Whether the transfer was paused; the reader takes all there is, so it can go on.
    mutating func takePause() -> Bool {
      defer { isPaused = false }
      return isPaused
    }
  }

  let address: WebAddress
  /// How many bytes may wait; what comes beyond them has no room.
  private let highWater: Int
  private let state = Locked(State())

  init(for request: NetworkRequest) {
    address = request.address
    highWater =
      request.acceptsCompression ? TransferLimits.packedHighWater : TransferLimits.highWater
  }

  var isEnded: Bool { state.withLock { $0.end != nil } }

  /// Whether there are bytes that nobody has taken, or none will come.
  var hasNext: Bool { state.withLock { !$0.bytes.isEmpty || $0.end != nil } }

  var wireBytes: Int { state.withLock { $0.wireBytes } }

  /// Adds bytes without waking the reader: the loop calls `flush` when it has read all there is.
  ///
  /// - Returns: false, and takes nothing, when enough bytes wait already.
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

  /// Hands a waiting reader what has come since.
  ///
  /// - Returns: whether the transfer was paused and now has room.
  func flush(wireBytes: Int) -> Bool {
    deliver { $0.wireBytes = wireBytes }
  }

  /// Ends the body; bytes that came before the end are still read first.
  func finish(_ end: Result<Void, NetworkError>) {
    _ = deliver { state in
      if state.end == nil { state.end = end }
    }
  }

  /// What can be read now.
  ///
  /// - Returns: the bytes, nil at the end; no result when the reader has to wait. Beside it,
  ///   whether the transfer was paused and now has room.
  func take() -> (result: Result<[UInt8]?, NetworkError>?, hasRoom: Bool) {
    state.withLock { state in (state.take(), state.takePause()) }
  }

  /// Lets a reader wait, unless something has come since it looked.
  ///
  /// - Returns: whether the transfer was paused and now has room.
  func wait(_ reader: Answering<[UInt8]?>) -> Bool {
    deliver { $0.reader = reader }
  }

  /// Changes the state, and answers the reader if it waits and there is something now.
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
