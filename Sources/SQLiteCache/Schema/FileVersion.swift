import GRDB
import Workers

/// Whose file a database is, and how far it has been migrated.
enum FileVersion: Equatable {
  /// A file with no table in it: made, but not yet filled.
  case empty
  /// One of ours, and the number of its last migration.
  case ours(Int64)
  case foreign

  /// Looks at a file with one statement, and so at one state of it: between two, another process
  /// may make the first tables.
  init(_ db: Database) throws {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT (SELECT application_id FROM pragma_application_id),
          (SELECT user_version FROM pragma_user_version),
          EXISTS (SELECT 1 FROM sqlite_schema)
        """
    )
    guard let row else { throw DatabaseError(message: "the file does not say whose it is") }
    let (id, version): (Int64, Int64) = try (row.value(0), row.value(1))
    let hasTables: Bool = try row.value(2)
    if id == Schema.applicationID {
      self = .ours(version)
    } else {
      self = id == 0 && version == 0 && !hasTables ? .empty : .foreign
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
    case .ours(let version) where version < 1:
      let message = "its version is \(version), which there never was"
      throw StoreError(reason: .unreadable, path: path, message: message)
    case .foreign:
      throw StoreError(reason: .foreign, path: path, message: "not made by this program")
    case .ours, .empty: break
    }
  }
}
