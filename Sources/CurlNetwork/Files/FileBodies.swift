import Glibc
import Models
import Workers

/// Answers a request for a `file:` address like a server, with validators, 304 and ranges.
///
/// libcurl does not read files. Its file protocol reads a whole file at once, buffers everything that a slow reader has
/// not taken, and blocks all other transfers until it has finished.
struct FileReader {
  private let body: FileBody
  private let header: NetworkHeader

  init(_ request: NetworkRequest) throws(NetworkError) {
    let (descriptor, facts) = try FileScope(request: request).open()
    header = facts.header(for: request)
    body = FileBody(taking: descriptor, part: facts.part(for: request) ?? 0..<0, request: request)
  }

  func response() throws(NetworkError) -> NetworkResponse {
    try body.checkLength()
    return NetworkResponse(header: header, body: body)
  }

  func reply() throws(NetworkError) -> NetworkReply {
    try body.checkLength()
    var bytes: [UInt8] = []
    while let chunk = try body.read() { bytes += chunk }
    return NetworkReply(header: header, body: bytes, wireBytes: body.wireBytes)
  }
}

/// The body of a `file:` address, which reads the file in chunks.
///
/// Its length is the length in the header. Bytes that are appended to the file later are not read, and a file that
/// becomes shorter breaks the body.
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

  /// Always true, because a file never makes its reader wait.
  package var hasNext: Bool { true }

  /// Always 0, because no bytes cross the network.
  package var wireBytes: Int { 0 }

  package func next() async throws(NetworkError) -> [UInt8]? { try read() }

  /// Reads the next chunk; nil at the end.
  func read() throws(NetworkError) -> [UInt8]? {
    if Task.isCancelled { throw .cancelled(request.address) }
    let start = offset.withLock { $0 }
    guard start < end else { return nil }
    let chunk = try chunk(at: start, limit: min(end - start, TransferLimits.streamReadSize))
    guard !chunk.isEmpty else { throw request.failure(.broken, "the file has become shorter") }
    offset.withLock { $0 = start + chunk.count }
    return chunk
  }

  /// Rejects a file that is too large, before reading it.
  func checkLength() throws(NetworkError) {
    let limit = request.byteLimit
    guard length > limit else { return }
    throw request.failure(.tooLarge(limit: limit), "the file is larger than \(limit) bytes")
  }

  private func chunk(at start: Int, limit: Int) throws(NetworkError) -> [UInt8] {
    var code: Int32 = 0
    let chunk = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      var read = pread(descriptor, buffer.baseAddress, limit, start)
      while read < 0, errno == EINTR { read = pread(descriptor, buffer.baseAddress, limit, start) }
      if read < 0 { code = errno }
      count = max(0, read)
    }
    if code != 0 { throw request.failure(.unreadableFile, String(cString: strerror(code))) }
    return chunk
  }
}

/// The body of a document from a pipe, which can be read once.
///
/// It never blocks in `poll` or `read`, because that would delay a cancellation and other tasks. It checks an empty
/// pipe again after a delay.
final class PipeBody: NetworkBody {
  private static let chunkBytes = 64 << 10
  /// The delays between checks of an empty pipe; they grow while it stays empty.
  private static let pauses = (first: Duration.milliseconds(1), longest: Duration.milliseconds(50))

  private let descriptor: Int32
  private let request: NetworkRequest
  private let taken = Locked(0)

  /// Reads from a descriptor; the caller closes it.
  init(_ descriptor: Int32, for request: NetworkRequest) {
    self.descriptor = descriptor
    self.request = request
  }

  /// The response with this body.
  var response: NetworkResponse {
    let header = NetworkHeader(status: 200, address: request.address.ofPipedDocument)
    return NetworkResponse(header: header, body: self)
  }

  /// Whether a read would return at once: with bytes, the end or an error.
  var hasNext: Bool {
    var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&question, 1, 0) > 0
  }

  /// Always 0, because no bytes cross the network.
  var wireBytes: Int { 0 }

  func next() async throws(NetworkError) -> [UInt8]? {
    var pause = Self.pauses.first
    while true {
      if Task.isCancelled { throw .cancelled(request.address) }
      if hasNext, let chunk = try read() { return try count(chunk) }
      // A cancellation ends the delay early; the check above notices it.
      try? await Task.sleep(for: pause)
      pause = min(pause * 2, Self.pauses.longest)
    }
  }

  /// Reads the available bytes; empty at the end, nil when no bytes are available.
  private func read() throws(NetworkError) -> [UInt8]? {
    var code: Int32 = 0
    let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkBytes) { buffer, count in
      let length = Glibc.read(descriptor, buffer.baseAddress, Self.chunkBytes)
      if length < 0 { code = errno }
      count = max(0, length)
    }
    if code == EINTR || code == EAGAIN { return nil }
    guard code == 0 else { throw request.failure(.unreadableFile, String(cString: strerror(code))) }
    return chunk
  }

  /// Checks the limit; returns nil at the end.
  private func count(_ chunk: [UInt8]) throws(NetworkError) -> [UInt8]? {
    let limit = request.byteLimit
    let total = taken.withLock { taken in
      taken += chunk.count
      return taken
    }
    guard total <= limit else {
      throw request.failure(
        .tooLarge(limit: limit),
        "more than \(limit) bytes came through the pipe"
      )
    }
    return chunk.isEmpty ? nil : chunk
  }
}
