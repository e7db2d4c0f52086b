import CurlNetwork
import Models
import TestSupport
import Testing
import Workers

/// The addresses to which requests connect, on real sockets.
@Suite(.timeLimit(.minutes(60)))
struct ReachTests {
  private static let everyReach: [NetworkReach] = [
    .publicOnly, .host("127.0.0.4"), .typed, .anywhere,
  ]
  private let worker = NetworkWorker.testing(retries: .slow, classify: AddressClass.ofTests)

  @Test(arguments: [
    "127.0.0.1", "0x7f.1", "0x7f000001", "2130706433", "0177.0.0.1", "127.1", "localhost",
    "LOCALHOST", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "%31%32%37.0.0.1",
    "user@127.0.0.1", "example.org@127.0.0.1",
  ])
  func `connects to no private address, however it is written`(host: String) async throws {
    let server = try LoopbackServer.always(.whole())
    let address = try #require(WebAddress("http://\(host):\(server.port)/"))

    let failure = await worker.failure(of: request(address, .publicOnly))
    let other = await worker.failure(of: request(address, .host("127.0.0.3")))

    #expect(failure?.reason == .privateAddress)
    #expect(other?.reason == .privateAddress)
    #expect(server.connections.count == 0)
  }

  /// The resolver decides whether a name with a dot at its end means this machine.
  @Test func `connects to none under a name with a dot at its end`() async throws {
    let server = try LoopbackServer.always(.whole())
    let address = try #require(WebAddress("http://localhost.:\(server.port)/"))

    let failure = await NetworkWorker.testing(retries: .never)
      .failure(of: request(address, .publicOnly))

    #expect(failure?.reason == .privateAddress || failure?.reason == .unreachable)
    #expect(server.connections.count == 0)
  }

  @Test(arguments: ["127.0.0.1", "0x7f.1", "localhost", "[::ffff:127.0.0.1]"])
  func `connects to the private address that the user has typed, however it is written`(
    host: String
  ) async throws {
    let server = try LoopbackServer.inTurn(.redirect(to: "/b"), .whole([1]))
    let address = try #require(WebAddress("http://\(host):\(server.port)/a"))

    let reply = try await worker.fetch(request(address, .typed))

    #expect(reply.body == [1])
    #expect(server.arrivals.count == 2)
    guard case .private(let name) = reply.header.firstPeer else {
      Issue.record("it led to \(String(describing: reply.header.firstPeer))")
      return
    }
    #expect(try await worker.fetch(request(address, .host(name))).body == [1])
  }

