import Models
import Workers

/// A part of the facts about a feed, which PostgreSQL has in the feed's row, and SQLite in a table of its own.
///
/// In SQLite, a feed whose facts are the default may lack the row.
enum FeedPart: CaseIterable {
  /// When the feed is asked for (`FeedSchedule`).
  case schedule
  /// How many of its newest images are kept.
  case retention
  /// The hub that its document names, and its topic there.
  case hub

  /// The columns in the row of the feed, or in the part's own table.
  func columns(_ dialect: Dialect) -> [String] {
    switch (self, dialect) {
    case (.schedule, _):
      [
        "given_interval", "due_at", "failures", "changes", "least_interval", "skipped_hours",
        "skipped_days",
      ]
    case (.retention, .sqlite): ["images", "originals"]
    case (.retention, .postgres): ["kept_images", "kept_originals"]
    case (.hub, _): ["hub", "topic"]
    }
  }

  /// The values of the columns.
  func values(_ feed: Feed) -> [any Parameter] {
    let schedule = feed.schedule
    switch self {
    case .schedule:
      return [
        schedule.givenInterval, schedule.due?.storedSeconds, schedule.failures,
        schedule.changesText, schedule.hints.leastInterval, schedule.hints.skippedHours,
        schedule.hints.skippedDays,
      ]
    case .retention: return [feed.retention.images, feed.retention.originals]
    case .hub: return [feed.push.hub?.text, feed.push.topic?.text]
    }
  }

  /// The table with the columns.
  private func table(_ dialect: Dialect) -> String {
    switch (self, dialect) {
    case (_, .postgres): "feed"
    case (.schedule, .sqlite): "feed_schedule"
    case (.retention, .sqlite): "feed_retention"
    case (.hub, .sqlite): "feed_hub"
    }
  }

  // MARK: Reading

  /// The columns for a query of `tables`.
  func selected(_ dialect: Dialect) -> String {
    columns(dialect).map { "\(table(dialect)).\($0)" }.joined(separator: ", ")
  }

  /// The table `feed`, with the tables of some parts.
  static func tables(of parts: [FeedPart] = allCases, _ dialect: Dialect) -> String {
    guard case .sqlite = dialect else { return "feed" }
    let joins = parts.map { part in
      let table = part.table(dialect)
      return "LEFT JOIN \(table) ON \(table).feed_id = feed.id"
    }
    return (["feed"] + joins).joined(separator: "\n")
  }

  /// The columns of all parts for a query of `tables`, and the end of the lease at the feed's hub.
  static func selectedAll(_ dialect: Dialect) -> String {
    let hub = FeedPart.hub.table(dialect)
    let lease = """
      (SELECT max(lease_until) FROM subscription AS own
        WHERE own.feed_id = feed.id AND own.hub = \(hub).hub AND own.topic = \(hub).topic
          AND NOT own.is_ending AND own.lease_until > \(dialect.now))
      """
    return (allCases.map { $0.selected(dialect) } + [lease]).joined(separator: ", ")
  }

  /// Reads the columns of `selectedAll`, beginning at an index.
  static func read(_ row: Row, at index: Int, into feed: inout Feed) throws {
    if let changes: String = try row.value(index + 3) {
      feed.schedule = try FeedSchedule(
        givenInterval: row.value(index),
        hints: UpdateHints(
          leastInterval: row.value(index + 4),
          skippedHours: row.value(index + 5),
          skippedDays: row.value(index + 6)
        ),
        due: row.date(index + 1),
        failures: row.value(index + 2),
        changes: FeedSchedule.changes(changes)
      )
    }
    feed.retention = try FeedRetention(
      images: row.value(index + 7),
      originals: row.value(index + 8)
    )
    feed.push = try PushLinks(
      hubs: [row.address(index + 9)].compactMap(\.self),
      topic: row.address(index + 10)
    )
    feed.leaseEnd = try row.date(index + 11)
  }

  // MARK: Writing

  /// Writes the part's own table in SQLite; PostgreSQL has written it with the feed's row.
  func write(_ feed: Feed, _ db: Connection) throws {
    guard case .sqlite = db.dialect else { return }
    if self == .hub, !feed.push.isComplete {
      try db.run("DELETE FROM feed_hub WHERE feed_id = $1", feed.id)
      return
    }
    let values: [any Parameter] = [feed.id] + self.values(feed)
    try db.forEachRow(Self.writing[self] ?? "", with: Values(values)) { _ in true }
  }

  /// The statements that write the tables, and leave a row alone that has the values already.
  private static let writing = Dictionary(
    uniqueKeysWithValues: allCases.map { part in (part, part.writing(.sqlite)) }
  )

  private func writing(_ dialect: Dialect) -> String {
    let (table, columns) = (table(dialect), columns(dialect))
    let parameters = columns.indices.map { ", $\($0 + 2)" }.joined()
    let list = columns.joined(separator: ", ")
    let excluded = columns.map { "excluded.\($0)" }.joined(separator: ", ")
    let assignments = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return """
      INSERT INTO \(table)(feed_id, \(list)) VALUES ($1\(parameters))
      ON CONFLICT (feed_id) DO UPDATE SET \(assignments)
        WHERE (\(list)) IS DISTINCT FROM (\(excluded))
      """
  }
}
