import FoundationEssentials
import GRDB
package import Workers

extension SQLiteLibrary: ChangeReading {
  package func changes(
    after position: ChangePosition,
    limit: Int
  ) async throws(StoreError) -> [Change] {
    do {
      return try await reading { db in
        try ChangeLog.changes(after: position, limit: limit, db)
      }
    } catch  where error.reason == .noLibrary {
      return []
    }
  }
}

extension SQLiteLibrary: Pinning {
  package func setPinned(_ isPinned: Bool, imageID: Int64) async throws(StoreError) -> Bool {
    let now = Date().storedSeconds
    return try await writing { db in
      guard try VerificationQueries.isShown(imageID: imageID, db) else { return false }
      if isPinned {
        try PinQueries.add(imageID: imageID, now: now, db)
      } else {
        try PinQueries.delete(imageID: imageID, db)
      }
      return true
    }
  }
}
