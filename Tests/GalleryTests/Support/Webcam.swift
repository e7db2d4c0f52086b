import TestSupport
import Workers

/// A server with a feed of one picture that changes under the same address.
final class Webcam: Sendable {
  /// The caching rules in the server's response.
  enum Caching: CaseIterable, Sendable {
    case silent
    case noCache
    /// Validators, as most servers of files give them.
    case validators
  }

  let server: LoopbackServer
  private let width = Locked(320)

  init(_ caching: Caching) throws {
    let width = width
    server = try LoopbackServer { request in
      switch request.target {
      case "/cam.json":
        .whole(
          Array(#"[{"id":"cam","url":"/large.jpg","thumbnailUrl":"/cam.jpg"}]"#.utf8),
          fields: ["Last-Modified: Mon, 02 Nov 2026 08:00:00 GMT"]
        )
      case "/cam.jpg": Self.response(to: request, width: width.withLock { $0 }, caching)
      default: .whole(status: 404)
      }
    }
  }

  var feed: String { "http://127.0.0.1:\(server.port)/cam.json" }

  /// Takes the next picture, with this width and a quarter of it as its height.
  func shoot(width: Int) { self.width.withLock { $0 = width } }

  private static func response(
    to request: LoopbackRequest,
    width: Int,
    _ caching: Caching
  ) -> LoopbackResponse {
    let tag = "\"\(width)\""
    if caching == .validators, request["If-None-Match"] == tag {
      return .whole(status: 304, fields: ["ETag: \(tag)"])
    }
    return .whole(
      TestPicture.jpeg(width: width, height: width / 4),
      fields: fields(caching, tag: tag)
    )
  }

  private static func fields(_ caching: Caching, tag: String) -> [String] {
    switch caching {
    case .silent: []
    case .noCache: ["Cache-Control: no-cache"]
    // The server's clock is far ahead, so the picture seems new however long a test takes.
    case .validators: ["ETag: \(tag)", "Last-Modified: Mon, 01 Jan 2199 00:00:00 GMT"]
    }
  }
}
