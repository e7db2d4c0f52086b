import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// The times of requests to hubs, and the requests of hubs that are valid.
struct SubscriptionTests {
  private let now = SyncBench.now
  private let day = 86_400.0
  private static let callbacks = WebAddress.sample("websub/")

  private func feed(_ id: Int64 = 1, hub: String? = "hub") -> Feed {
    var feed = Feed(id: id, address: .page("\(id)"), reach: .host("example.org"))
    feed.push = PushLinks(hubs: hub.map { [.sample($0)] } ?? [], topic: .feed)
    return feed
  }

  /// A subscription of such a feed, in some state.
  private func subscription(
    _ path: String = "a",
    of id: Int64 = 1,
    _ change: (inout Subscription) -> Void = { _ in }
  ) -> Subscription {
    var subscription = Subscription(
      feedID: id,
      hub: .sample("hub"),
      topic: .feed,
      callback: .sample("websub/\(path)"),
      secret: "secret",
      reach: nil,
      nextTry: now
    )
    subscription.tries = 1
    change(&subscription)
    return subscription
  }

  private func plan(_ feeds: [Feed], _ subscriptions: [Subscription]) -> SubscriptionPlan {
    var made = 0
    return SubscriptionPlan(
      feeds: feeds,
      subscriptions: subscriptions,
      now: now,
      callbacks: Self.callbacks
    ) {
      made += 1
      return "secret\(made)"
    }
  }

  // MARK: The plan

  @Test func `subscribes each feed that names a hub, with a path and a secret of its own`() {
    let plan = plan([feed(1), feed(2, hub: nil), feed(3)], [])

    #expect(plan.due.map(\.feedID) == [1, 3])
    #expect(plan.due.map(\.path) == ["secret1", "secret3"])
    #expect(plan.due.map(\.secret) == ["secret2", "secret4"])
    #expect(plan.due.map(\.reach) == [.host("example.org"), .host("example.org")])
    #expect(plan.over == [])
  }

  @Test func `leaves feeds alone that are mirrored, gone, or came from a pipe`() {
    var (mirrored, gone, piped) = (feed(1), feed(2), feed(3))
    mirrored.gallery = .sample("gallery")
    gone.isPaused = true
    piped.address = WebAddress(pipe: 1)

    #expect(plan([mirrored, gone, piped], []).due == [])
  }

  @Test func `asks again when it is time, the one first that has waited longest`() {
    let waiting = subscription("a", of: 1) { $0.nextTry = now + 1 }
    let late = subscription("b", of: 2) { ($0.nextTry, $0.leaseEnd) = (now - 60, now + day) }
    let plan = plan([feed(1), feed(2), feed(3)], [waiting, late])

    #expect(plan.due.map(\.path) == ["b", "secret1"])
    #expect(plan.over == [])
  }

  @Test func `ends what is not named any more, and forgets what no hub has confirmed`() {
    let confirmed = subscription("a") { ($0.leaseEnd, $0.nextTry) = (now + day, now + day) }
    let unconfirmed = subscription("b") { $0.nextTry = now + day }

    for feeds in [[], [feed(hub: nil)], [feed(hub: "other")]] {
      let plan = plan(feeds, [confirmed, unconfirmed])
      #expect(plan.due.first { $0.path == "a" }?.isEnding == true)
      #expect(plan.over.map(\.path) == ["b"])
      // The program sends a request to the other hub at once.
      #expect(plan.due.filter { !$0.isEnding }.count == (feeds.first?.push.hub == nil ? 0 : 1))
    }
  }

  @Test func `of two subscriptions of one feed, one ends`() {
    let both = ["a", "b"].map { path in
      subscription(path) { ($0.leaseEnd, $0.nextTry) = (now + day, now + day) }
    }

    #expect(plan([feed()], both).due.map(\.path) == ["b"])
    #expect(plan([feed()], both).due.map(\.isEnding) == [true])
  }

  @Test func `an end that the hub does not confirm is over after three tries, or with the lease`() {
    let asked = subscription("a") { ($0.isEnding, $0.leaseEnd, $0.tries) = (true, now + day, 2) }
    let tired = subscription("b") { ($0.isEnding, $0.leaseEnd, $0.tries) = (true, now + day, 3) }
    let ended = subscription("c") { ($0.isEnding, $0.leaseEnd) = (true, now) }
    let plan = plan([], [asked, tired, ended])

    #expect(plan.due.map(\.path) == ["a"])
    #expect(plan.over.map(\.path) == ["b", "c"])
  }

