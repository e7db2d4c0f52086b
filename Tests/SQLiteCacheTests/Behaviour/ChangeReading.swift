import Store
import Workers

@testable import PostgresStore
@testable import SQLiteCache

/// Reads the raw change log, without the contents of the changed rows.
protocol ChangeReading: Sendable {
  /// The changes after a position, in order; empty if nothing has changed, or if the library does not exist.
  func changes(after position: ChangePosition, limit: Int) async throws(StoreError) -> [Change]
}

extension SQLiteLibrary: ChangeReading {
  func changes(after position: ChangePosition, limit: Int) async throws(StoreError) -> [Change] {
    do {
      return try await reading { db in
        try ChangeLog.changes(after: position, limit: limit, db)
      }
    } catch  where error.reason == .noLibrary {
      return []
    }
  }
}

extension PostgresLibrary: ChangeReading {
  func changes(after position: ChangePosition, limit: Int) async throws(StoreError) -> [Change] {
    try await reading(orNone: []) { db in
      try ChangeLog.changes(after: position, limit: limit, db)
    }
  }
}
