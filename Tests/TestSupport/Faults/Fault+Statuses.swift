import Foundation

/// Statuses (RFC 9110, section 15) other than 200.
extension Fault {
  static let statuses =
    [401, 404, 410, 451, 501, 505].map { status($0, requests: 1) }
    + [408, 500, 502, 503, 504].map { status($0, requests: 5) }
    + [
      // The picture is asked for again with its own origin as the referrer.
      status(403, requests: 2),
      status(204, requests: 1),
      response(
        "status-206",
        "answers with a part that was not asked for",
        .refused("a part that was not asked for", requests: 1),
        .whole([0xFF, 0xD8], status: 206, fields: ["Content-Range: bytes 0-1/9"])
      ),
      status(304, requests: 1),
      status(416, requests: 1),
      response(
        "status-101",
        "switches to another protocol that was not asked for",
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

/// Hosts that ask for a pause (RFC 9110, section 10.2.3), which applies to all requests to the host.
extension Fault {
  static let pauses = [
    pause("too-many-requests", "answers 429 without saying how long", 429, nil, requests: 5),
    pause("pause-of-a-second", "answers 429 and asks for a second", 429, "1", requests: 5),
    pause("unavailable-for-a-second", "answers 503 and asks for a second", 503, "1", requests: 5),
    pause("pause-of-an-hour", "answers 429 and asks for an hour", 429, "3600", requests: 1),
    pause("unavailable-for-an-hour", "answers 503, for an hour", 503, "3600", requests: 1),
    pause("absurd-pause", "answers 429 and asks for a million years", 429, years, requests: 1),
    pause("endless-pause", "asks for a pause beyond all numbers", 429, years + years, requests: 5),
    pause("negative-pause", "asks for a pause of less than nothing", 429, "-5", requests: 5),
    pause("no-pause", "asks for a pause of nothing", 503, "0", requests: 5),
    pause("garbled-pause", "asks for a pause until soon", 503, "soon", requests: 5),
    pause("pause-until-a-date", "asks for a pause until a date", 429, imf, requests: 1),
    pause("pause-until-an-old-date", "writes that date as of old", 429, rfc850, requests: 1),
    pause("pause-until-a-C-date", "writes that date as C does", 429, asctime, requests: 1),
    pause("pause-until-the-past", "asks for a pause that is over", 503, past, requests: 5),
  ]

  private static let years = "31556952000000"
  private static let imf = "Sat, 21 Nov 2026 09:00:00 GMT"
  private static let rfc850 = "Saturday, 21-Nov-26 09:00:00 GMT"
  private static let asctime = "Sat Nov 21 09:00:00 2026"
  private static let past = "Sat, 21 Nov 2026 07:00:00 GMT"

  private static func pause(
    _ name: String,
    _ summary: String,
    _ status: Int,
    _ value: String?,
    requests: Int
  ) -> Fault {
    Fault(name, summary, .refused("the server answered \(status)", requests: requests)) {
      _ throws(LoopbackError) in
      let pause = value.map { ["Retry-After: \($0)"] } ?? []
      // The program compares a date in `Retry-After` with the server's own `Date`.
      let fields = pause + ["Date: Sat, 21 Nov 2026 08:00:00 GMT"]
      return FaultHost(try LoopbackServer { _ in .whole(status: status, fields: fields) })
    }
  }
}
