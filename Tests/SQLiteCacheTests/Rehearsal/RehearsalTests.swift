import Foundation
import GRDB
import Models
import Testing
import Workers

@testable import SQLiteCache

struct RehearsalTests {
  private let store: TemporaryLibrary

  init() throws {
    store = try TemporaryLibrary()
    try store.sync([.sample("x", thumbnail: "tx")], to: .otherFeed)
    try store.sync(
      [.sample("a", id: "1", title: "A", thumbnail: "t1"), .sample("b", id: "2", thumbnail: "t2")],
      validators: Validators(entityTag: "\"1\"")
    )
  }

  /// What lies in the library's folder, by name, but for the index of SQLite's log: in it readers
  /// say what they read.
  private func files() throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: store.path)
      .filter { !$0.hasSuffix("-shm") && !isFolder("\(store.path)/\($0)") }
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        FileManager.default.contents(atPath: "\(store.path)/\(name)").map { (name, $0) }
      }
    )
  }

  private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return isThere && isFolder.boolValue
  }

  /// Rehearses on the library as another process would find it.
  private func rehearsal(of address: WebAddress = .feed) throws -> any SyncStoring {
    try SQLiteLibrary(folder: store.path).rehearsal(ofFeedAt: address)
  }

  private func sync(_ store: any SyncStoring, _ images: [FeedImage]) throws -> WrittenFeed {
    let writer = try store.writer(forFeedAt: .feed, now: .second)
    try writer.append(images)
    let end = FeedDocument(format: .json, title: "New", listsEverything: true)
    return try writer.finish(end, answer: FeedAnswer(), isWhole: true)
  }

  private let next: [FeedImage] = [
    .sample("a", id: "1", title: "Changed", thumbnail: "t1"), .sample("c", id: "3"),
  ]

  @Test func `finds the feed as the library has it`() throws {
    let rehearsal = try rehearsal()

    #expect(try rehearsal.feed(at: .feed) == store.library.feed(at: .feed))
  }

  @Test func `copies nothing of a feed that is only read`() throws {
    let rehearsal = try #require(try rehearsal() as? SQLiteLibrary)

    _ = try rehearsal.feed(at: .feed)
    #expect(try rehearsal.thumbnailCount(feedID: 2, .missing).wanted == 2)
    #expect(try rehearsal.originalCount(feedID: 2, .missing).wanted == 2)

    #expect(try FileManager.default.contentsOfDirectory(atPath: rehearsal.folder.path) == [])
    _ = try sync(rehearsal, next)
    #expect(try rehearsal.originalCount(feedID: 2, .missing).wanted == 3)
  }

  @Test func `counts what a sync would do`() throws {
    let rehearsal = try rehearsal()
    let written = try sync(rehearsal, next)

    #expect(written.counts == ImageCounts(total: 2, new: 1, changed: 1, gone: 1))
    #expect(written.feed.id == 2)
    #expect(written.counts == (try sync(store.library, next)).counts)
  }

  @Test func `counts the thumbnails that are missing`() throws {
    let orders = try store.library.thumbnailOrders(feedID: 2, .missing, after: nil, limit: 1)
    try store.library.store(ThumbnailBatch(new: orders.map { .sample($0) }))

    let rehearsal = try rehearsal()

    #expect(try rehearsal.thumbnailCount(feedID: 2, .missing).wanted == 1)
    #expect(try rehearsal.thumbnailCount(feedID: 2, .all).wanted == 2)
  }

  @Test func `changes not a byte of the library`() throws {
    try store.library.flush()
    let before = try files()
    let rehearsal = try rehearsal()
    _ = try sync(rehearsal, next)
    _ = try rehearsal.noteSync(
      ofFeedAt: .feed,
      FeedNote(status: .failed, problem: "gone", isGone: true),
      now: .second
    )
    try rehearsal.flush()

    #expect(try files() == before)
    #expect(before["gallery.sqlite"] != nil)
  }

  @Test func `makes no library where there is none`() throws {
    let path = store.path + "/none"
    let rehearsal = try SQLiteLibrary(folder: path).rehearsal(ofFeedAt: .feed)

    #expect(try rehearsal.feed(at: .feed) == nil)
    #expect(try sync(rehearsal, next).counts == ImageCounts(total: 2, new: 2))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `leaves nothing behind`() throws {
    let library = SQLiteLibrary(folder: store.path)
    var path = ""
    do {
      let rehearsal = try #require(try library.rehearsal(ofFeedAt: .feed) as? SQLiteLibrary)
      path = rehearsal.folder.path
      _ = try sync(rehearsal, next)
      #expect(FileManager.default.fileExists(atPath: path))
    }

    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `has what a collection's members list`() throws {
    let member = FeedMember(address: .otherFeed, validators: Validators(entityTag: "\"m\""))
    let writer = try store.library.writer(forFeedAt: .feed, now: .first)
    try writer.append(next)
    try writer.endDocument(member: member)
    _ = try writer.finish(FeedDocument(format: .iiif), answer: FeedAnswer(), isWhole: true)

    let rehearsal = try rehearsal()
    let again = try rehearsal.writer(forFeedAt: .feed, now: .second)
    try again.keepMember(at: member.address)

    #expect(try rehearsal.members(ofFeedAt: .feed) == [member])
    #expect(again.counts.total == 2)
  }

  @Test func `takes no more than the feed's own rows along`() throws {
    let rehearsal = try #require(try rehearsal() as? SQLiteLibrary)
    _ = try rehearsal.connection.opened()
    let tables = ["feed", "image"]
    let counts = try tables.map { table in
      try rehearsal.reader.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
      }
    }

    #expect(counts == [1, 2])
  }
}
