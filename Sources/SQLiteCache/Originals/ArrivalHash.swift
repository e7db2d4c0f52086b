import Dispatch
import Workers

/// The SHA-256 of bytes that arrive one piece after another, computed while they are written and the
/// next ones come: it takes about as long as writing them.
final class ArrivalHash: Sendable {
  private let queue = DispatchQueue(label: "gallery.hash")
  private let room = DispatchSemaphore(value: Limits.piecesUnhashed)
  private let hash: Locked<SHA256>

  init(of path: String) throws(StoreError) { hash = Locked(try SHA256(of: path)) }

  /// Takes the next piece; waits when too many are waiting.
  func append(_ bytes: [UInt8]) {
    room.wait()
    queue.async { [self] in
      hash.withLock { $0.update(bytes) }
      room.signal()
    }
  }

  /// The hash of all that was appended, in lower-case hexadecimal digits.
  var digits: String {
    queue.sync {}
    return hash.withLock { $0.digits }
  }
}