  @Test func `forgets subscriptions of another address, and subscribes again`() {
    let foreign = subscription { $0.callback = .sample("elsewhere/websub/a") }
    let plan = plan([feed()], [foreign])

    #expect(plan.over.map(\.path) == ["a"])
    #expect(plan.due.map(\.path) == ["secret1"])
  }

  @Test func `asks a bounded number of hubs in one pass`() {
    #expect(plan((1...100).map { feed($0) }, []).due.count == SubscriptionPlan.mostAsked)
  }

  // MARK: Attempts

  @Test func `waits longer after each try, a day at most`() {
    var new = subscription { $0.tries = 0 }

    let waits = (1...12).map { _ in
      new.noteTry(at: now)
      return new.nextTry.timeIntervalSince(now)
    }

    #expect(waits.prefix(4) == [300, 600, 1_200, 2_400])
    #expect(waits.suffix(2) == [day, day])
  }

  // MARK: Requests of hubs

  private func take(
    _ parameters: [String: String],
    _ subscription: inout Subscription?
  ) throws -> HubAnswer {
    let topic = ["hub.topic": WebAddress.feed.text].merging(parameters) { $1 }
    let request = try #require(HubRequest(topic))
    return Subscription.take(request, for: &subscription, at: now)
  }

  private func subscribing(lease: String? = "1000", challenge: String = "word") -> [String: String]
  {
    var parameters = ["hub.mode": "subscribe", "hub.challenge": challenge]
    parameters["hub.lease_seconds"] = lease
    return parameters
  }

  @Test(arguments: [
    ("1000", 1_000.0, 800.0), ("10", 10, 60), ("0", 1, 60), ("-5", 1, 60),
    ("99999999999", 366 * 86_400, 25_297_920), (nil, 864_000, 691_200),
    ("soon", 864_000, 691_200),
  ])
  func `a confirmed lease is renewed after four fifths of it`(
    lease: String?,
    end: Double,
    renewal: Double
  ) throws {
    var known: Subscription? = subscription { $0.tries = 4 }

    #expect(try take(subscribing(lease: lease), &known) == .confirmed("word"))
    #expect(known?.leaseEnd == now + end)
    #expect(known?.nextTry == now + renewal)
    #expect(known?.tries == 0)
  }

  @Test func `confirms only what it wants, with a challenge that it can repeat`() throws {
    let wanted = subscription()
    let ending = subscription { $0.isEnding = true }
    let end = ["hub.mode": "unsubscribe", "hub.challenge": "word"]
    let refused: [([String: String], Subscription?)] = [
      (subscribing(), nil), (subscribing(), ending), (end, wanted), (end, nil),
      (subscribing(challenge: ""), wanted),
      (subscribing(challenge: String(repeating: "x", count: 2_049)), wanted),
      (subscribing().merging(["hub.topic": "https://example.org/other"]) { $1 }, wanted),
      (["hub.mode": "denied", "hub.topic": "https://example.org/other"], wanted),
    ]

    for (parameters, subscription) in refused {
      var known = subscription
      #expect(try take(parameters, &known) == .refused)
      #expect(known == subscription)
    }
    var known: Subscription? = ending
    #expect(try take(end, &known) == .confirmed("word"))
    #expect(known == nil)
  }

  @Test func `a hub that denies is asked again a day later`() throws {
    var known: Subscription? = subscription { $0.leaseEnd = now + day }

    #expect(try take(["hub.mode": "denied", "hub.reason": "no"], &known) == .noted)
    #expect(known?.leaseEnd == nil)
    #expect(known?.nextTry == now + day)
    #expect(known?.tries == 2)
  }

  @Test(arguments: [
    [:], ["hub.mode": "subscribe", "hub.topic": "a"], ["hub.mode": "publish", "hub.topic": "a"],
    ["hub.mode": "subscribe", "hub.challenge": "a"], ["hub.mode": "denied"],
  ])
  func `other requests are not a hub's`(parameters: [String: String]) {
    #expect(HubRequest(parameters) == nil)
  }
}
