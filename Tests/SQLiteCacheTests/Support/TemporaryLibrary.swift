import Foundation
import GRDB
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

  /// A separate connection for reading the tables.
  func connection() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { db in LetterPairs.addFunction(to: db) }
    return try DatabaseQueue(path: path + "/gallery.sqlite", configuration: configuration)
  }

  /// Throws if a full-text index does not match the rows.
  func checkIndexes() throws {
    try connection().write { db in
      for table in ["image_search", "image_search_pairs"] {
        try db.execute(sql: "INSERT INTO \(table)(\(table), rank) VALUES ('integrity-check', 1)")
      }
    }
  }

  /// Turns the file into one that a program without the later migrations has written.
  func makeFirstVersion() throws {
    let later = Schema.migrations.dropFirst()
    for trigger in later.flatMap({ Self.names(after: "CREATE TRIGGER ", in: $0.rest) }) {
      try execute("DROP TRIGGER \(trigger)")
    }
    for index in later.flatMap({ Self.names(after: "CREATE INDEX ", in: $0.rest) }) {
      try execute("DROP INDEX \(index)")
    }
    for table in later.flatMap({ Self.names(after: "CREATE TABLE ", in: $0.tables) }) {
      try execute("DROP TABLE \(table)")
    }
    try execute("PRAGMA user_version = 1")
  }

  private static func names(after statement: String, in sql: String) -> [String] {
    sql.components(separatedBy: statement).dropFirst().map { String($0.prefix { $0 != " " }) }
  }

  func execute(_ sql: String) throws {
    try connection().write { db in try db.execute(sql: sql) }
  }

  func numbers(_ sql: String) throws -> [Int64] {
    try connection().read { db in try Int64.fetchAll(db, sql: sql) }
  }
}

/// A reader that keeps one state of a library visible, and thereby keeps the log from being reset.
final class OpenReader {
  private let queue: DatabaseQueue

  init(of store: TemporaryLibrary) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(path: store.path + "/gallery.sqlite", configuration: configuration)
    try queue.inDatabase { db in
      try db.execute(sql: "BEGIN DEFERRED TRANSACTION")
      _ = try Row.fetchOne(db, sql: "SELECT count(*) FROM image")
    }
  }

  func close() throws {
    try queue.inDatabase { db in try db.execute(sql: "COMMIT TRANSACTION") }
    try queue.close()
  }
}
