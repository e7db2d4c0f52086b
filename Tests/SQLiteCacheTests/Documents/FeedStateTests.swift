import Foundation
import Models
import Sync
import Testing
import Workers

@testable import SQLiteCache

/// The data from a server's responses that the store keeps for the next request.
@Suite(.onEachStore)
struct FeedStateTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    try await store.sync([.sample("a")], answer: FeedAnswer(nextSync: .second))
  }

  private var feed: Feed? {
    get async throws { try await store.library.feed(at: .feed) }
  }

  private func note(_ note: FeedNote) async throws {
    _ = try await store.library.noteSync(ofFeedAt: .feed, note, now: .second)
  }

  @Test func `keeps when a feed is asked for again`() async throws {
    #expect(try await feed?.nextSync == .second)
    try await note(FeedNote(status: .unchanged, answer: FeedAnswer(nextSync: .first)))
    #expect(try await feed?.nextSync == .first)
    try await note(FeedNote(status: .failed, problem: "500"))
    #expect(try await feed?.nextSync == nil)
  }

  @Test func `asks again with the next sync for a document that was begun and not ended`()
    async throws
  {
    let writer = store.library.writer(forFeedAt: .feed, now: .second)
    try await writer.append([.sample("b"), .sample("c")])

    #expect(try await feed?.nextSync == nil)
  }

  @Test func `puts off a feed that brings too much for longer each time, until it is read whole`()
    async
    throws
  {
    func breakOff() async throws -> Double? {
      let writer = store.library.writer(forFeedAt: .feed, now: .second)
      try await writer.append([.sample("b")])
      let feed = try await writer.breakOff(problem: "too much", isExcess: true).feed
      return feed?.nextSync?.timeIntervalSince(.second)
    }

    #expect(try await [breakOff(), breakOff(), breakOff()] == [3_600, 7_200, 14_400])
    try await store.sync([.sample("a")])
    #expect(try await feed?.nextSync == nil)
    #expect(try await breakOff() == 3_600)
  }

  @Test func `tells by how many bytes a document has made the library larger`() async throws {
    let images = (0..<500).map { FeedEntry.sample("\($0)", title: "Title \($0)") }
    let first = store.library.writer(forFeedAt: .feed, now: .second)
    try await first.append(images)
    let again = store.library.writer(forFeedAt: .feed, now: .second)
    try await again.append(images)

    #expect(first.storedBytes > 100_000 && first.storedBytes < 2_000_000)
    #expect(again.storedBytes == 0)
  }

  @Test func `pauses a feed that is gone, until it answers`() async throws {
    try await note(FeedNote(status: .failed, problem: "gone", isGone: true))
    #expect(try await feed?.isPaused == true)
    try await note(FeedNote(status: .failed, problem: "no route"))
    #expect(try await feed?.isPaused == true)
    try await note(FeedNote(status: .unchanged))
    #expect(try await feed?.isPaused == false)
  }

  @Test func `a document ends the pause, too`() async throws {
    try await note(FeedNote(status: .failed, problem: "gone", isGone: true))
    try await store.sync([.sample("a")])

    #expect(try await feed?.isPaused == false)
    #expect(try await feed?.problem == nil)
  }

  @Test(arguments: [true, false])
  func `a removed feed comes back with its ids, and neither paused nor on its way`(
    isPaused: Bool
  ) async throws {
    try await note(
      FeedNote(
        status: isPaused ? .failed : .unchanged,
        answer: FeedAnswer(permanentAddress: .otherFeed, nextSync: .second),
        isGone: isPaused
      )
    )
    _ = try await store.library.removeFeed(id: 1, purging: false)
    let writer = store.library.writer(forFeedAt: .feed, now: .second)
    try await writer.append([.sample("a")])

    let back = try #require(try await feed)
    #expect(back.id == 1)
    #expect(!back.isPaused)
    #expect(back.movedTo == nil)
    #expect(back.nextSync == nil)
    #expect(try await store.listing() == ["1 a"])
  }

  @Test func `another choice of pictures asks for the whole document again, and the same does not`()
    async throws
  {
    func validators(after change: FeedChange) async throws -> Validators? {
      try await store.sync([.sample("a")], validators: Validators(entityTag: "\"1\""))
      return try await store.library.set(change, ofFeed: 1)?.validators
    }

    let front = FeedChange(imageChoice: .given(.front))
    #expect(try await validators(after: front) == Validators())
    #expect(try await validators(after: front) == Validators(entityTag: "\"1\""))
    #expect(try await validators(after: .title("Sun")) == Validators(entityTag: "\"1\""))
    #expect(try await validators(after: FeedChange(imageChoice: .usual)) == Validators())
  }

  @Test func `a sync keeps the settings of a feed, and a setting keeps what the sync has stored`()
    async throws
  {
    let change = FeedChange(
      title: .given("Sun"),
      interval: .given(7_200),
      images: .given(90),
      originals: .given(9)
    )
    _ = try await store.library.set(change, ofFeed: 1)
    try await store.sync([.sample("a"), .sample("b")], title: "Mars", now: .second)
    _ = try await store.library.set(FeedChange(originals: .given(8)), ofFeed: 1)
    try await note(FeedNote(status: .failed, problem: "500"))

    let stored = try #require(try await feed)
    #expect(stored.givenTitle == "Sun")
    #expect(stored.ownTitle == "Mars")
    #expect(stored.schedule.givenInterval == 7_200)
    #expect(stored.retention == FeedRetention(images: 90, originals: 8))
    #expect(stored.documentImageCount == 2)
    #expect(stored.imageCount == 2)
    #expect(stored.problem == "500")
    #expect(stored.lastSync == .second)
    #expect(stored.schedule.failures == 1)
  }
}
