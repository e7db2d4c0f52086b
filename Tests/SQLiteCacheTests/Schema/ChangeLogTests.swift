import Models
import Store
import Sync
import Testing
import Workers

@testable import SQLiteCache

/// The rows and the indexes of the change log of a library in a folder.
struct ChangeLogTests {
  private let store: TemporaryLibrary

  init() async throws {
    store = try TemporaryLibrary()
    try await store.sync([.sample("a", id: "a", thumbnail: "t"), .sample("b", id: "b")])
  }

  private var last: Int64 {
    get throws { try store.numbers("SELECT change_seq FROM library")[0] }
  }

  @Test func `each library has a UUID of its own`() async throws {
    let other = try TemporaryLibrary()
    try await other.library.flush()
    let uuids = try [store, other].map { store in
      try store.connection().column("SELECT uuid FROM library") as [String]
    }

    #expect(uuids[0].count == 1 && uuids[1].count == 1)
    #expect(uuids[0] != uuids[1])
    let uuid = try #require(uuids[0].first)
    let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
    #expect(uuid.wholeMatch(of: form) != nil)
  }

  @Test func `a transaction takes one number, and all that it changes has it`() async throws {
    let before = try last
    let batch = (1...40).map { FeedEntry.sample("\($0)", id: "\($0)", thumbnail: "t\($0)") }
    let writer = store.library.writer(forFeedAt: .feed, now: .second)
    try await writer.append(batch)
    let wanted = try await store.library.wanted(.thumbnail, feedID: 1, .all, after: nil, limit: 100)
    let written = try last
    try await store.library.store(PictureBatch(new: wanted.map { .sample($0) }), .thumbnail)

    #expect(written == before + 1)
    #expect(try last == before + 2)
    #expect(
      try store.numbers("SELECT count(*) FROM image WHERE change_seq = \(before + 2)")
        == [Int64(wanted.count)]
    )
    #expect(try store.numbers("SELECT count(*) FROM image WHERE change_seq = 0") == [0])
    #expect(try store.numbers("SELECT count(*) FROM feed WHERE change_seq = 0") == [0])
  }

  @Test func `the number goes on where the rows are, whatever the library's row says`() async throws
  {
    try store.execute("UPDATE image SET change_seq = 70 WHERE id = 1")

    _ = try await store.library.set(.title("Mine"), ofFeed: 1)
    _ = try await store.library.set(.title("Yours"), ofFeed: 1)

    #expect(try last == 71)
  }

  @Test func `a library that has lost its row gets one with a repair`() async throws {
    try store.execute("DELETE FROM library")

    try await store.library.repairDatabase()
    _ = try await store.library.set(.title("Mine"), ofFeed: 1)

    let changes = try await store.library.changes(after: .beginning, limit: 9)
    #expect(changes.last?.position.kind == .feed)
    #expect(try store.numbers("SELECT count(*) FROM library") == [1])
  }

  @Test func `the changes are read from indexes, and sorted within a transaction alone`() throws {
    let plan = try plan(of: ChangeLog.changesSQL(.sqlite))

    for index in ["feed_change", "image_change", "pin_change", "tombstone_change"] {
      #expect(plan.contains { $0.hasPrefix("SEARCH") && $0.contains(index) }, "\(plan)")
    }
    #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
    // SQLite 3.46 has other words for the last terms of an order.
    let sorts = plan.filter { $0.contains("TEMP B-TREE") }
    let parts = sorts.filter { $0.hasSuffix("RIGHT PART OF ORDER BY") || $0.contains("FOR LAST") }
    #expect(parts == sorts, "\(plan)")
  }

  @Test func `the end of a transaction looks at the ends of indexes alone`() throws {
    let plan = try plan(of: ChangeLog.closeSQL)

    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    for step in plan where step.hasPrefix("SCAN") && !step.contains("library") {
      #expect(step.contains("INDEX") && step.contains("_change"), "\(step)")
    }
  }

  private func plan(of sql: String) throws -> [String] {
    try store.connection().plan(of: sql)
  }
}
