import FoundationEssentials
import Models
import Workers

/// The SQL about the schedules of feeds (`FeedSchedule`).
enum ScheduleQueries {
  /// The columns of `feed_schedule`, which are NULL for a feed without a row.
  static let columns = """
    given_interval, due_at, failures, changes, least_interval, skipped_hours, skipped_days
    """

  /// Reads the columns from a row, beginning at an index.
  static func schedule(_ row: Row, at index: Int) throws -> FeedSchedule {
    guard let changes: String = try row.value(index + 3) else { return FeedSchedule() }
    return try FeedSchedule(
      givenInterval: row.value(index),
      hints: UpdateHints(
        leastInterval: row.bounded(index + 4),
        skippedHours: row.bounded(index + 5),
        skippedDays: row.bounded(index + 6)
      ),
      due: (row.value(index + 1) as Int64?).map(Date.init(storedSeconds:)),
      failures: row.bounded(index + 2),
      changes: FeedSchedule.changes(changes)
    )
  }

  static func write(_ schedule: FeedSchedule, ofFeed id: Int64, _ db: Database) throws {
    let sql = """
      INSERT OR REPLACE INTO feed_schedule(feed_id, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """
    try db.cachedStatement(sql: sql).execute(arguments: [
      id, schedule.givenInterval, schedule.due?.storedSeconds, schedule.failures,
      schedule.changesText, schedule.hints.leastInterval, schedule.hints.skippedHours,
      schedule.hints.skippedDays,
    ])
  }

  /// Makes a feed due at once.
  static func forget(feedID: Int64, _ db: Database) throws {
    let sql = "UPDATE feed_schedule SET due_at = NULL, failures = 0 WHERE feed_id = ?"
    try db.execute(sql: sql, arguments: [feedID])
  }
}
