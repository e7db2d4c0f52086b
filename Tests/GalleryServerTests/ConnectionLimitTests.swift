import Glibc
import NIOCore
import NIOEmbedded
import Testing

@testable import gallery_server

/// The connections that clients may open.
///
/// Of 32 files, 16 are for connections: 4 of an address, 8 of a token.
struct ConnectionLimitTests {
  private let limit = ConnectionLimit(descriptors: 32)

  private func connection(from address: String) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    let remote = try SocketAddress(ipAddress: address, port: 1)
    try channel.connect(to: remote).wait()
    channel.remoteAddress = remote
    return channel
  }

  private func connections(_ count: Int, from address: String) throws -> [EmbeddedChannel] {
    try (0..<count).map { _ in try connection(from: address) }
  }

  @Test func `an address has few connections without a token, and the oldest gives way`() throws {
    let other = try connection(from: "192.0.2.1")
    let strangers = try connections(5, from: "192.0.2.2")

    #expect(limit.admit(other))
    #expect(strangers.allSatisfy { limit.admit($0) })

    for stranger in strangers { stranger.embeddedEventLoop.run() }
    #expect(strangers.map(\.isActive) == [false, true, true, true, true])
    #expect(other.isActive)
    #expect(limit.count == 5)
  }

  @Test func `a proxy has as many connections as the tokens of its clients allow`() throws {
    let proxied = try connections(16, from: "192.0.2.1")
    for (number, connection) in proxied.enumerated() {
      #expect(limit.admit(connection))
      #expect(limit.note(number < 8 ? "tv" : "frame", on: connection))
    }

    #expect(proxied.allSatisfy { $0.isActive })
    #expect(!limit.admit(try connection(from: "192.0.2.2")))
  }

  @Test func `a token has few connections, until one of them is closed`() throws {
    let own = try connections(9, from: "192.0.2.1")
    for connection in own {
      #expect(limit.admit(connection))
      #expect(limit.note("tv", on: connection) == (connection !== own[8]))
    }
    // It counts a connection once.
    #expect(limit.note("tv", on: own[0]))

    try own[0].close().wait()
    own[0].embeddedEventLoop.run()
    #expect(limit.note("tv", on: own[8]))
  }

  @Test func `a server that ends closes the connections of all clients`() throws {
    let open = try connections(2, from: "192.0.2.1")
    #expect(open.allSatisfy { limit.admit($0) })
    #expect(limit.note("tv", on: open[0]))

    limit.closeAll()

    for connection in open { connection.embeddedEventLoop.run() }
    #expect(open.allSatisfy { !$0.isActive })
    #expect(limit.count == 0)
  }

  @Test func `strangers from many addresses do not keep out a client`() throws {
    let strangers = try (1...17).map { try connection(from: "192.0.2.\($0)") }
    #expect(strangers.allSatisfy { limit.admit($0) })

    #expect(strangers.count { !$0.isActive } == 1)
    #expect(strangers[16].isActive)
  }

  @Test(arguments: [(256, 128), (1_024, 512), (1_048_576, Limits.connections)])
  func `enough files stay free for everything else`(descriptors: Int, connections: Int) {
    #expect(ConnectionLimit(descriptors: descriptors).all == connections)
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.2", false), ("2001:db8::1", "2001:db8::2:1", true),
    ("2001:db8::1", "2001:db8:0:1::1", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
  ])
  func `a network with IPv6 is one client`(first: String, second: String, isSame: Bool) throws {
    let addresses = try [first, second].map {
      ClientAddress(try SocketAddress(ipAddress: $0, port: 1))
    }

    #expect((addresses[0] == addresses[1]) == isSame)
  }

  @Test func `new connections wait for a second when there are no descriptors`() throws {
    let socket = EmbeddedChannel(handler: ConnectionGate(limit))
    try socket.connect(to: .init(unixDomainSocketPath: "/socket")).wait()
    var reads: Bool? {
      socket.options.last { $0.option is ChannelOptions.Types.AutoReadOption }?.value as? Bool
    }

    socket.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
    #expect(reads == false)

    socket.embeddedEventLoop.advanceTime(by: .seconds(Limits.acceptPauseSeconds))
    #expect(reads == true)
  }
}
