import GRDB
import Models
import Testing

@testable import SQLiteCache

struct SchemaTests {
  private let store: TemporaryLibrary

  init() throws {
    store = try TemporaryLibrary()
    try store.sync([.sample("a")])
  }

  private func pragma(_ name: String) throws -> String? {
    try store.connection().read { db in try String.fetchOne(db, sql: "PRAGMA \(name)") }
  }

  @Test func `says whose file it is and how far it has been migrated`() throws {
    #expect(try pragma("application_id") == "\(Schema.applicationID)")
    #expect(try pragma("user_version") == "\(Schema.version)")
    #expect(try pragma("journal_mode") == "wal")
    #expect(try pragma("auto_vacuum") == "2")
    #expect(try pragma("page_size") == "8192")
    #expect(try pragma("integrity_check") == "ok")
  }

  @Test func `a migrated file has the tables, indexes and triggers of a new one`() throws {
    let old = try OldLibrary()
    try SQLiteLibrary(folder: old.path).flush()

    let (new, migrated) = try (objects(store.connection()), objects(old.connection()))

    #expect(new.count > 40)
    #expect(new == migrated)
  }

  /// The statement of each object that is ours, by kind and name, without what spaces it is written with.
  private func objects(_ connection: DatabaseQueue) throws -> [String: String] {
    let rows = try connection.read { db in
      try Row.fetchAll(db, sql: "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema")
    }
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let statement: String = row[1]
        let words = statement.split { $0.isWhitespace || $0 == "," || $0 == "(" || $0 == ")" }
        return (row[0], words.joined(separator: " "))
      }
    )
  }

  @Test func `runs no migration twice`() throws {
    let again = SQLiteLibrary(folder: store.path)
    try again.flush()

    #expect(try again.feeds().map(\.id) == [1])
  }

  @Test func `gives deleted pages back to the file system`() throws {
    try store.sync((0..<500).map { .sample("\($0)", caption: String(repeating: "x", count: 500)) })
    let before = try pragma("page_count").flatMap(Int.init) ?? 0

    _ = try store.library.removeFeed(id: 1, purging: true)

    #expect(try pragma("freelist_count") == "0")
    #expect(try pragma("page_count").flatMap(Int.init) ?? 0 < before / 2)
  }
}
