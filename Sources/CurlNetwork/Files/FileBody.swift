import Glibc
import Workers

/// The body of a `file:` address, read as it is asked for.
///
/// It is as long as its header said: what is written to the file meanwhile belongs to another state of
/// it, and a file that has become shorter is a body that broke.
final class FileBody: NetworkBody {
  let request: NetworkRequest
  private let descriptor: Int32
  private let length: Int
  private let offset: Locked<Int>
  private let end: Int

  init(taking descriptor: Int32, part: Range<Int>, request: NetworkRequest) {
    self.descriptor = descriptor
    self.request = request
    length = part.count
    offset = Locked(part.lowerBound)
    end = part.upperBound
  }

  deinit { close(descriptor) }

  /// A file is there.
  package var hasNext: Bool { true }

  /// Nothing comes over a wire.
  package var wireBytes: Int { 0 }

  package func next() async throws(NetworkError) -> [UInt8]? { try read() }

  /// The next chunk; nil at the end.
  func read() throws(NetworkError) -> [UInt8]? {
    if Task.isCancelled { throw .cancelled(request.address) }
    let start = offset.withLock { $0 }
    guard start < end else { return nil }
    let chunk = try chunk(at: start, limit: min(end - start, TransferLimits.streamReadSize))
    guard !chunk.isEmpty else { throw failure(.broken, "the file has become shorter") }
    offset.withLock { $0 = start + chunk.count }
    return chunk
  }

  /// Refuses a file that is too large before any of it is read.
  func checkLength() throws(NetworkError) {
    let limit = request.byteLimit
    guard length > limit else { return }
    throw failure(.tooLarge(limit: limit), "the file is larger than \(limit) bytes")
  }

  private func chunk(at start: Int, limit: Int) throws(NetworkError) -> [UInt8] {
    var code: Int32 = 0
    let chunk = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      let read = pread(descriptor, buffer.baseAddress, limit, start)
      if read < 0 { code = errno }
      count = max(0, read)
    }
    if code != 0 { throw failure(.unreadableFile, String(cString: strerror(code))) }
    return chunk
  }

  private func failure(_ reason: NetworkError.Reason, _ message: String) -> NetworkError {
    NetworkError(reason: reason, address: request.address, message: message)
  }
}
