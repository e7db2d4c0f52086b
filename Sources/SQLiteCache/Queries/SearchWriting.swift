import GRDB
import Workers

/// The statements that keep the full-text indexes in step with `image`, for one transaction.
///
/// These are statements and not triggers: a trigger that writes into the index makes SQLite keep a second journal for
/// every row, which more than doubles the cost of a new image. The indexes store no text, so a removal must pass the
/// same text as the insertion.
struct SearchWriting {
  private let insertion: Statement
  private let removal: Statement
  private let pairInsertion: Statement
  private let pairRemoval: Statement

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
    pairInsertion = try db.cachedStatement(
      sql: "INSERT INTO image_search_pairs(rowid, pairs) VALUES (?, ?)"
    )
    pairRemoval = try db.cachedStatement(
      sql: """
        INSERT INTO image_search_pairs(image_search_pairs, rowid, pairs) VALUES ('delete', ?, ?)
        """
    )
  }

  func insert(_ id: Int64, _ fields: ImageFields, feedID: Int64) throws {
    try insertion.execute(with: Self.values(id, fields, feedID))
    try write(pairsOf: fields, of: id, with: pairInsertion)
  }

  func update(_ id: Int64, from old: ImageFields, to new: ImageFields, feedID: Int64) throws {
    guard (old.title, old.caption, old.author) != (new.title, new.caption, new.author) else {
      return
    }
    try removal.execute(with: Self.values(id, old, feedID))
    try write(pairsOf: old, of: id, with: pairRemoval)
    try insert(id, new, feedID: feedID)
  }

  /// Removes an image from the indexes before it is deleted.
  static func remove(_ id: Int64, _ db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO image_search(image_search, rowid, title, caption, author, feed)
        SELECT 'delete', id, title, caption, author, 'f' || feed_id FROM image WHERE id = ?
        """
    )
    .execute(arguments: [id])
    try db.cachedStatement(
      sql: """
        INSERT INTO image_search_pairs(image_search_pairs, rowid, pairs)
        SELECT 'delete', id, pairs FROM (
          SELECT id, letter_pairs(title, caption, author) AS pairs FROM image WHERE id = ?
        ) WHERE pairs IS NOT NULL
        """
    )
    .execute(arguments: [id])
  }

  private func write(
    pairsOf fields: ImageFields,
    of id: Int64,
    with statement: Statement
  ) throws {
    guard let pairs = LetterPairs.index(of: fields.title, fields.caption, fields.author) else {
      return
    }
    var values = StatementValues(count: 2)
    values.add(id)
    values.add(pairs)
    try statement.execute(with: values)
  }

  // MARK: The index as a whole

  /// The full-text indexes, and the statements that made them.
  private static func indexes(_ db: Database) throws -> [(name: String, sql: String)] {
    let sql = """
      SELECT name, sql FROM main.sqlite_schema
      WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'
      """
    return try Row.fetchAll(db, sql: sql).map { try ($0.value(0), $0.value(1)) }
  }

  /// The indexes that are damaged, or whose words differ from the words of their rows.
  ///
  /// FTS5 checks an index by an insertion (www.sqlite.org/fts5.html, section 6.4), which takes the write lock. So a
  /// copy among the connection's temporary tables is checked instead. That locks nothing, and works for a library that
  /// cannot be written, too.
  static func damagedIndexes(_ db: Database) throws -> [String] {
    try indexes(db).filter { index in
      var isDamaged = false
      try db.inSavepoint {
        do {
          try checkCopy(of: index, db)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
          isDamaged = true
        }
        return .rollback
      }
      return isDamaged
    }.map(\.name)
  }

  private static func checkCopy(of index: (name: String, sql: String), _ db: Database) throws {
    let copy = "checked_index"
    for view in Schema.searchedViews {
      try db.execute(sql: "CREATE TEMP VIEW \(view) AS SELECT * FROM main.\(view)")
    }
    let beginning = "CREATE VIRTUAL TABLE "
    let definition = index.sql.dropFirst(beginning.count + index.name.count)
    try db.execute(sql: "\(beginning) temp.\(copy)\(definition)")
    for part in ["data", "idx", "config"] {
      try db.execute(
        sql: """
          DELETE FROM temp.\(copy)_\(part);
          INSERT INTO temp.\(copy)_\(part) SELECT * FROM main.\(index.name)_\(part);
          """
      )
    }
    try db.execute(sql: "INSERT INTO temp.\(copy)(\(copy), rank) VALUES ('integrity-check', 1)")
  }

  /// Rebuilds the indexes from the rows.
  static func rebuild(_ db: Database) throws {
    for (name, _) in try indexes(db) {
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
