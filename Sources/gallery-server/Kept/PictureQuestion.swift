import HTTPTypes

/// A request for a whole picture, whose answer depends only on its path, its token and the library.
struct PictureQuestion {
  /// The parts of a request that decide whether it may have an answer.
  struct Credentials: Equatable {
    var host: String
    var authorization: String?
    var cookie: String?
  }

  let head: HTTPRequest
  let path: String
  let isForHead: Bool
  let credentials: Credentials
  /// The entity tag that the client has (`If-None-Match`).
  let knownTag: String?
  let start = ContinuousClock.now

  /// Nil for every other request, which the routes answer.
  ///
  /// - Parameters:
  ///   - head: The head of the request.
  ///   - prefix: The beginning of the paths of pictures, before the hash.
  init?(_ head: HTTPRequest, below prefix: String) {
    guard head.method == .get || head.method == .head, let host = head.authority,
      let path = head.path, Self.isHash(in: path, after: prefix)
    else { return nil }
    var credentials = Credentials(host: host)
    var knownTag: String?
    for field in head.headerFields {
      switch field.name {
      case .authorization:
        guard credentials.authorization == nil else { return nil }
        credentials.authorization = field.value
      case .cookie:
        // A client of HTTP/2 may split them (RFC 9113, section 8.2.3).
        credentials.cookie = credentials.cookie.map { "\($0); \(field.value)" } ?? field.value
      case .ifNoneMatch:
        guard knownTag == nil else { return nil }
        knownTag = field.value
      case .connection:
        guard !head.endsConnection else { return nil }
      case .range, .ifRange, .expect, .origin, .furtherHost, .contentLength, .transferEncoding:
        return nil
      default: continue
      }
    }
    (self.head, self.path, isForHead) = (head, path, head.method == .head)
    (self.credentials, self.knownTag) = (credentials, knownTag)
  }

  /// Whether a path is a prefix and 64 hexadecimal digits.
  private static func isHash(in path: String, after prefix: String) -> Bool {
    let (path, prefix) = (path.utf8, prefix.utf8)
    guard path.count == prefix.count + 64, path.starts(with: prefix) else { return false }
    return path.dropFirst(prefix.count).allSatisfy { digit in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
    }
  }
}

extension HTTPRequest {
  /// Whether the client may want to end the connection after the answer, or to use it for something else.
  var endsConnection: Bool {
    headerFields[values: .connection].contains { $0.lowercased() != "keep-alive" }
  }
}
