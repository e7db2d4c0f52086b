import GRDB
import Models
import Testing
import Workers

@testable import SQLiteCache

/// The feed of an image is looked for at the end of a transaction.
struct Version6Tests {
  private static let orphan = "UPDATE image SET feed_id = 99 WHERE id = 1"

  /// Migrates a library of version 1.
  private func migrated() throws -> DatabaseQueue {
    let old = try OldLibrary()
    try SQLiteLibrary(folder: old.path).flush()
    return try old.connection()
  }

  @Test func `an image may be without its feed for a while`() throws {
    let connection = try migrated()

    try connection.write { db in
      try db.execute(sql: Self.orphan)
      try db.execute(sql: "UPDATE image SET feed_id = 1 WHERE id = 1")
    }

    #expect(
      try connection.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM image") } == 2
    )
  }

  @Test func `a transaction that leaves one without is taken back`() throws {
    let connection = try migrated()

    let error = #expect(throws: DatabaseError.self) {
      try connection.write { db in try db.execute(sql: Self.orphan) }
    }

    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    let feeds = try connection.read { db in try Int.fetchAll(db, sql: "SELECT feed_id FROM image") }
    #expect(feeds == [1, 1])
  }

  @Test func `a migrated file has all that it had, and is whole`() throws {
    let connection = try migrated()

    let problems = try connection.read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check")
        + String.fetchAll(db, sql: "SELECT 'lost ' || \"table\" FROM pragma_foreign_key_check")
    }

    #expect(problems == ["ok"])
    let sql = "SELECT group_concat(original_address, ' ') FROM (SELECT * FROM image ORDER BY id)"
    let addresses = try connection.read { db in try String.fetchOne(db, sql: sql) }
    #expect(addresses?.split(separator: " ").count == 2)
  }
}
