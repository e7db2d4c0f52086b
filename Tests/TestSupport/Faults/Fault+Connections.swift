import Glibc

/// Connections that are refused, end, break or stall, at every stage.
extension Fault {
  static let connections = [
    Fault("refused", "refuses every connection", .refused("refuses connections", requests: 0)) {
      _ throws(LoopbackError) in
      let socket = try LoopbackSocket.bound(.ipv4, port: 0)
      return FaultHost(socket, address: "http://127.0.0.1:\(try socket.port())/picture.jpg")
    },
    Fault("black-hole", "takes no notice of connections", .outlasted("time")) {
      _ throws(LoopbackError) in
      let hole = try BlackHole()
      return FaultHost(hole, address: "http://[::1]:\(hole.port)/picture.jpg")
    },
    welcome(
      "closed-at-once",
      "ends each connection before a request",
      .refused("without an answer", requests: 5),
      .close
    ),
    // The host counts as down after three, if the reset arrives before the connection is examined.
    welcome(
      "reset-at-once",
      "resets each connection before a request",
      .refused("connect", requests: 3, upTo: 10),
      .reset
    ),
    response(
      "closed-after-request",
      "ends the connection instead of an answer",
      .refused("without an answer", requests: 5, upTo: 30),
      .hangUp
    ),
    response(
      "reset-after-request",
      "resets the connection instead of an answer",
      .refused("reset the connection|without an answer", requests: 5, upTo: 30),
      LoopbackResponse([], ending: .reset)
    ),
    response(
      "closed-in-header",
      "ends the connection in the middle of the header",
      .refused("the connection ended in the header", requests: 5),
      LoopbackResponse([.send(partOfHeader)], ending: .close)
    ),
    response(
      "reset-in-header",
      "resets the connection in the middle of the header",
      .refused("reset the connection", requests: 5),
      LoopbackResponse([.send(partOfHeader)], ending: .reset)
    ),
    body(
      "closed-in-body",
      "ends the connection in the middle of the body",
      "before the whole response had arrived",
      .close
    ),
    body(
      "reset-in-body",
      "resets the connection in the middle of the body",
      "reset the connection",
      .reset
    ),
    response(
      "stalled-before-header",
      "never answers",
      .outlasted("too slow"),
      LoopbackResponse([.stall])
    ),
    response(
      "stalled-in-header",
      "stops in the middle of the header",
      .outlasted("too slow"),
      LoopbackResponse([.send(partOfHeader), .stall])
    ),
    response(
      "slow-header",
      "sends the header at a byte a second",
      .outlasted("too slow"),
      LoopbackResponse([.trickle(LoopbackResponse.header(200, ["Content-Length: 9"]))])
    ),
    Fault("stalled-in-body", "stops in the middle of the body", .outlasted("too slow")) {
      _,
      picture in
      LoopbackResponse(cut(picture).steps + [.stall])
    },
    Fault("slow-body", "sends the body at a byte a second", .outlasted("too slow")) { _, picture in
      LoopbackResponse([
        .send(LoopbackResponse.header(200, ["Content-Length: \(picture.count)"])),
        .trickle(picture),
      ])
    },
  ]

  private static let partOfHeader = Array(
    "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nCont".utf8
  )

  /// The header of a picture, and the first half of its body.
  static func cut(_ picture: [UInt8]) -> LoopbackResponse {
    let header = LoopbackResponse.header(200, ["Content-Length: \(picture.count)"])
    return LoopbackResponse([.send(header + picture.prefix(picture.count / 2))])
  }

  private static func welcome(
    _ name: String,
    _ summary: String,
    _ outcome: FaultOutcome,
    _ ending: LoopbackResponse.Ending
  ) -> Fault {
    Fault(name, summary, outcome) { _ throws(LoopbackError) in
      let ways = LoopbackWays(welcome: LoopbackResponse([], ending: ending))
      return FaultHost(connectionsTo: try LoopbackServer(ways) { _ in .hangUp })
    }
  }

  private static func body(
    _ name: String,
    _ summary: String,
    _ reason: String,
    _ ending: LoopbackResponse.Ending
  ) -> Fault {
    Fault(name, summary, .refused(reason, requests: 5)) { _, picture in
      LoopbackResponse(cut(picture).steps, ending: ending)
    }
  }
}

/// A name with an address of each family (RFC 8305), of which only one works.
extension Fault {
  static let families = [
    Fault("IPv4-only", "is refused over IPv6", .stored(requests: 1)) {
      picture throws(LoopbackError) in
      FaultHost(try LoopbackServer { _ in .whole(picture) }, name: "localhost")
    },
    Fault("IPv6-only", "is refused over IPv4", .stored(requests: 1)) {
      picture throws(LoopbackError) in
      try onPortOfBothFamilies { () throws(LoopbackError) in
        // Otherwise another test's server may listen at this port of the other family.
        let closed = try LoopbackSocket.bound(.ipv4, port: 0)
        var ways = LoopbackWays()
        (ways.family, ways.port) = (.ipv6, try closed.port())
        let server = try LoopbackServer(ways) { _ in
          withExtendedLifetime(closed) { .whole(picture) }
        }
        return FaultHost(server, name: "localhost")
      }
    },
    Fault("IPv6-black-hole", "is not heard of over IPv6", .stored(requests: 1)) {
      picture throws(LoopbackError) in
      try onPortOfBothFamilies { () throws(LoopbackError) in
        let hole = try BlackHole()
        var ways = LoopbackWays()
        ways.port = hole.port
        let server = try LoopbackServer(ways) { _ in
          // The closure keeps the port of the other family for as long as the server runs.
          withExtendedLifetime(hole) { .whole(picture) }
        }
        return FaultHost(server, name: "localhost")
      }
    },
  ]

  /// Makes a host on a port that the system has chosen in one family; again while another program has the port of the
  /// other family.
  private static func onPortOfBothFamilies(
    _ make: () throws(LoopbackError) -> FaultHost
  ) throws(LoopbackError) -> FaultHost {
    for _ in 0..<20 {
      do throws(LoopbackError) {
        return try make()
      } catch  where error.code == EADDRINUSE {}
    }
    return try make()
  }
}
