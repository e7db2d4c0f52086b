package import Models
package import Workers

/// What the user and the syncs of a feed change.
extension FeedQueries {
  /// Stores the facts of a feed that a sync may change, except for its address (`AliasQueries`) and reach (`setReach`).
  ///
  /// The dates of syncs and the problems get no change number, so clients of the change log do not see them.
  package static func update(_ feed: Feed, _ db: Connection) throws {
    let values: [any Parameter] = [
      feed.ownTitle, feed.format?.rawValue, feed.documentImageCount, feed.lastSync?.storedSeconds,
      feed.status?.rawValue, feed.problem, feed.validators.entityTag,
      feed.validators.lastModified, feed.isWhole, feed.movedTo?.text, feed.isPaused,
      feed.nextSync?.storedSeconds, feed.listDepth,
    ]
    try write(feed, values, synced, syncedParts, db)
  }

  private static let syncedParts = [FeedPart.schedule, .hub]
  private static let synced = EachDialect { dialect in
    updating(
      [
        "title", "format", "document_image_count", "synced_at", "status", "problem", "etag",
        "last_modified", "is_whole", "moved_to", "is_paused", "next_sync_at", "list_depth",
      ],
      news: ["title", "format", "document_image_count", "is_whole", "is_paused", "list_depth"],
      syncedParts,
      dialect
    )
  }

  /// Applies a change of the user's settings; returns the feed as it is stored now, nil when it is not followed.
  package static func set(
    _ change: FeedChange,
    ofFeed id: Int64,
    _ db: Connection
  ) throws -> Feed? {
    guard var known = try known(id: id, db), !known.isRemoved else { return nil }
    try FeedPictureQueries.read(into: &known.feed, db)
    let choice = known.feed.imageChoice
    change.apply(to: &known.feed)
    try set(known.feed, db)
    // Another choice needs the whole document.
    if known.feed.imageChoice != choice { try forgetAnswer(id: id, db) }
    return try feed(id: id, db)
  }

  /// Stores the settings of a feed that the user can change.
  package static func set(_ feed: Feed, _ db: Connection) throws {
    let title: [any Parameter] = [feed.givenTitle.map(ImageFields.storable)]
    try write(feed, title, given, givenParts, db)
    try FeedPictureQueries.set(feed.imageChoice, feedID: feed.id, db)
  }

  private static let givenParts = [FeedPart.schedule, .retention]
  private static let given = EachDialect { dialect in
    updating(["given_title"], news: ["given_title"], givenParts, dialect)
  }

  /// Runs a statement of `updating`: the values of its own columns, then those of its parts, which SQLite writes apart.
  private static func write(
    _ feed: Feed,
    _ values: [any Parameter],
    _ statement: EachDialect,
    _ parts: [FeedPart],
    _ db: Connection
  ) throws {
    var values = values
    if case .postgres = db.dialect { values += parts.flatMap { $0.values(feed) } }
    values.append(feed.id)
    try db.forEachRow(statement[db.dialect], with: Values(values)) { _ in true }
    for part in parts { try part.write(feed, db) }
  }

  /// The statement that writes columns of a feed, and those of some parts that its row has.
  ///
  /// The feed gets a change number only when one of the columns in `news` changes.
  private static func updating(
    _ columns: [String],
    news: [String],
    _ parts: [FeedPart],
    _ dialect: Dialect
  ) -> String {
    var all = columns
    if case .postgres = dialect { all += parts.flatMap { $0.columns(dialect) } }
    let parameters = all.indices.map { "$\($0 + 1)" }
    let assignments = zip(all, parameters).map { "\($0) = \($1)" }.joined(separator: ", ")
    let given = zip(all, parameters).filter { news.contains($0.0) }
    return """
      UPDATE feed SET \(assignments),
        change_seq = CASE
          WHEN (\(given.map(\.0).joined(separator: ", ")))
            IS DISTINCT FROM (\(given.map(\.1).joined(separator: ", ")))
          THEN \(dialect.nextChange) ELSE change_seq END
      WHERE id = $\(all.count + 1)
      """
  }
}
