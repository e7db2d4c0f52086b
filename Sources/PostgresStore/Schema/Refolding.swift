import LibraryFiles
import Store
import Workers

/// Rewrites the words and the keys of titles in a library of version 1, whose programs folded texts differently.
///
/// Readers see the old rows until all are new, and look into the texts meanwhile (`SearchScan`). The new name of the
/// column makes programs of version 1 fail that are still connected, since their words would not be found.
enum Refolding {
  private static let rowsPerStep = 2_000

  static func isNeeded(_ db: Connection) throws -> Bool {
    try db.hasRow("SELECT 1 FROM library WHERE abs(schema_version) = 1")
  }

  static func run(_ db: Connection) throws {
    // Other programs that write wait, so that no row escapes.
    try db.postgres.execute("LOCK TABLE image, member IN SHARE ROW EXCLUSIVE MODE")
    try refoldImages(db)
    try refoldMembers(db)
    try db.postgres.execute(
      """
      ALTER TABLE image RENAME COLUMN words TO folded_words;
      ALTER TABLE member RENAME COLUMN words TO folded_words;
      UPDATE library SET schema_version = 2 * schema_version;
      """
    )
  }

  /// A row with three texts and the key of the first one; members have no key.
  private struct Row {
    var id: Int64
    var feedID: Int64
    var texts: [String?]
    var key: String?

    init(_ row: Store.Row) throws {
      id = try row.value(0)
      feedID = try row.value(1)
      texts = try [row.value(2), row.value(3), row.value(4)]
      key = try row.value(5)
    }

    var words: String { SearchWords.vector(of: texts[0], texts[1], texts[2]) }
  }

  private static func refoldImages(_ db: Connection) throws {
    let rows = "SELECT id, feed_id, title, caption, author, title_key FROM image"
    try forEachStep(of: rows, db) { rows in
      let changed = rows.map { row in (row: row, key: TitleKey.of(row.texts[0])) }
        .filter { $0.key != $0.row.key || hasOtherWords($0.row) }
      let sql = """
        UPDATE image SET title_key = new.key, words = CAST(new.words AS tsvector)
        FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[])
          AS new(id, feed_id, key, words)
        WHERE image.feed_id = new.feed_id AND image.id = new.id
        """
      try db.rows(
        sql,
        changed.map(\.row.id),
        changed.map(\.row.feedID),
        changed.map(\.key),
        changed.map(\.row.words)
      )
    }
  }

  private static func refoldMembers(_ db: Connection) throws {
    let rows = "SELECT id, feed_id, label, details, attribution, NULL::text FROM member"
    try forEachStep(of: rows, db) { rows in
      let changed = rows.filter(hasOtherWords)
      let sql = """
        UPDATE member SET words = CAST(new.words AS tsvector)
        FROM unnest($1::bigint[], $2::text[]) AS new(id, words) WHERE member.id = new.id
        """
      try db.rows(sql, changed.map(\.id), changed.map(\.words))
    }
  }

  /// Whether the words may differ: those of ASCII have always been folded in one way.
  private static func hasOtherWords(_ row: Row) -> Bool {
    row.texts.contains { text in text.map { !LetterFolding.isASCII($0) } ?? false }
  }

  private static func forEachStep(
    of selection: String,
    _ db: Connection,
    _ body: ([Row]) throws -> Void
  ) throws {
    var last = Int64.min
    while true {
      let sql = "\(selection) WHERE id > $1 ORDER BY id LIMIT \(rowsPerStep)"
      let rows: [Row] = try db.rows(sql, last) { row in try Row(row) }
      guard let end = rows.last else { return }
      try body(rows)
      last = end.id
    }
  }
}
