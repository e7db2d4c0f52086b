import Foundation
import Store
import Sync
import Workers

@testable import SQLiteCache

/// A library in a separate folder, which is deleted with it.
final class TemporaryLibrary: TestedLibrary {
  let path: String
  let library: SQLiteLibrary

  init(
    bounds: StorageBounds = StorageBounds(),
    objects: String? = nil,
    stopwatch: Stopwatch? = nil
  ) throws {
    path = FileManager.default.temporaryDirectory.path + "/gallery-test-\(UUID().uuidString)"
    library = SQLiteLibrary(
      folder: path,
      bounds: bounds,
      objects: objects,
      stopwatch: stopwatch
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var store: any SyncStoring { library }

  /// The file of the database.
  var database: String { path + "/gallery.sqlite" }

  /// A separate connection for reading and changing the tables.
  func connection() throws -> Store.Connection { try .file(database) }

  /// Throws if a full-text index does not match the rows.
  func checkIndexes() throws {
    for table in ["image_search", "image_search_pairs"] {
      try execute("INSERT INTO \(table)(\(table), rank) VALUES ('integrity-check', 1)")
    }
  }

  /// Turns the file into one that a program without the later migrations has written.
  func makeFirstVersion() throws {
    let later = Schema.migrations.dropFirst()
    for trigger in later.flatMap({ Self.names(after: "CREATE TRIGGER ", in: $0.rest) }) {
      try execute("DROP TRIGGER IF EXISTS \(trigger)")
    }
    for index in later.flatMap({ Self.names(after: "CREATE INDEX ", in: $0.rest) }) {
      try execute("DROP INDEX \(index)")
    }
    for table in later.flatMap({ Self.names(after: "CREATE TABLE ", in: $0.tables) }) {
      try execute("DROP TABLE IF EXISTS \(table)")
    }
    try execute(Schema.searchRemoval + Schema.firstSearch)
    for index in ["image_search", "image_search_pairs"] {
      try execute("INSERT INTO \(index)(\(index)) VALUES ('rebuild')")
    }
    try execute("PRAGMA user_version = 1")
  }

  private static func names(after statement: String, in sql: String) -> [String] {
    sql.components(separatedBy: statement).dropFirst().map { String($0.prefix { $0 != " " }) }
  }

  func execute(_ sql: String) throws { try Store.Connection.execute(sql, in: database) }

  func numbers(_ sql: String) throws -> [Int64] { try connection().column(sql) }
}

/// A reader that keeps one state of a library visible, and thereby keeps the log from being reset.
final class OpenReader {
  private let connection: Store.Connection

  init(of store: TemporaryLibrary) throws {
    connection = try store.connection()
    try connection.begin(.reading)
    _ = try connection.hasRow("SELECT 1 FROM image")
  }

  func close() throws { try connection.commit() }
}
