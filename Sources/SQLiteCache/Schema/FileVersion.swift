import GRDB
import Workers

/// Whose file a database is, and how far it has been migrated.
enum FileVersion: Equatable {
  /// A file with no table in it: made, but not yet filled.
  case empty
  /// One of ours, and the number of its last migration.
  case ours(Int64)
  case foreign

  init(_ db: Database) throws {
    let id = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    if id == Schema.applicationID {
      self = .ours(try Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0)
    } else {
      let hasTables = try Row.fetchOne(db, sql: "SELECT 1 FROM sqlite_schema LIMIT 1") != nil
      self = id == 0 && !hasTables ? .empty : .foreign
    }
  }

  /// Refuses what this program cannot read.
  func check(path: String) throws(StoreError) {
    switch self {
    case .ours(let version) where version > Schema.version:
      throw StoreError(
        reason: .newer,
        path: path,
        message: "its version is \(version), this program knows up to \(Schema.version)"
      )
    case .foreign:
      throw StoreError(reason: .unreadable, path: path, message: "not made by this program")
    case .ours, .empty: break
    }
  }
}
