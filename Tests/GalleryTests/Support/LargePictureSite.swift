import TestSupport
import Workers

/// A web site with a feed of one large picture, whose server can change its behaviour at any time.
final class LargePictureSite: Sendable {
  /// The picture of the server, and the way the server sends it.
  struct Ways: Sendable {
    var picture: [UInt8]
    var entityTag: String? = "\"one\""
    var lastModified: String?
    /// Whether the server answers range requests.
    var sendsParts = true
    /// Whether the server declares the length of a body.
    var declaresLength = true
    /// The total length in the answer to a range that does not exist; nil for the true length.
    var claimedLength: Int?
    /// The number of bytes after which a body waits for a test, and then breaks off.
    var halt: (count: Int, gate: Gate)?
  }

  let server: LoopbackServer
  private let ways: Locked<Ways>

  init(_ ways: Ways) throws {
    let ways = Locked(ways)
    self.ways = ways
    server = try LoopbackServer { request in
      guard request.target != "/feed.json" else { return .whole(Array(Self.feed.utf8)) }
      return ways.withLock { $0 }.response(to: request)
    }
  }

  var feed: String { "http://127.0.0.1:\(server.port)/feed.json" }

  func set(_ ways: Ways) { self.ways.withLock { $0 = ways } }

  /// The requests for the picture.
  var requests: [LoopbackRequest] { server.requests.filter { $0.target == "/moon.jpg" } }

  private static let feed = #"[{"id":1,"title":"Moon","url":"/moon.jpg"}]"#
}

extension LargePictureSite.Ways {
  /// The answer of a server with this behaviour (RFC 9110, sections 13.2.2 and 14.2).
  fileprivate func response(to request: LoopbackRequest) -> LoopbackResponse {
    guard let start = start(of: request) else { return body(from: 0, status: 200, []) }
    guard start < picture.count, claimedLength == nil else {
      let total = claimedLength ?? picture.count
      return .whole([], status: 416, fields: ["Content-Range: bytes */\(total)"])
    }
    let range = "Content-Range: bytes \(start)-\(picture.count - 1)/\(picture.count)"
    return body(from: start, status: 206, [range])
  }

  /// The first byte of the requested range; nil if the request is for everything.
  private func start(of request: LoopbackRequest) -> Int? {
    guard sendsParts, let range = request["Range"], range.hasSuffix("-") else { return nil }
    let condition = request["If-Range"]
    guard condition == entityTag || condition == lastModified else { return nil }
    return Int(range.dropFirst("bytes=".count).dropLast())
  }

  private func body(from start: Int, status: Int, _ fields: [String]) -> LoopbackResponse {
    var fields = fields + ["Content-Type: image/jpeg", "Date: Mon, 02 Nov 2026 08:00:00 GMT"]
    entityTag.map { fields.append("ETag: \($0)") }
    lastModified.map { fields.append("Last-Modified: \($0)") }
    let rest = picture[start...]
    if declaresLength {
      fields.append("Content-Length: \(rest.count)")
    } else {
      fields.append("Connection: close")
    }
    let header = LoopbackResponse.Step.send(LoopbackResponse.header(status, fields))
    guard let halt else {
      return LoopbackResponse([header, .send(Array(rest))], closes: !declaresLength)
    }
    let first = LoopbackResponse.Step.send(Array(rest.prefix(halt.count)))
    return LoopbackResponse([header, first, .wait(halt.gate)], closes: true)
  }
}
