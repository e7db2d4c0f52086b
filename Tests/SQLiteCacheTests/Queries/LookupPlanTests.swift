import GRDB
import Testing

@testable import SQLiteCache

/// What a sync asks for each image, or each page of orders, must never walk a feed.
struct LookupPlanTests {
  private let store: TemporaryLibrary

  init() throws {
    store = try TemporaryLibrary()
    try store.sync([.sample("a")])
  }

  @Test(arguments: [
    ("entry_hash = 1", "image_entry (feed_id=? AND entry_hash=?)"),
    ("original_hash = 1", "image_original_hash (feed_id=? AND original_hash=?)"),
    ("thumbnail_hash = 1", "image_thumbnail_hash (feed_id=? AND thumbnail_hash=?)"),
  ])
  func `looks images up by what identifies them`(condition: String, index: String) throws {
    let sql = "SELECT \(StoredImage.columns) FROM image WHERE feed_id = 1 AND \(condition)"
    #expect(try plan(of: sql) == ["SEARCH image USING INDEX \(index)"])
  }

  @Test(arguments: [
    ("AND date = 1 AND (place, id) > (1, 1)", "(feed_id=? AND date=? AND place>?)"),
    ("AND date < 1", "(feed_id=? AND date<?)"),
    ("", "(feed_id=?)"),
  ])
  func `finds what is missing by what is missing`(range: String, bounds: String) throws {
    let thumbnails = OrderQuery(
      column: "thumbnail_address",
      condition: "thumbnail_state = 2",
      feedID: 1
    )
    let originals = OrderQuery(
      column: "original_address",
      condition: "original_state <> 1",
      feedID: 1
    )

    #expect(
      try plan(of: thumbnails.sql(range))
        == ["SEARCH image USING INDEX image_thumbnail_wanted \(bounds)"]
    )
    #expect(
      try plan(of: originals.sql(range))
        == ["SEARCH image USING INDEX image_original_wanted \(bounds)"]
    )
  }

  /// Bound parameters are given as literals, or as NULL where there are some left.
  private func plan(of sql: String) throws -> [String] {
    try store.connection().read { db in
      let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
      statement.setUncheckedArguments(StatementArguments())
      return try Row.fetchAll(statement).map { $0["detail"] }
    }
  }
}
