import Glibc
import Workers

/// The body of a `file:` address, read as it is asked for.
final class FileBody: NetworkBody {
  let request: NetworkRequest
  /// The file's length when it was opened; it may grow since.
  let length: Int
  private let descriptor: Int32
  private let count = Locked(0)

  init(taking descriptor: Int32, length: Int, request: NetworkRequest) {
    self.descriptor = descriptor
    self.length = length
    self.request = request
  }

  deinit { close(descriptor) }

  /// Nothing comes over a wire.
  package var wireBytes: Int { 0 }

  package func next() async throws(NetworkError) -> [UInt8]? { try read() }

  /// The next chunk; nil at the end of the file.
  func read() throws(NetworkError) -> [UInt8]? {
    if Task.isCancelled { throw .cancelled(request.address) }
    var code: Int32 = 0
    let chunk = [UInt8](unsafeUninitializedCapacity: TransferLimits.streamReadSize) {
      buffer,
      count in
      let read = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if read < 0 { code = errno }
      count = max(0, read)
    }
    if code != 0 { throw failure(.unreadableFile, String(cString: strerror(code))) }
    try checkLimit(
      count.withLock {
        $0 += chunk.count
        return $0
      }
    )
    return chunk.isEmpty ? nil : chunk
  }

  /// Refuses a file that is too large before any of it is read.
  func checkLength() throws(NetworkError) { try checkLimit(length) }

  private func checkLimit(_ count: Int) throws(NetworkError) {
    let limit = request.byteLimit
    guard count > limit else { return }
    throw failure(.tooLarge(limit: limit), "the file is larger than \(limit) bytes")
  }

  private func failure(_ reason: NetworkError.Reason, _ message: String) -> NetworkError {
    NetworkError(reason: reason, address: request.address, message: message)
  }
}
