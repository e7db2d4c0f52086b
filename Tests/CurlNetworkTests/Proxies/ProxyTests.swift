import CurlNetwork
import Foundation
import Models
import TestSupport
import Testing
import Workers

/// Requests through a proxy on this machine, which itself answers for every host.
@Suite(.timeLimit(.minutes(60)))
struct ProxyTests {
  @Test(arguments: [NetworkReach.publicOnly, .typed])
  func `asks a proxy wherever it is for an address wherever it is`(reach: NetworkReach) async throws
  {
    let proxy = try LoopbackServer.always(.whole([1]))
    let worker = worker(["http_proxy": "http://127.0.0.1:\(proxy.port)"])

    let reply = try await worker.fetch(try request("http://10.1.2.3/a", reach))

    #expect(reply.body == [1])
    #expect(reply.header.firstPeer == .proxy)
    #expect(proxy.requests.map(\.target) == ["http://10.1.2.3/a"])
  }

  @Test(arguments: ["http", "https"])
  func `names the program to a proxy`(scheme: String) async throws {
    let proxy = try LoopbackServer.always(.whole(status: 403))
    let environment = ["\(scheme)_proxy": "http://127.0.0.1:\(proxy.port)"]
    let worker = worker(environment)

    let request = try request("\(scheme)://photos.example/", .publicOnly)
    let fetching = Task { try? await worker.fetch(request) }
    await proxy.arrivals.reaches(1)
    fetching.cancel()

    let sent = try #require(proxy.requests.first)
    #expect(sent.method == (scheme == "https" ? "CONNECT" : "GET"))
    #expect(sent["User-Agent"] == "gallery/test")
  }

  @Test func `asks a proxy once that wants another login`() async throws {
    let proxy = try LoopbackServer.always(.whole(status: 407))
    let worker = worker(["https_proxy": "http://moon:wrong@127.0.0.1:\(proxy.port)"])

    let failure = await worker.failure(of: try request("https://photos.example/", .publicOnly))

    #expect(failure?.reason == .proxyLogin)
    #expect(proxy.requests.map(\.method) == ["CONNECT"])
  }

  @Test func `goes straight to no private address that needs no proxy`() async throws {
    let proxy = try LoopbackServer.always(.whole())
    let inner = try LoopbackServer.always(.whole(), on: "127.0.0.3")
    let worker = worker(proxied(by: proxy, except: "127.0.0.3"))

    let failure = await worker.failure(of: try inner.request(reach: .publicOnly))

    #expect(failure?.reason == .privateAddress)
    #expect(proxy.connections.count + inner.connections.count == 0)
  }

  @Test func `takes no feed's address for the proxy's because it is the same`() async throws {
    let proxy = try LoopbackServer.always(.whole())
    let worker = worker(proxied(by: proxy, except: "127.0.0.1"))

    _ = try await worker.fetch(try request("http://10.1.2.3/", .publicOnly))
    let failure = await worker.failure(of: try proxy.request(reach: .publicOnly))

    #expect(failure?.reason == .privateAddress)
    #expect(proxy.arrivals.count == 1)
  }

  @Test func `follows no redirect from behind a proxy straight to a private address`() async throws
  {
    let inner = try LoopbackServer.always(.whole(), on: "127.0.0.3")
    let proxy = try LoopbackServer.always(.redirect(to: try #require(inner.address("/")?.text)))
    let worker = worker(proxied(by: proxy, except: "127.0.0.3"))

    for reach in [NetworkReach.publicOnly, .typed] {
      let failure = await worker.failure(of: try request("http://photos.example/", reach))
      #expect(failure?.reason == .privateAddress)
    }

    #expect(proxy.arrivals.count == 2)
    #expect(inner.connections.count == 0)
  }

  @Test func `follows one straight to a public address, and tells it as any other`() async throws {
    let open = try LoopbackServer.always(.whole([2], fields: ["ETag: \"2\""]), on: "127.0.0.2")
    let place = try #require(open.address("/there"))
    let proxy = try LoopbackServer.always(.redirect(to: place.text, status: 301))
    let worker = worker(proxied(by: proxy, except: "127.0.0.2"))

    let reply = try await worker.fetch(try request("http://photos.example/", .publicOnly))

    #expect(reply.body == [2])
    #expect(reply.header.address == place)
    #expect(reply.header.permanentAddress == place)
    #expect(open.requests.map(\.target) == ["/there"])
  }

  @Test func `takes no login along on such a way, neither the address's nor the netrc file's`()
    async throws
  {
    let open = try LoopbackServer.always(.whole(), on: "127.0.0.2")
    let proxy = try LoopbackServer.always(.redirect(to: try #require(open.address("/")?.text)))
    let netrc = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data("machine stars.example login moon password secret".utf8).write(to: netrc)
    let worker = worker(proxied(by: proxy, except: "127.0.0.2"), netrcFile: netrc.path)
    try FileManager.default.removeItem(at: netrc)

    for host in ["moon:secret@photos.example", "stars.example"] {
      _ = try await worker.fetch(try request("http://\(host)/", .publicOnly))
    }

    #expect(Set(proxy.requests.map { $0["Authorization"] }) == ["Basic bW9vbjpzZWNyZXQ="])
    #expect(open.requests.map { $0["Authorization"] } == [nil, nil])
  }

  @Test func `follows one from a host without proxy to a host with one`() async throws {
    let proxy = try LoopbackServer.always(.whole([1]))
    let open = try LoopbackServer.always(.redirect(to: "http://10.1.2.3/b"), on: "127.0.0.2")
    let worker = worker(proxied(by: proxy, except: "127.0.0.2"))

    let reply = try await worker.fetch(try open.request(reach: .typed))

    #expect(reply.body == [1])
    #expect(reply.header.firstPeer == .public)
    #expect(proxy.requests.map(\.target) == ["http://10.1.2.3/b"])
  }

  @Test func `counts all redirects, whichever way they lead`() async throws {
    let place = Locked("")
    let proxy = try LoopbackServer { _ in .redirect(to: place.withLock { $0 }) }
    let open = try LoopbackServer.always(.redirect(to: "http://photos.example/"), on: "127.0.0.2")
    let start = try #require(open.address("/")?.text)
    place.withLock { $0 = start }
    let worker = worker(proxied(by: proxy, except: "127.0.0.2"))

    let failure = await worker.failure(of: try open.request(reach: .publicOnly))

    #expect(failure?.reason == .tooManyRedirects(limit: 10))
    #expect(open.arrivals.count + proxy.arrivals.count == 11)
  }

  private func proxied(by proxy: LoopbackServer, except hosts: String) -> [String: String] {
    ["http_proxy": "127.0.0.1:\(proxy.port)", "no_proxy": hosts]
  }

  private func worker(
    _ environment: [String: String],
    netrcFile: String? = nil
  ) -> NetworkWorker {
    .testing(
      netrcFile: netrcFile,
      retries: .slow,
      environment: environment,
      classify: AddressClass.ofTests
    )
  }

  private func request(_ text: String, _ reach: NetworkReach) throws -> NetworkRequest {
    NetworkRequest(address: try #require(WebAddress(text)), reach: reach, byteLimit: 1_000)
  }
}
