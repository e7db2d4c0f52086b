package import FoundationEssentials
import GRDB
package import Workers

extension SQLiteLibrary: HostPausing {
  /// Without a library there is no pause either, and none is made.
  package func pause(of host: String) throws(StoreError) -> Date? {
    do throws(StoreError) {
      return try reader.read { db in try HostQueries.pause(of: host, db) }
    } catch  where error.reason == .noLibrary {
      return nil
    }
  }

  package func notePause(of host: String, until date: Date) throws(StoreError) {
    try write { db in try HostQueries.notePause(of: host, until: date, now: Date(), db) }
  }
}
