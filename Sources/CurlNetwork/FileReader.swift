import Workers

/// Answers a request for a `file:` address.
///
/// Files are read here and not by libcurl: its file protocol reads a whole file in one go, keeping
/// in memory what a slow reader has not taken, and holds all other transfers up meanwhile.
struct FileReader {
  private let body: FileBody

  init(_ request: NetworkRequest) throws(NetworkError) {
    let (descriptor, length) = try FileScope(request: request).open()
    body = FileBody(taking: descriptor, length: length, request: request)
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

  private var header: NetworkHeader {
    NetworkHeader(status: 200, address: body.request.address, contentLength: body.length)
  }
}
