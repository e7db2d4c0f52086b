import Foundation
import Models
import Sync
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct MoveTests {
  private let store: TemporaryStore
  private let new = WebAddress.address("https://feeds.example/new")
  private let newer = WebAddress.address("https://feeds.example/newer")

  init() async throws {
    store = try TemporaryStore()
    try await store.sync([.sample("a", id: "1")])
  }

  /// A sync that was redirected permanently, with a document or unchanged.
  @discardableResult
  private func sync(to target: WebAddress?, isUnchanged: Bool = false) async throws -> FeedMove? {
    let answer = FeedAnswer(permanentAddress: target)
    if isUnchanged {
      let note = FeedNote(status: .unchanged, answer: answer)
      return try await store.library.noteSync(ofFeedAt: .feed, note, now: .second)?.move
    }
    let writer = store.library.writer(forFeedAt: .feed, now: .second)
    try await writer.append([.sample("a", id: "1")])
    return try await writer.finish(FeedDocument(format: .rss), answer: answer, isWhole: true).move
  }

  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func `follows the second time running, and keeps the old address`(
    isFirstUnchanged: Bool,
    isSecondUnchanged: Bool
  ) async throws {
    let first = try await sync(to: new, isUnchanged: isFirstUnchanged)
    let between = try await store.library.feed(at: .feed)
    let second = try await sync(to: new, isUnchanged: isSecondUnchanged)

    #expect(first == nil)
    #expect(between?.address == .feed)
    #expect(between?.movedTo == new)
    #expect(second == .moved(from: .feed, to: new))
    let feed = try #require(try await store.library.feeds().first)
    #expect(feed.address == new)
    #expect(feed.aliases == [.feed])
    #expect(feed.movedTo == nil)
    #expect(try await store.library.feed(at: .feed) == feed)
    #expect(try await store.library.feed(at: new) == feed)
    #expect(try await store.images().map(\.feed.address) == [new])
  }

  @Test func `a sync without a redirect in between starts over`() async throws {
    try await sync(to: new)
    try await sync(to: nil)

    #expect(try await sync(to: new) == nil)
    #expect(try await store.library.feed(at: .feed)?.address == .feed)
  }

  @Test func `another address starts over`() async throws {
    try await sync(to: new)

    #expect(try await sync(to: newer) == nil)
    #expect(try await sync(to: newer) == .moved(from: .feed, to: newer))
  }

  @Test func `a sync that fails in between changes nothing`() async throws {
    try await sync(to: new)
    let note = FeedNote(status: .failed, problem: "500")
    _ = try await store.library.noteSync(ofFeedAt: .feed, note, now: .second)

    #expect(try await sync(to: new) == .moved(from: .feed, to: new))
  }

  @Test(arguments: [false, true])
  func `takes no address of another feed, followed or removed`(isRemoved: Bool) async throws {
    try await store.sync([.sample("x")], to: new)
    if isRemoved { _ = try await store.library.removeFeed(id: 2, purging: false) }
    try await sync(to: new)

    #expect(try await sync(to: new) == .taken(new))
    #expect(try await sync(to: new, isUnchanged: true) == .taken(new))
    #expect(try await store.library.feed(at: .feed)?.id == 1)
    #expect(try store.numbers("SELECT count(*) FROM feed_alias") == [0])
  }

  @Test func `takes no address that another feed had before`() async throws {
    try await store.sync([.sample("x")], to: new, answer: FeedAnswer(permanentAddress: newer))
    try await store.sync([.sample("x")], to: new, answer: FeedAnswer(permanentAddress: newer))
    try await sync(to: new)

    #expect(try await sync(to: new) == .taken(new))
  }

  @Test func `moves back, and on`() async throws {
    for target in [new, .feed, newer] {
      try await sync(to: target)
      try await sync(to: target)
    }

    let feed = try #require(try await store.library.feeds().first)
    #expect(feed.address == newer)
    #expect(feed.aliases == [.feed, new])
    #expect(try await store.library.feeds().count == 1)
  }

  @Test(arguments: [
    "http://feeds.example/moon", "HTTPS://FEEDS.EXAMPLE:443/moon#top",
    "https://feeds.example/./moon",
  ])
  func `another spelling of an address is the same feed, which keeps the first`(
    _ spelling: String
  ) async throws {
    let address = WebAddress.address(spelling)
    let counts = try await store.sync([.sample("a", id: "1")], to: address)

    #expect(counts == ImageCounts(total: 1))
    #expect(try await store.library.feeds().map(\.address) == [.feed])
    #expect(try await store.library.feed(at: address)?.id == 1)
    #expect(try store.numbers("SELECT count(*) FROM feed_alias") == [0])
    try await sync(to: address)
    #expect(try await store.library.feed(at: .feed)?.movedTo == nil)
  }

  @Test func `a feed keeps the https of its address once it was asked by it`() async throws {
    let (http, https) = (
      WebAddress.address("http://feeds.example/x"), WebAddress.address("https://feeds.example/x")
    )
    try await store.sync([.sample("x")], to: http)
    try await store.sync([.sample("x")], to: https)
    try await store.sync([.sample("x")], to: http)

    #expect(try await store.library.feeds().map(\.address) == [.feed, https])
  }

  @Test func `another spelling of an old address means the feed, too`() async throws {
    try await sync(to: new)
    try await sync(to: new)

    #expect(try await store.library.feed(at: .address("http://feeds.example/moon#a"))?.id == 1)
  }

  @Test func `an old address writes to the same feed`() async throws {
    try await sync(to: new)
    try await sync(to: new)

    let counts = try await store.sync([.sample("a", id: "1"), .sample("b", id: "2")], to: .feed)

    #expect(counts == ImageCounts(total: 2, new: 1))
    #expect(try await store.library.feeds().map(\.address) == [new])
  }

  @Test func `an old address finds the members of a collection`() async throws {
    let member = FeedMember(address: newer, validators: Validators(entityTag: "\"m\""))
    let writer = store.library.writer(forFeedAt: .feed, now: .first)
    try await writer.endDocument(member: member)
    _ = try await writer.finish(FeedDocument(format: .iiif), answer: FeedAnswer(), isWhole: true)
    try await sync(to: new, isUnchanged: true)
    try await sync(to: new, isUnchanged: true)

    #expect(try await store.library.contents(ofFeedAt: .feed).members == [member])
  }

  @Test func `an old address brings a removed feed back with the same ids`() async throws {
    try await sync(to: new)
    try await sync(to: new)
    _ = try await store.library.removeFeed(id: 1, purging: false)

    try await store.sync([.sample("a", id: "1")], to: .feed)

    #expect(try await store.listing() == ["1 a"])
    #expect(try await store.library.feeds().map(\.address) == [new])
  }
}
