/// A name with an address of each family (RFC 8305), of which only one works.
extension Fault {
  static let families = [
    Fault("IPv4-only", "is refused over IPv6", .stored(requests: 1)) {
      picture throws(LoopbackError) in
      FaultHost(try LoopbackServer { _ in .whole(picture) }, name: "localhost")
    },
    Fault("IPv6-only", "is refused over IPv4", .stored(requests: 1)) {
      picture throws(LoopbackError) in
      var ways = LoopbackWays()
      ways.family = .ipv6
      return FaultHost(try LoopbackServer(ways) { _ in .whole(picture) }, name: "localhost")
    },
    Fault("IPv6-black-hole", "is not heard of over IPv6", .stored(requests: 1)) {
      picture throws(LoopbackError) in
      let hole = try BlackHole()
      var ways = LoopbackWays()
      ways.port = hole.port
      let server = try LoopbackServer(ways) { _ in
        // The port of the other family is held as long as the server runs.
        withExtendedLifetime(hole) { .whole(picture) }
      }
      return FaultHost(server, name: "localhost")
    },
  ]
}
