import Foundation
import Models
import Testing
import Workers

@testable import SQLiteCache

struct MoveTests {
  private let store: TemporaryLibrary
  private let new = WebAddress.address("https://feeds.example/new")
  private let newer = WebAddress.address("https://feeds.example/newer")

  init() throws {
    store = try TemporaryLibrary()
    try store.sync([.sample("a", id: "1")])
  }

  /// A sync that was sent to an address for good, with the document or without.
  @discardableResult
  private func sync(to target: WebAddress?, isUnchanged: Bool = false) throws -> FeedMove? {
    let answer = FeedAnswer(permanentAddress: target)
    if isUnchanged {
      let note = FeedNote(status: .unchanged, answer: answer)
      return try store.library.noteSync(ofFeedAt: .feed, note, now: .second)?.move
    }
    let writer = try store.library.writer(forFeedAt: .feed, now: .second)
    try writer.append([.sample("a", id: "1")])
    return try writer.finish(FeedDocument(format: .rss), answer: answer, isWhole: true).move
  }

  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func `follows the second time running, and keeps the old address`(
    isFirstUnchanged: Bool,
    isSecondUnchanged: Bool
  ) throws {
    let first = try sync(to: new, isUnchanged: isFirstUnchanged)
    let between = try store.library.feed(at: .feed)
    let second = try sync(to: new, isUnchanged: isSecondUnchanged)

    #expect(first == nil)
    #expect(between?.address == .feed)
    #expect(between?.movedTo == new)
    #expect(second == .moved(from: .feed, to: new))
    let feed = try #require(try store.library.feeds().first)
    #expect(feed.address == new)
    #expect(feed.aliases == [.feed])
    #expect(feed.movedTo == nil)
    #expect(try store.library.feed(at: .feed) == feed)
    #expect(try store.library.feed(at: new) == feed)
    #expect(try store.images().map(\.feed.address) == [new])
  }

  @Test func `a sync without a redirect in between begins anew`() throws {
    try sync(to: new)
    try sync(to: nil)

    #expect(try sync(to: new) == nil)
    #expect(try store.library.feed(at: .feed)?.address == .feed)
  }

  @Test func `another address begins anew`() throws {
    try sync(to: new)

    #expect(try sync(to: newer) == nil)
    #expect(try sync(to: newer) == .moved(from: .feed, to: newer))
  }

  @Test func `a sync that fails in between changes nothing`() throws {
    try sync(to: new)
    let note = FeedNote(status: .failed, problem: "500")
    _ = try store.library.noteSync(ofFeedAt: .feed, note, now: .second)

    #expect(try sync(to: new) == .moved(from: .feed, to: new))
  }

  @Test(arguments: [false, true])
  func `takes no address of another feed, followed or removed`(isRemoved: Bool) throws {
    try store.sync([.sample("x")], to: new)
    if isRemoved { _ = try store.library.removeFeed(id: 2, purging: false) }
    try sync(to: new)

    #expect(try sync(to: new) == .taken(new))
    #expect(try sync(to: new, isUnchanged: true) == .taken(new))
    #expect(try store.library.feed(at: .feed)?.id == 1)
    #expect(try store.numbers("SELECT count(*) FROM feed_alias") == [0])
  }

  @Test func `takes no address that another feed had before`() throws {
    try store.sync([.sample("x")], to: new, answer: FeedAnswer(permanentAddress: newer))
    try store.sync([.sample("x")], to: new, answer: FeedAnswer(permanentAddress: newer))
    try sync(to: new)

    #expect(try sync(to: new) == .taken(new))
  }

  @Test func `moves back, and on`() throws {
    for target in [new, .feed, newer] {
      try sync(to: target)
      try sync(to: target)
    }

    let feed = try #require(try store.library.feeds().first)
    #expect(feed.address == newer)
    #expect(feed.aliases == [.feed, new])
    #expect(try store.library.feeds().count == 1)
  }

  @Test(arguments: [
    "http://feeds.example/moon", "HTTPS://FEEDS.EXAMPLE:443/moon#top",
    "https://feeds.example/./moon",
  ])
  func `another spelling of an address is the same feed, which keeps the first`(
    _ spelling: String
  ) throws {
    let address = WebAddress.address(spelling)
    let counts = try store.sync([.sample("a", id: "1")], to: address)

    #expect(counts == ImageCounts(total: 1))
    #expect(try store.library.feeds().map(\.address) == [.feed])
    #expect(try store.library.feed(at: address)?.id == 1)
    #expect(try store.numbers("SELECT count(*) FROM feed_alias") == [0])
    try sync(to: address)
    #expect(try store.library.feed(at: .feed)?.movedTo == nil)
  }

  @Test func `a feed keeps the https of its address once it was asked by it`() throws {
    let (http, https) = (
      WebAddress.address("http://feeds.example/x"), WebAddress.address("https://feeds.example/x")
    )
    try store.sync([.sample("x")], to: http)
    try store.sync([.sample("x")], to: https)
    try store.sync([.sample("x")], to: http)

    #expect(try store.library.feeds().map(\.address) == [.feed, https])
  }

  @Test func `another spelling of an old address means the feed, too`() throws {
    try sync(to: new)
    try sync(to: new)

    #expect(try store.library.feed(at: .address("http://feeds.example/moon#a"))?.id == 1)
  }

  @Test func `an old address writes to the same feed`() throws {
    try sync(to: new)
    try sync(to: new)

    let counts = try store.sync([.sample("a", id: "1"), .sample("b", id: "2")], to: .feed)

    #expect(counts == ImageCounts(total: 2, new: 1))
    #expect(try store.library.feeds().map(\.address) == [new])
  }

  @Test func `an old address finds the members of a collection`() throws {
    let member = FeedMember(address: newer, validators: Validators(entityTag: "\"m\""))
    let writer = try store.library.writer(forFeedAt: .feed, now: .first)
    try writer.endDocument(member: member)
    _ = try writer.finish(FeedDocument(format: .iiif), answer: FeedAnswer(), isWhole: true)
    try sync(to: new, isUnchanged: true)
    try sync(to: new, isUnchanged: true)

    #expect(try store.library.members(ofFeedAt: .feed) == [member])
  }

  @Test func `an old address brings a removed feed back with the same ids`() throws {
    try sync(to: new)
    try sync(to: new)
    _ = try store.library.removeFeed(id: 1, purging: false)

    try store.sync([.sample("a", id: "1")], to: .feed)

    #expect(try store.listing() == ["1 a"])
    #expect(try store.library.feeds().map(\.address) == [new])
  }
}