  @Test func `tells where the first connection led`() async throws {
    let open = try LoopbackServer.always(.whole(), on: "127.0.0.2")
    let inner = try LoopbackServer.always(.whole(), on: "127.0.0.3")
    let outward = try LoopbackServer.always(
      .redirect(to: try #require(open.address("/")?.text)),
      on: "127.0.0.3"
    )

    let peers = [
      try await worker.fetch(open.request(reach: .typed)).header.firstPeer,
      try await worker.fetch(inner.request(reach: .typed)).header.firstPeer,
      try await worker.open(outward.request(reach: .typed)).header.firstPeer,
    ]

    #expect(peers == [.public, .private(host: "127.0.0.3"), .private(host: "127.0.0.3")])
  }

  @Test(arguments: everyReach)
  func `never connects to a link-local address`(reach: NetworkReach) async throws {
    let server = try LoopbackServer.always(.whole(), on: "127.0.0.4")

    let failure = await worker.failure(of: try server.request(reach: reach))

    #expect(failure?.reason == .forbiddenAddress)
    #expect(failure?.message == "it leads to 127.0.0.4, a link-local address")
    #expect(server.connections.count == 0)
  }

  @Test(arguments: [
    "http://0.0.0.0", "http://[::]", "http://0", "http://169.254.169.254", "http://255.255.255.255",
    "http://224.0.0.1", "http://[fe80::1]", "http://[fe80::1%25lo]", "http://[ff02::1]",
    "http://[::ffff:169.254.169.254]", "http://[::1%25lo]",
  ])
  func `never connects to what is not a server's address`(address: String) async throws {
    let server = try LoopbackServer.always(.whole())
    let address = try #require(WebAddress("\(address):\(server.port)/"))

    let failure = await worker.failure(of: request(address, .anywhere))

    #expect(failure?.reason == .forbiddenAddress)
    #expect(server.connections.count == 0)
  }

  @Test(arguments: [NetworkReach.publicOnly, .typed, .host("127.0.0.1")])
  func `follows no redirect from a public to a private address`(reach: NetworkReach) async throws {
    let inner = try LoopbackServer.always(.whole(), on: "127.0.0.3")
    let outer = try LoopbackServer.always(
      .redirect(to: try #require(inner.address("/secret")?.text)),
      on: "127.0.0.2"
    )

    let failure = await worker.failure(of: try outer.request(reach: reach))

    #expect(failure?.reason == .privateAddress)
    #expect(failure?.message == "it leads to 127.0.0.3, a private address")
    #expect(outer.arrivals.count == 1)
    #expect(inner.connections.count == 0)
  }

  @Test func `follows it to the one host that is allowed, whatever its port, and anywhere`()
    async throws
  {
    let inner = try LoopbackServer.always(.whole([3]), on: "127.0.0.3")
    let outer = try LoopbackServer.always(
      .redirect(to: try #require(inner.address("/")?.text)),
      on: "127.0.0.2"
    )

    let named = try await worker.fetch(try outer.request(reach: .host("127.0.0.3")))
    let allowed = try await worker.fetch(try outer.request(reach: .anywhere))

    #expect(named.body == [3])
    #expect(allowed.body == [3])
  }

  @Test(arguments: [NetworkReach.typed, .host("127.0.0.3")])
  func `follows no redirect from one private host to another`(reach: NetworkReach) async throws {
    let other = try LoopbackServer.always(.whole())
    let inner = try LoopbackServer.always(
      .redirect(to: try #require(other.address("/")?.text)),
      on: "127.0.0.3"
    )

    let failure = await worker.failure(of: try inner.request(reach: reach))

    #expect(failure?.reason == .privateAddress)
    #expect(other.connections.count == 0)
  }

  @Test(arguments: [NetworkReach.typed, .publicOnly])
  func `refuses a name that leads to a public address first and to a private one then`(
    reach: NetworkReach
  ) async throws {
    let isBound = Locked(false)
    let worker = NetworkWorker.testing(retries: .slow) { address in
      isBound.withLock { $0 } ? .private : AddressClass.ofTests(address)
    }
    let later = try LoopbackServer.always(.whole(), on: "127.0.0.2")
    let place = try #require(later.address("/")?.text)
    let first = try LoopbackServer(on: "127.0.0.2") { _ in
      isBound.withLock { $0 = true }
      return .redirect(to: place)
    }

    let failure = await worker.failure(of: try first.request(reach: reach))

    #expect(failure?.reason == .privateAddress)
    #expect(later.connections.count == 0)
  }

  @Test func `holds on to where a typed name led when it tries again`() async throws {
    let isBound = Locked(false)
    let worker = NetworkWorker.testing { address in
      isBound.withLock { $0 } ? .private : AddressClass.ofTests(address)
    }
    let server = try LoopbackServer(on: "127.0.0.2") { _ in
      isBound.withLock { $0 = true }
      return .whole(status: 503)
    }

    let failure = await worker.failure(of: try server.request(reach: .typed))

    #expect(failure?.reason == .privateAddress)
    #expect(server.arrivals.count == 1)
  }

  @Test func `lends no connection to those who could not have made it`() async throws {
    let server = try LoopbackServer.always(.whole([1]), on: "127.0.0.3")

    _ = try await worker.fetch(try server.request(reach: .anywhere))
    let failure = await worker.failure(of: try server.request(reach: .publicOnly))
    let allowed = try await worker.fetch(try server.request(reach: .host("127.0.0.3")))

    #expect(failure?.reason == .privateAddress)
    #expect(allowed.body == [1])
    #expect(server.arrivals.count == 2)
  }

  @Test func `lends none behind a redirect either`() async throws {
    let inner = try LoopbackServer.always(.whole([1]), on: "127.0.0.3")
    let outer = try LoopbackServer.always(
      .redirect(to: try #require(inner.address("/secret")?.text)),
      on: "127.0.0.2"
    )

    _ = try await worker.fetch(try inner.request(reach: .anywhere))
    let failure = await worker.failure(of: try outer.request(reach: .typed))

    #expect(failure?.reason == .privateAddress)
    #expect(inner.arrivals.count == 1)
  }

  @Test func `goes on to an address of the host that is allowed`() async throws {
    let server = try LoopbackServer.always(.whole([1]))
    let worker = NetworkWorker.testing(retries: .never) { address in
      address == .v4(0x7F00_0001) ? .public : .private
    }
    let address = try #require(WebAddress("http://localhost:\(server.port)/"))

    #expect(try await worker.fetch(request(address, .publicOnly)).body == [1])
  }

  @Test func `takes a refusal for no failure of the host, and tries it no second time`()
    async throws
  {
    let server = try LoopbackServer.always(.whole([1]), on: "127.0.0.3")

    for _ in 0..<12 {
      let failure = await worker.failure(of: try server.request(reach: .publicOnly))
      #expect(failure?.reason == .privateAddress)
    }
    let reply = try await worker.fetch(try server.request(reach: .anywhere))

    #expect(reply.body == [1])
  }

  @Test func `asks a public address that cannot be reached again, as any other`() async throws {
    let server = try LoopbackServer.always(.whole(), on: "127.0.0.2")
    let request = try server.request(reach: .publicOnly)
    server.stop()

    let failure = await NetworkWorker.testing(classify: AddressClass.ofTests).failure(of: request)

    #expect(failure?.reason == .unreachable)
  }

  private func request(_ address: WebAddress, _ reach: NetworkReach) -> NetworkRequest {
    NetworkRequest(address: address, reach: reach, byteLimit: 1_000)
  }
}
