import Models
import Sync
import Testing
import Workers

@testable import SQLiteCache

/// Documents whose transfer broke, and which the same writer reads again.
@Suite(.onEachStore)
struct RestartTests {
  private let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func writer() -> FeedWriter {
    store.library.writer(forFeedAt: .feed, now: .first)
  }

  private func end(_ writer: FeedWriter, isWhole: Bool = false) async throws -> ImageCounts {
    let document = FeedDocument(format: .json, listsEverything: isWhole)
    return try await writer.finish(document, answer: FeedAnswer(), isWhole: true).counts
  }

  @Test func `counts each image once, and keeps their order`() async throws {
    let writer = writer()
    try await writer.append([.sample("a", id: "1"), .sample("b", id: "2")])
    try await writer.restartDocument()
    try await writer.append([.sample("a", id: "1"), .sample("b", id: "2"), .sample("c", id: "3")])

    #expect(try await end(writer) == ImageCounts(total: 3, new: 3))
    #expect(try await store.listing() == ["1 a", "2 b", "3 c"])
  }

  @Test func `takes no id for used twice that both readings have`() async throws {
    let writer = writer()
    try await writer.append([.sample("a", id: "1"), .sample("b", id: "2")])
    try await writer.restartDocument()
    try await writer.append([.sample("a", id: "1"), .sample("b", id: "2")])
    _ = try await end(writer)

    let moved = try await store.sync([.sample("a2", id: "1"), .sample("b", id: "2")])

    #expect(moved == ImageCounts(total: 2, changed: 1))
    #expect(try await store.listing() == ["1 a2", "2 b"])
  }

  @Test func `an id that a reading used twice identifies nothing in the next either`() async throws
  {
    let writer = writer()
    try await writer.append([.sample("a", id: "1"), .sample("b", id: "1"), .sample("c", id: "2")])
    try await writer.restartDocument()
    try await writer.append([.sample("a", id: "1"), .sample("b", id: "1"), .sample("c", id: "2")])

    #expect(try await end(writer) == ImageCounts(total: 3, new: 3))
    #expect(try await store.listing() == ["1 a", "2 b", "3 c"])
    #expect(try store.numbers("SELECT count(*) FROM image WHERE entry_id IS NULL") == [2])
  }

  @Test func `counts what has changed once`() async throws {
    try await store.sync([.sample("a", id: "1"), .sample("b", id: "2")])
    let writer = writer()
    let changed = [FeedEntry.sample("a", id: "1", title: "A"), .sample("b", id: "2", title: "B")]
    try await writer.append(changed)
    try await writer.restartDocument()
    try await writer.append(changed)

    #expect(try await end(writer) == ImageCounts(total: 2, changed: 2))
  }

  @Test func `keeps the documents before it`() async throws {
    let writer = writer()
    try await writer.append([.sample("a", id: "1")])
    try await writer.endDocument(member: nil)
    try await writer.append([.sample("b", id: "2")])
    try await writer.restartDocument()
    try await writer.append([.sample("b", id: "2"), .sample("a", id: "1")])

    // The second document repeats the id of the first, as without a break.
    #expect(try await end(writer) == ImageCounts(total: 2, new: 2))
    #expect(try await store.listing() == ["1 a", "2 b"])
  }

  @Test func `says that what only the broken reading had is gone`() async throws {
    let writer = writer()
    try await writer.append([.sample("a", id: "1"), .sample("b", id: "2")])
    try await writer.restartDocument()
    try await writer.append([.sample("a", id: "1")])

    #expect(try await end(writer, isWhole: true) == ImageCounts(total: 1, new: 2, gone: 1))
  }

  @Test func `decides once on images whose addresses have changed`() async throws {
    try await store.sync([.sample("a", id: "1"), .sample("b", id: "2")])
    let writer = writer()
    try await writer.append([.sample("a2", id: "1"), .sample("c", id: "3")])
    try await writer.restartDocument()
    try await writer.append([.sample("a2", id: "1"), .sample("c", id: "3"), .sample("b", id: "2")])

    #expect(try await end(writer) == ImageCounts(total: 3, new: 1, changed: 1))
    #expect(try await store.names().sorted() == ["a2", "b", "c"])
  }

  @Test func `is nothing before the first image`() async throws {
    let writer = writer()
    try await writer.restartDocument()
    try await writer.append([.sample("a")])

    #expect(try await end(writer) == ImageCounts(total: 1, new: 1))
  }
}
