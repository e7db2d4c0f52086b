import Foundation
import Models
import Sync
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct DocumentEndTests {
  private let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `marks what a complete document no longer lists, and takes it back`() async throws {
    try await store.sync([.sample("a"), .sample("b")], listsEverything: true)

    let without = try await store.sync([.sample("a")], listsEverything: true)
    let isGone = try await store.images().map(\.isGone)
    let still = try await store.sync([.sample("a")], listsEverything: true)
    let back = try await store.sync([.sample("a"), .sample("b")], listsEverything: true)

    #expect(without == ImageCounts(total: 1, gone: 1))
    #expect(isGone == [false, true])
    #expect(still == ImageCounts(total: 1))
    #expect(back == ImageCounts(total: 2, changed: 1))
    #expect(try await store.images().map(\.isGone) == [false, false])
  }

  @Test func `marks hundreds of images as gone, and takes them back`() async throws {
    let all = FeedEntry(id: nil, images: (0..<600).flatMap { FeedEntry.sample("\($0)").images })
    try await store.sync([all], listsEverything: true)

    let validators = Validators(entityTag: "\"2\"")
    let without = try await store.sync(
      [.sample("0")],
      listsEverything: true,
      validators: validators
    )
    let gone = try await store.images().count(where: \.isGone)
    let stored = try await store.library.feeds().first?.validators
    let back = try await store.sync([all], listsEverything: true)

    #expect(without == ImageCounts(total: 1, gone: 599))
    #expect(gone == 599 && stored == validators)
    #expect(back == ImageCounts(total: 600, changed: 599))
    #expect(try await !store.images().contains(where: \.isGone))
  }

  @Test(arguments: [(false, [DocumentFlaw]()), (true, [.cutOff])])
  func `marks nothing as gone after a window or a warning`(
    listsEverything: Bool,
    flaws: [DocumentFlaw]
  ) async throws {
    try await store.sync([.sample("a"), .sample("b")], listsEverything: true)

    let counts = try await store.sync(
      [.sample("a")],
      listsEverything: listsEverything,
      flaws: flaws
    )

    #expect(counts == ImageCounts(total: 1))
  }

  @Test func `marks nothing as gone after an empty document`() async throws {
    try await store.sync([.sample("a")], listsEverything: true)

    #expect(try await store.sync([], listsEverything: true) == ImageCounts())
    #expect(try await store.images().map(\.isGone) == [false])
  }

  @Test func `stores the feed with its last batch only`() async throws {
    let validators = Validators(entityTag: "W/\"1\"", lastModified: "Tue")
    let writer = store.library.writer(forFeedAt: .feed, now: .first)
    try await writer.append([.sample("a"), .sample("b")])
    let halfway = try await store.library.feeds()
    try await writer.append([.sample("c")])
    let end = FeedDocument(format: .atom, title: "Moon")
    let written = try await writer.finish(
      end,
      answer: FeedAnswer(validators: validators),
      isWhole: true
    )

    var whole = Feed(
      id: 1,
      address: .feed,
      title: "Moon",
      format: .atom,
      imageCount: 3,
      documentImageCount: 3,
      lastSync: .first,
      status: .updated,
      validators: validators
    )
    whole.schedule.take(.changed, ofFeed: 1, allowed: nil, now: .first)
    #expect(halfway == [Feed(id: 1, address: .feed, imageCount: 2, isWhole: false)])
    #expect(written == WrittenFeed(feed: whole, counts: ImageCounts(total: 3, new: 3)))
    #expect(try await store.library.feeds() == [whole])
  }

  @Test func `remembers a feed without images once it was read to its end`() async throws {
    let writer = store.library.writer(forFeedAt: .feed, now: .first)
    try await writer.append([])
    let none = try TemporaryStore(isNew: true)
    await #expect(throws: StoreError.self) { try await none.library.feeds() }
    let end = FeedDocument(format: .rss)
    let feed = try await writer.finish(end, answer: FeedAnswer(), isWhole: true).feed

    #expect(feed.status == .unchanged)
    #expect(try await store.library.feeds() == [feed])
  }

  @Test func `keeps what came before a document broke off, and forgets the validators`()
    async throws
  {
    try await store.sync([.sample("a", id: "1")], validators: Validators(entityTag: "\"1\""))
    let writer = store.library.writer(forFeedAt: .feed, now: .second)
    try await writer.append([.sample("b", id: "2"), .sample("c", id: "3")])

    let (feed, counts) = try await writer.breakOff(problem: "connection lost")

    #expect(counts == ImageCounts(total: 2, new: 2))
    #expect(feed?.status == .failed)
    #expect(feed?.problem == "connection lost")
    #expect(feed?.validators == Validators())
    #expect(feed?.lastSync == .first)
    #expect(try await store.names() == ["b", "c", "a"])
  }

  @Test func `stores nothing of a feed that broke off before its first image`() async throws {
    let writer = store.library.writer(forFeedAt: .feed, now: .first)
    try await writer.append([])

    let (feed, counts) = try await writer.breakOff(problem: "not a feed")

    #expect(feed == nil)
    #expect(counts == ImageCounts())
    #expect(try await store.library.feeds() == [])
  }

  @Test func `does not decide changed addresses when a document breaks off`() async throws {
    try await store.sync([.sample("a", id: "1")])
    let writer = store.library.writer(forFeedAt: .feed, now: .second)
    try await writer.append([.sample("a2", id: "1"), .sample("b", id: "2")])

    _ = try await writer.breakOff(problem: "connection lost")

    #expect(try await store.names().sorted() == ["a", "b"])
  }

  @Test func `notes how a sync without a document ended`() async throws {
    try await store.sync([.sample("a")], validators: Validators(entityTag: "\"1\""))
    let failed = try await noted(.failed, "no route", nil)
    let renewed = try await noted(.unchanged, nil, Validators(entityTag: "\"2\""))

    #expect(failed?.problem == "no route")
    #expect(failed?.lastSync == .first)
    #expect(failed?.validators == Validators(entityTag: "\"1\""))
    #expect(renewed?.status == .unchanged)
    #expect(renewed?.problem == nil)
    #expect(renewed?.lastSync == .second)
    #expect(renewed?.validators == Validators(entityTag: "\"2\""))
  }

  @Test func `leaves a feed unknown that failed at first`() async throws {
    #expect(try await noted(.failed, "no route", nil) == nil)
  }

  private func noted(
    _ status: Feed.Status,
    _ problem: String?,
    _ validators: Validators?
  ) async throws -> Feed? {
    let answer = FeedAnswer(validators: validators)
    let note = FeedNote(status: status, problem: problem, answer: answer)
    _ = try await store.library.noteSync(ofFeedAt: .feed, note, now: .second)
    return try await store.library.feed(at: .feed)
  }
}
