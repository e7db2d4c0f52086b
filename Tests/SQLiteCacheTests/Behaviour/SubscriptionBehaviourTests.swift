import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing
import Workers

@testable import SQLiteCache

/// The subscription data that all stores keep.
@Suite(.inTurns)
struct SubscriptionBehaviourTests {
  typealias Kind = StoreBehaviourTests.Kind
  typealias Subject = StoreBehaviourTests.Subject

  /// A date so late that a lease until then is valid while the tests run.
  private static let later = Date(timeIntervalSince1970: 9_000_000_000)

  private func links(_ hub: String, _ topic: String = "https://example.org/feed") -> PushLinks {
    PushLinks(hubs: [WebAddress(hub)].compactMap(\.self), topic: WebAddress(topic))
  }

  private func subscription(_ path: String, feedID: Int64 = 1) throws -> Subscription {
    var subscription = Subscription(
      feedID: feedID,
      hub: try #require(WebAddress("https://hub.example/")),
      topic: try #require(WebAddress("https://example.org/feed")),
      callback: try #require(WebAddress("https://photos.example/websub/\(path)")),
      secret: "secret of \(path)",
      reach: .host("hub.example"),
      nextTry: .first
    )
    subscription.tries = 2
    return subscription
  }

  @Test(arguments: Kind.allCases)
  func `a feed has the hub that its document or its server names`(kind: Kind) async throws {
    let subject = try Subject(kind)
    var answer = FeedAnswer()
    answer.push = links("https://hub.example/")
    try await subject.sync([.sample("a")], answer: answer)
    #expect(try await subject.store.feeds().map(\.push) == [answer.push])

    answer.push = links("https://other.example/", "https://example.org/other")
    try await subject.sync([.sample("a")], answer: answer)
    #expect(try await subject.store.feeds().map(\.push) == [answer.push])

    // Without a topic of the document, the program cannot subscribe at the hub.
    answer.push.topic = nil
    try await subject.sync([.sample("a")], answer: answer)
    #expect(try await subject.store.feeds().map(\.push) == [PushLinks()])
  }

  @Test(arguments: Kind.allCases)
  func `keeps, changes and forgets subscriptions by their paths`(kind: Kind) async throws {
    // The subject lives as long as its schema is used, which another test uses next.
    let subject = try Subject(kind)
    let store = subject.store
    defer { withExtendedLifetime(subject) {} }
    let (first, second) = (try subscription("a"), try subscription("b", feedID: 7))
    for new in [second, first] {
      #expect(try await store.changeSubscription(atPath: new.path) { $0 = new } == new)
    }
    #expect(try await store.subscriptions() == [first, second])
    #expect(try await store.subscription(atPath: "b") == second)
    #expect(try await store.subscription(atPath: "c") == nil)

    try await store.changeSubscription(atPath: "a") { $0 = nil }
    let changed = try await store.changeSubscription(atPath: "b") { $0?.leaseEnd = Self.later }
    try await store.changeSubscription(atPath: "c") { $0?.isEnding = true }

    #expect(changed?.leaseEnd == Self.later)
    #expect(try await store.subscriptions() == [changed])
  }

  @Test(arguments: Kind.allCases)
  func `a feed is pushed while the hub that it names has confirmed and the lease holds`(kind: Kind)
    async throws
  {
    let subject = try Subject(kind)
    var answer = FeedAnswer()
    answer.push = links("https://hub.example/")
    try await subject.sync([.sample("a")], answer: answer)
    func end(_ change: @escaping @Sendable (inout Subscription) -> Void) async throws -> Date? {
      var new = try subscription("a")
      change(&new)
      try await subject.store.changeSubscription(atPath: "a") { [new] in $0 = new }
      return try await subject.store.feeds().first?.leaseEnd
    }

    #expect(try await end { _ in } == nil)
    #expect(try await end { $0.leaseEnd = Self.later } == Self.later)
    #expect(try await subject.store.feed(at: .feed)?.leaseEnd == Self.later)
    #expect(try await end { $0.leaseEnd = .first } == nil)
    #expect(try await end { ($0.leaseEnd, $0.isEnding) = (Self.later, true) } == nil)
    #expect(try await end { ($0.leaseEnd, $0.topic) = (Self.later, .feed) } == nil)
    #expect(try await end { ($0.leaseEnd, $0.feedID) = (Self.later, 2) } == nil)
  }

  @Test(arguments: Kind.allCases, [false, true])
  func `a subscription outlives its feed until the hub is told`(kind: Kind, isPurging: Bool)
    async throws
  {
    let subject = try Subject(kind)
    try await subject.sync([.sample("a")])
    let new = try subscription("a")
    try await subject.store.changeSubscription(atPath: "a") { $0 = new }

    _ = try await subject.store.removeFeed(id: 1, purging: isPurging)

    let subscriptions = try await subject.store.subscriptions()
    #expect(subscriptions == [new])
  }
}
