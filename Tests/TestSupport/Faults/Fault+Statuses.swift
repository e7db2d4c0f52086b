/// Statuses (RFC 9110, section 15) other than 200.
extension Fault {
  static let statuses =
    [401, 403, 404, 410, 451, 501, 505].map { status($0, requests: 1) }
    + [408, 500, 502, 503, 504].map { status($0, requests: 5) }
    + [
      status(204, requests: 1),
      response(
        "status-206",
        "answers with a part that nobody asked for",
        .refused("a part that was not asked for", requests: 1),
        .whole([0xFF, 0xD8], status: 206, fields: ["Content-Range: bytes 0-1/9"])
      ),
      status(304, requests: 1),
      status(416, requests: 1),
      response(
        "status-101",
        "switches to another protocol that nobody asked for",
        .refused("without an answer", requests: 5, upTo: 10),
        LoopbackResponse(
          [.send(LoopbackResponse.header(101, ["Upgrade: odd", "Connection: Upgrade"]))],
          closes: true
        )
      ),
    ]

  private static func status(_ status: Int, requests: Int) -> Fault {
    response(
      "status-\(status)",
      "always answers \(status)",
      .refused("the server answered \(status)", requests: requests),
      .whole(status == 204 || status == 304 ? [] : Array("<html><p>Sorry".utf8), status: status)
    )
  }
}
