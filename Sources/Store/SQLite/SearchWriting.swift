import CSQLite
package import Workers

/// The statements that keep SQLite's full-text indexes in step with `image`; PostgreSQL's rows have their words.
///
/// These are statements and not triggers: a trigger that writes into the index makes SQLite keep a second journal for
/// every row, which more than doubles the cost of a new image. The indexes store no text, so a removal must pass the
/// same text as the insertion.
package struct SearchWriting {
  private let db: Connection

  package init(_ db: Connection) { self.db = db }

  package func insert(_ id: Int64, _ fields: ImageFields, feedID: Int64) throws {
    guard case .sqlite = db.dialect else { return }
    try write(fields, of: id, feedID, Self.insertion, Self.pairInsertion)
  }

  package func update(
    _ id: Int64,
    from old: ImageFields,
    to new: ImageFields,
    feedID: Int64
  ) throws {
    guard case .sqlite = db.dialect,
      (old.title, old.caption, old.author) != (new.title, new.caption, new.author)
    else { return }
    try write(old, of: id, feedID, Self.removal, Self.pairRemoval)
    try insert(id, new, feedID: feedID)
  }

  /// Removes an image from the indexes before it is deleted.
  package func remove(_ id: Int64) throws {
    guard case .sqlite = db.dialect else { return }
    let words = """
      INSERT INTO image_search(image_search, rowid, title, caption, author, feed_token)
      SELECT 'delete', id, search_words(title, NULL, NULL), search_words(caption, NULL, NULL),
        search_words(author, NULL, NULL), 'f' || feed_id
      FROM image WHERE id = $1
      """
    try db.run(words, id)
    let pairs = """
      INSERT INTO image_search_pairs(image_search_pairs, rowid, pairs)
      SELECT 'delete', id, pairs FROM (
        SELECT id, letter_pairs(title, caption, author) AS pairs FROM image WHERE id = $1
      ) WHERE pairs IS NOT NULL
      """
    try db.run(pairs, id)
  }

  private static let insertion = """
    INSERT INTO image_search(rowid, title, caption, author, feed_token) VALUES ($1, $2, $3, $4, $5)
    """
  private static let removal = """
    INSERT INTO image_search(image_search, rowid, title, caption, author, feed_token)
    VALUES ('delete', $1, $2, $3, $4, $5)
    """
  private static let pairInsertion = "INSERT INTO image_search_pairs(rowid, pairs) VALUES ($1, $2)"
  private static let pairRemoval = """
    INSERT INTO image_search_pairs(image_search_pairs, rowid, pairs) VALUES ('delete', $1, $2)
    """

  private func write(
    _ fields: ImageFields,
    of id: Int64,
    _ feedID: Int64,
    _ words: String,
    _ pairs: String
  ) throws {
    var values = Values(count: 5)
    values.add(id)
    let texts = [fields.title, fields.caption, fields.author].map { $0.map { LetterPairs($0) } }
    for text in texts { values.add(text?.rest) }
    values.add("f" + String(feedID))
    try db.forEachRow(words, with: values) { _ in true }
    if let text = LetterPairs.index(of: texts.compactMap(\.self)) {
      try db.run(pairs, id, text)
    }
  }
}

// MARK: - The indexes as a whole

extension SearchWriting {
  /// The views that give the indexes their text.
  private static let views = ["image_text", "image_pairs"]

  /// The full-text indexes, and the statements that made them.
  private func indexes() throws -> [(name: String, sql: String)] {
    let sql = """
      SELECT name, sql FROM main.sqlite_schema
      WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'
      """
    return try db.rows(sql) { row in try (row.value(0), row.value(1)) }
  }

  /// The indexes that are damaged, or whose words differ from the words of their rows.
  ///
  /// FTS5 checks an index by an insertion (www.sqlite.org/fts5.html, section 6.4), which takes the write lock. So a
  /// copy among the connection's temporary tables is checked instead. That locks nothing, and works for a library that
  /// cannot be written, too.
  package func damagedIndexes() throws -> [String] {
    try indexes().filter { index in
      do {
        try db.undoing { try checkCopy(of: index) }
        return false
      } catch let error as SQLiteError where error.primaryCode == SQLITE_CORRUPT {
        return true
      }
    }.map(\.name)
  }

  private func checkCopy(of index: (name: String, sql: String)) throws {
    let copy = "checked_index"
    for view in Self.views {
      try db.execute("CREATE TEMP VIEW \(view) AS SELECT * FROM main.\(view)")
    }
    let beginning = "CREATE VIRTUAL TABLE "
    let definition = index.sql.dropFirst(beginning.count + index.name.count)
    try db.execute("\(beginning) temp.\(copy)\(definition)")
    for part in ["data", "idx", "config"] {
      try db.execute(
        """
        DELETE FROM temp.\(copy)_\(part);
        INSERT INTO temp.\(copy)_\(part) SELECT * FROM main.\(index.name)_\(part);
        """
      )
    }
    try db.execute("INSERT INTO temp.\(copy)(\(copy), rank) VALUES ('integrity-check', 1)")
  }

  /// Corrects the keys that titles are sorted by, which an older program made in another way.
  package static let correctTitleKeys = """
    UPDATE image SET title_key = key_of_title(title, NULL, NULL)
    WHERE title_key <> key_of_title(title, NULL, NULL);
    """

  /// Whether the file has the indexes of this program; others fold texts in another way.
  static func isCurrent(_ db: Connection) throws -> Bool {
    let sql = "SELECT 1 FROM sqlite_schema WHERE name = 'image_text' AND sql LIKE '%search_words%'"
    return try db.hasRow(sql)
  }

  /// Rebuilds the indexes from the rows, and the keys of titles.
  package func rebuild() throws {
    try db.execute(Self.correctTitleKeys)
    for (name, _) in try indexes() {
      try db.execute("INSERT INTO \(name)(\(name)) VALUES ('rebuild')")
    }
  }
}
