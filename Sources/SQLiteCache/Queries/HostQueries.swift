import FoundationEssentials
import GRDB
import Workers

/// The SQL about hosts that have asked for a pause.
enum HostQueries {
  static func pause(of host: String, _ db: Database) throws -> Date? {
    let sql = "SELECT paused_until FROM host WHERE name = ?"
    return try Int64.fetchOne(db, sql: sql, arguments: [host]).map(Date.init(storedSeconds:))
  }

  /// Keeps the later of two dates, and deletes what is over, so that the table stays small.
  static func notePause(of host: String, until date: Date, now: Date, _ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM host WHERE paused_until <= ?",
      arguments: [now.storedSeconds]
    )
    // To the next whole second: nobody is to come back before the time.
    let seconds = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up)).storedSeconds
    try db.execute(
      sql: """
        INSERT INTO host(name, paused_until) VALUES (?, ?)
        ON CONFLICT(name) DO UPDATE SET paused_until = max(paused_until, excluded.paused_until)
        """,
      arguments: [host, seconds]
    )
  }
}
