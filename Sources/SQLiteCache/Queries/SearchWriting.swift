import GRDB

/// The statements that keep the full-text index in step with `image`, for one transaction.
///
/// Statements, and not triggers: a trigger that writes into the index makes SQLite keep a second
/// journal for every row, which more than doubles the cost of a new image. The index has no text of
/// its own, so what is taken out of it must be told as it was put in.
struct SearchWriting {
  private let insertion: Statement
  private let removal: Statement

  init(_ db: Database) throws {
    insertion = try db.cachedStatement(
      sql: """
        INSERT INTO image_search(rowid, title, caption, author, feed) VALUES (?, ?, ?, ?, ?)
        """
    )
    removal = try db.cachedStatement(
      sql: """
        INSERT INTO image_search(image_search, rowid, title, caption, author, feed)
        VALUES ('delete', ?, ?, ?, ?, ?)
        """
    )
  }

  func insert(_ id: Int64, _ fields: ImageFields, feedID: Int64) throws {
    try insertion.execute(with: Self.values(id, fields, feedID))
  }

  func update(_ id: Int64, from old: ImageFields, to new: ImageFields, feedID: Int64) throws {
    guard (old.title, old.caption, old.author) != (new.title, new.caption, new.author) else {
      return
    }
    try removal.execute(with: Self.values(id, old, feedID))
    try insertion.execute(with: Self.values(id, new, feedID))
  }

  /// Takes out an image that is about to be deleted.
  static func remove(_ id: Int64, _ db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO image_search(image_search, rowid, title, caption, author, feed)
        SELECT 'delete', id, title, caption, author, feed FROM image_text WHERE id = ?
        """
    )
    .execute(arguments: [id])
  }

  // MARK: The index as a whole

  /// The full-text indexes.
  private static func indexes(_ db: Database) throws -> [String] {
    let sql = """
      SELECT name FROM sqlite_schema
      WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'
      """
    return try String.fetchAll(db, sql: sql)
  }

  /// The indexes that are damaged, or that do not have the words of the rows that they are made from; an
  /// insertion to SQLite, and so for a transaction that writes (www.sqlite.org/fts5.html, section 6.4).
  static func damagedIndexes(_ db: Database) throws -> [String] {
    try indexes(db).filter { name in
      do {
        try db.execute(sql: "INSERT INTO \(name)(\(name), rank) VALUES ('integrity-check', 1)")
        return false
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        return true
      }
    }
  }

  /// Makes the indexes again from the rows.
  static func rebuild(_ db: Database) throws {
    for name in try indexes(db) {
      try db.execute(sql: "INSERT INTO \(name)(\(name)) VALUES ('rebuild')")
    }
  }

  private static func values(
    _ id: Int64,
    _ fields: ImageFields,
    _ feedID: Int64
  ) -> StatementValues {
    var values = StatementValues(count: 5)
    values.add(id)
    values.add(fields.title)
    values.add(fields.caption)
    values.add(fields.author)
    values.add("f" + String(feedID))
    return values
  }
}
