import Workers

/// Answers a request for a `file:` address, as a server would: with validators, with 304 when they
/// still hold, and with the rest of what is held already.
///
/// Files are read here and not by libcurl: its file protocol reads a whole file in one go, keeping
/// in memory what a slow reader has not taken, and holds all other transfers up meanwhile.
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
