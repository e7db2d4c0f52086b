import FoundationEssentials
import Models
import SQLiteCache
import Store
import TestSupport
import Testing
import Workers

@testable import Sync

/// The requests to hubs, and the stored state of subscriptions.
struct SubscriberTests {
  private let now = SyncBench.now
  private let store = FaultyLibrary()
  private let clock = Clock()
  private let hub = WebAddress.sample("hub")

  private func subscriber(_ network: FakeNetwork) -> Subscriber {
    let made = Locked(0)
    return Subscriber(
      store: store,
      network: network,
      callbacks: .sample("websub/"),
      secrets: {
        made.withLock { made in
          made += 1
          return "secret\(made)"
        }
      },
      now: { [clock] in clock.now },
      log: { _ in }
    )
  }

  private func followFeed() {
    var feed = Feed(id: 7, address: .feed, reach: .host("example.org"))
    feed.push = PushLinks(hubs: [hub], topic: .page("topic"))
    store.keep(feed, images: [String]())
  }

  private func confirm(_ subscriber: Subscriber) async throws -> HubAnswer {
    let parameters = [
      "hub.mode": "subscribe", "hub.topic": WebAddress.page("topic").text, "hub.challenge": "word",
      "hub.lease_seconds": "1000",
    ]
    return try await subscriber.answer(try #require(HubRequest(parameters)), atPath: "secret1")
  }

  @Test func `sends the parameters of WebSub, and no more than the feed may reach`() async throws {
    followFeed()
    let network = FakeNetwork([hub: FakeReply(status: 202)])

    await subscriber(network).renew()

    let request = try #require(network.requests.first)
    #expect(request.address == hub)
    #expect(request.reach == .host("example.org"))
    #expect(
      request.content
        == .form([
          ("hub.mode", "subscribe"), ("hub.topic", "https://example.org/page/topic"),
          ("hub.callback", "https://example.org/websub/secret1"), ("hub.lease_seconds", "864000"),
          ("hub.secret", "secret2"),
        ])
    )
  }

  @Test func `renews with the same path and secret before the lease ends`() async throws {
    followFeed()
    let network = FakeNetwork([hub: FakeReply(status: 202)])
    let subscriber = subscriber(network)
    await subscriber.renew()
    #expect(try await confirm(subscriber) == .confirmed("word"))

    for seconds in [799.0, 1] {
      clock.go(seconds)
      await subscriber.renew()
    }
    // The lease stays valid until the hub confirms the subscription again.
    #expect(try await store.subscriptions().map(\.leaseEnd) == [now + 1_000])
    #expect(try await confirm(subscriber) == .confirmed("word"))

    #expect(network.requests.count == 2)
    #expect(network.requests.first?.content == network.requests.last?.content)
    #expect(try await store.subscriptions().map(\.leaseEnd) == [now + 1_800])
  }

  @Test(arguments: [
    FakeReply(status: 500), FakeReply(status: 404), FakeReply(refusal: .timedOut),
    FakeReply(refusal: .privateAddress), FakeReply(refusal: .refused),
  ])
  func `a hub that fails is asked again later, and less and less often`(reply: FakeReply) async {
    followFeed()
    let network = FakeNetwork([hub: reply])
    let subscriber = subscriber(network)

    for _ in 0..<60 {
      await subscriber.renew()
      clock.go(60)
    }

    // After 0, 5, 15 and 35 minutes.
    #expect(network.requests.count == 4)
  }

  @Test func `a pause that a hub asks for is kept`() async throws {
    followFeed()
    var reply = FakeReply(status: 429)
    reply.retryAfter = now + 5_000
    await subscriber(FakeNetwork([hub: reply])).renew()
    #expect(try await store.subscriptions().map(\.nextTry) == [now + 5_000])

    clock.go(5_000)
    let until = now + 20_000
    await subscriber(FakeNetwork([hub: FakeReply(refusal: .paused(until: until))])).renew()
    #expect(try await store.subscriptions().map(\.nextTry) == [until])
  }

  @Test func `a hub that confirms before it answers is not asked again`() async throws {
    followFeed()
    let gate = Gate()
    var reply = FakeReply(status: 503)
    (reply.retryAfter, reply.gate) = (now + 5_000, gate)
    let network = FakeNetwork([hub: reply])
    let subscriber = subscriber(network)
    async let renewal: Void = subscriber.renew()
    while network.requests.isEmpty { await Task.yield() }
    #expect(try await confirm(subscriber) == .confirmed("word"))
    gate.open()
    await renewal

    #expect(try await store.subscriptions().map(\.nextTry) == [now + 800])
  }

  @Test func `the hub of a feed that was removed is told, and its deliveries count no more`()
    async throws
  {
    followFeed()
    let network = FakeNetwork([hub: FakeReply(status: 202)])
    let subscriber = subscriber(network)
    await subscriber.renew()
    _ = try await confirm(subscriber)
    #expect(try await subscriber.subscription(atPath: "secret1")?.feedID == 7)

    _ = try await store.library.removeFeed(id: 7, purging: true)
    await subscriber.renew()

    let fields = [
      ("hub.mode", "unsubscribe"), ("hub.topic", "https://example.org/page/topic"),
      ("hub.callback", "https://example.org/websub/secret1"),
    ]
    #expect(network.requests.last?.content == .form(fields.map { (name: $0.0, value: $0.1) }))
    #expect(network.requests.last?.reach == .host("example.org"))
    #expect(try await subscriber.subscription(atPath: "secret1") == nil)
    #expect(try await confirm(subscriber) == .refused)
  }

  @Test func `forgets all without a word`() async throws {
    followFeed()
    await subscriber(FakeNetwork([hub: FakeReply(status: 202)])).renew()

    await Subscriber.forgetAll(in: store)

    #expect(try await store.subscriptions() == [])
  }

  @Test func `refuses a request to an unknown path`() async throws {
    let asked = try await confirm(subscriber(FakeNetwork()))

    #expect(asked == .refused)
    #expect(try await store.subscriptions() == [])
  }
}
