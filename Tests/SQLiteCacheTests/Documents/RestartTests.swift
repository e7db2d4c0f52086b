import Models
import Testing
import Workers

@testable import SQLiteCache

/// Documents that broke off and are read again by the same writer.
struct RestartTests {
  private let store: TemporaryLibrary

  init() throws { store = try TemporaryLibrary() }

  private func writer() throws -> any FeedWriting {
    try store.library.writer(forFeedAt: .feed, now: .first)
  }

  private func end(_ writer: any FeedWriting, isWhole: Bool = false) throws -> ImageCounts {
    let document = FeedDocument(format: .json, listsEverything: isWhole)
    return try writer.finish(document, answer: FeedAnswer(), isWhole: true).counts
  }

  @Test func `counts each image once, and keeps their order`() throws {
    let writer = try writer()
    try writer.append([.sample("a", id: "1"), .sample("b", id: "2")])
    try writer.restartDocument()
    try writer.append([.sample("a", id: "1"), .sample("b", id: "2"), .sample("c", id: "3")])

    #expect(try end(writer) == ImageCounts(total: 3, new: 3))
    #expect(try store.listing() == ["1 a", "2 b", "3 c"])
  }

  @Test func `takes no id for used twice that both readings have`() throws {
    let writer = try writer()
    try writer.append([.sample("a", id: "1"), .sample("b", id: "2")])
    try writer.restartDocument()
    try writer.append([.sample("a", id: "1"), .sample("b", id: "2")])
    _ = try end(writer)

    let moved = try store.sync([.sample("a2", id: "1"), .sample("b", id: "2")])

    #expect(moved == ImageCounts(total: 2, changed: 1))
    #expect(try store.listing() == ["1 a2", "2 b"])
  }

  @Test func `an id that a reading used twice identifies nothing in the next either`() throws {
    let writer = try writer()
    try writer.append([.sample("a", id: "1"), .sample("b", id: "1"), .sample("c", id: "2")])
    try writer.restartDocument()
    try writer.append([.sample("a", id: "1"), .sample("b", id: "1"), .sample("c", id: "2")])

    #expect(try end(writer) == ImageCounts(total: 3, new: 3))
    #expect(try store.listing() == ["1 a", "2 b", "3 c"])
    #expect(try store.numbers("SELECT count(*) FROM image WHERE entry_id IS NULL") == [2])
  }

  @Test func `counts what has changed once`() throws {
    try store.sync([.sample("a", id: "1"), .sample("b", id: "2")])
    let writer = try writer()
    let changed = [FeedEntry.sample("a", id: "1", title: "A"), .sample("b", id: "2", title: "B")]
    try writer.append(changed)
    try writer.restartDocument()
    try writer.append(changed)

    #expect(try end(writer) == ImageCounts(total: 2, changed: 2))
  }

  @Test func `keeps the documents before it`() throws {
    let writer = try writer()
    try writer.append([.sample("a", id: "1")])
    try writer.endDocument(member: nil)
    try writer.append([.sample("b", id: "2")])
    try writer.restartDocument()
    try writer.append([.sample("b", id: "2"), .sample("a", id: "1")])

    // The second document repeats the id of the first, as it would without a break.
    #expect(try end(writer) == ImageCounts(total: 2, new: 2))
    #expect(try store.listing() == ["1 a", "2 b"])
  }

  @Test func `says that what only the broken reading had is gone`() throws {
    let writer = try writer()
    try writer.append([.sample("a", id: "1"), .sample("b", id: "2")])
    try writer.restartDocument()
    try writer.append([.sample("a", id: "1")])

    #expect(try end(writer, isWhole: true) == ImageCounts(total: 1, new: 2, gone: 1))
  }

  @Test func `decides once on images whose addresses have changed`() throws {
    try store.sync([.sample("a", id: "1"), .sample("b", id: "2")])
    let writer = try writer()
    try writer.append([.sample("a2", id: "1"), .sample("c", id: "3")])
    try writer.restartDocument()
    try writer.append([.sample("a2", id: "1"), .sample("c", id: "3"), .sample("b", id: "2")])

    #expect(try end(writer) == ImageCounts(total: 3, new: 1, changed: 1))
    #expect(try store.names().sorted() == ["a2", "b", "c"])
  }

  @Test func `is nothing before the first image`() throws {
    let writer = try writer()
    try writer.restartDocument()
    try writer.append([.sample("a")])

    #expect(try end(writer) == ImageCounts(total: 1, new: 1))
  }
}
