package import FoundationEssentials

/// The SQL about hosts that have asked for a pause.
///
/// In PostgreSQL, pauses are measured by the server's clock, because the clocks of the machines may differ.
package enum HostQueries {
  package static func pause(of host: String, _ db: Connection) throws -> Date? {
    let sql = "SELECT paused_until, paused_until - \(db.dialect.now) FROM host WHERE name = $1"
    return try db.row(sql, host) { row in
      switch db.dialect {
      case .sqlite: try row.date(0)
      case .postgres: Date(timeIntervalSinceNow: Double(try row.value(1) as Int64))
      }
    }
  }

  /// Stores a pause, or the later of two, and deletes pauses that are over, so that the table stays small.
  ///
  /// The dates are rounded up to whole seconds, so that no request comes too early.
  package static func notePause(of host: String, until date: Date, _ db: Connection) throws {
    try db.run("DELETE FROM host WHERE paused_until <= \(db.dialect.now)")
    let (end, seconds): (String, Double) =
      switch db.dialect {
      case .sqlite: ("$2", date.timeIntervalSince1970.rounded(.up))
      // The server's clock counts whole seconds, too.
      case .postgres: ("\(db.dialect.now) + $2", date.timeIntervalSinceNow.rounded(.up) + 1)
      }
    let sql = """
      INSERT INTO host(name, paused_until) VALUES ($1, \(end))
      ON CONFLICT (name) DO UPDATE SET paused_until = excluded.paused_until
        WHERE excluded.paused_until > host.paused_until
      """
    try db.run(sql, host, Int64(min(seconds, 1e12)))
  }
}
