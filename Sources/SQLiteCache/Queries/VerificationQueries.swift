import FoundationEssentials
import LibraryFiles
import Models
import Store
import Workers

/// The SQL of verification.
enum VerificationQueries {
  /// The most faults of the database that are reported.
  private static let faultLimit = 20

  /// The faults of the file's structure and of its indexes (PRAGMA integrity_check), and then those of rows.
  ///
  /// SQLite's check compares the indexes with their tables.
  static func faults(_ db: Connection) throws -> [String] {
    // The check looks up the rows of each index, which are all over the table, so it needs a large cache.
    try db.execute("PRAGMA cache_size = -\(Limits.cacheKiB)")
    let lines: [String] = try db.column("PRAGMA integrity_check(\(faultLimit))")
    let structure = meanings(of: lines.filter { $0 != "ok" })
    let rest = faultLimit - structure.count
    if rest <= 0 { return structure }
    do {
      return try structure + rowFaults(limit: rest, db)
    } catch let error as SQLiteError where !structure.isEmpty {
      return structure + [StoreError(error, path: "").message]
    }
  }

  /// Translates SQLite's lines, which speak of cells and trees, into plain faults; each fault occurs once.
  static func meanings(of lines: [String]) -> [String] {
    var meanings: [String] = []
    for line in lines {
      let meaning =
        if let index = name(after: "index ", in: line) {
          "the index \(index) does not agree with its table"
        } else if let column = name(after: "value in ", in: line)
          ?? name(after: "failed in ", in: line)
        {
          "a row of \(column) has a value that it may not have"
        } else {
          "pages of the database are damaged"
        }
      if !meanings.contains(meaning) { meanings.append(meaning) }
    }
    return meanings
  }

  private static func name(after words: String, in line: String) -> Substring? {
    guard let range = line.firstRange(of: words) else { return nil }
    return line[range.upperBound...].prefix { $0 == "_" || $0 == "." || $0.isLetter || $0.isNumber }
  }

  private static func rowFaults(limit: Int, _ db: Connection) throws -> [String] {
    var faults: [String] = []
    for check in [danglingRows, lostThumbnails] {
      faults += try check(limit - faults.count, db)
    }
    for seal in RowSeal.all { faults += try seal.faults(limit: limit - faults.count, db) }
    return faults
  }

  /// Rows that refer to missing rows (PRAGMA foreign_key_check).
  static func danglingRows(limit: Int, _ db: Connection) throws -> [String] {
    if limit <= 0 { return [] }
    var faults: [String] = []
    try db.forEachRow("PRAGMA foreign_key_check", with: Values()) { row in
      let (table, id, parent): (String, Int64?, String) = try (
        row.value(0), row.value(1), row.value(2)
      )
      faults.append("row \(id ?? 0) of \(table) refers to a row of \(parent) that is not there")
      return faults.count < limit
    }
    return faults
  }

  /// Thumbnails beyond the end of their packs, or in missing packs.
  private static func lostThumbnails(limit: Int, _ db: Connection) throws -> [String] {
    let sql = """
      SELECT image_id FROM thumbnail WHERE NOT EXISTS (
        SELECT 1 FROM pack WHERE id = pack_id AND pack.bytes >= thumbnail.offset + thumbnail.bytes
      ) LIMIT $1
      """
    return try db.column(sql, limit).map { (id: Int64) in
      "row \(id) of thumbnail names a place that no pack has"
    }
  }

  /// The tables that have fewer rows than one of their indexes: rows are lost to which only the index still refers.
  static func tablesWithLostRows(_ db: Connection) throws -> [String] {
    let sql = """
      SELECT m.name, i.name FROM sqlite_schema AS m, pragma_index_list(m.name) AS i
      WHERE m.type = 'table' AND i.partial = 0 AND i.origin <> 'pk' ORDER BY m.name, i.name
      """
    let indexes = try db.rows(sql) { row in
      try (table: row.value(0) as String, index: row.value(1) as String)
    }
    return try indexes.filter { table, index in
      let hasFewer = """
        SELECT (SELECT count(*) FROM "\(table)" NOT INDEXED)
          < (SELECT count(*) FROM "\(table)" INDEXED BY "\(index)")
        """
      return try db.value(hasFewer) ?? false
    }.map(\.table)
  }

  /// A row of a thumbnail, with its description from the image's row.
  struct Thumbnail {
    var imageID: Int64
    var info: PictureInfo?
    var location: PackLocation
    /// Whether it is marked as damaged.
    var isMarked: Bool
  }

  static func thumbnails(after imageID: Int64, limit: Int, _ db: Connection) throws -> [Thumbnail] {
    let sql = """
      SELECT image_id, thumbnail_format, thumbnail_bytes, thumbnail_width, thumbnail_height,
        thumbnail_sha256, \(PackLocation.columns), EXISTS (
          SELECT 1 FROM damage WHERE damage.image_id = thumbnail.image_id
            AND kind = \(PictureKind.thumbnail.rawValue)
        )
      FROM thumbnail JOIN image ON image.id = image_id
      WHERE image_id > $1 ORDER BY image_id LIMIT $2
      """
    return try db.rows(sql, imageID, limit, element: thumbnail)
  }

  private static func thumbnail(_ row: Row) throws -> Thumbnail {
    try Thumbnail(
      imageID: row.value(0),
      info: row.picture(1, hash: row.hash(5)),
      location: PackLocation(row, at: 6),
      isMarked: row.value(10)
    )
  }

  /// An original's row, without the images that it belongs to.
  struct File {
    var id: Int64
    var sha256: String
    var format: ImageFormat
    var bytes: Int
  }

  /// The originals that should be on this disk.
  static func originals(after id: Int64, limit: Int, _ db: Connection) throws -> [File] {
    let sql = """
      SELECT id, sha256, format, bytes FROM original WHERE id > $1 AND NOT \(ObjectQueries.isAway)
      ORDER BY id LIMIT $2
      """
    return try db.rows(sql, id, limit, element: file)
  }

  /// The originals that no image has and that are not kept without one.
  ///
  /// They are read from the tables, since an index that lacks a row would lose a file.
  static func unreferredOriginals(_ db: Connection) throws -> [File] {
    let sql = """
      SELECT id, sha256, format, bytes FROM original NOT INDEXED
      WHERE id NOT IN (SELECT original_id FROM image_original NOT INDEXED)
        AND NOT \(ReplacedOriginals.isKept("original.id", .sqlite))
      """
    return try db.rows(sql, element: file)
  }

  /// The originals that only images of removed feeds have, read from the tables as above.
  static func originalsOfRemovedFeeds(_ db: Connection) throws -> [File] {
    let sql = """
      SELECT id, sha256, format, bytes FROM original NOT INDEXED
      WHERE id IN (SELECT original_id FROM image_original NOT INDEXED)
        AND id NOT IN (
          SELECT original_id FROM image_original NOT INDEXED
          CROSS JOIN image NOT INDEXED ON image.id = image_id
          CROSS JOIN feed NOT INDEXED ON feed.id = feed_id
          WHERE is_removed = 0
        ) AND NOT \(ReplacedOriginals.isKept("original.id", .sqlite))
      """
    return try db.rows(sql, element: file)
  }

  /// Nil for an unknown format or an invalid name: this program did not write such a row.
  private static func file(_ row: Row) throws -> File? {
    guard try (row.value(1) as String).isSHA256, let format: ImageFormat = try row.value(raw: 2)
    else { return nil }
    return try File(id: row.value(0), sha256: row.value(1), format: format, bytes: row.value(3))
  }

  /// The images that an original belongs to.
  static func images(ofOriginal id: Int64, _ db: Connection) throws -> [Int64] {
    let sql = "SELECT image_id FROM image_original WHERE original_id = $1 ORDER BY image_id"
    return try db.column(sql, id)
  }

  /// Whether an image exists and is not hidden.
  static func isShown(imageID: Int64, _ db: Connection) throws -> Bool {
    let sql = "SELECT is_hidden FROM image WHERE id = $1"
    return try db.value(sql, imageID) == false
  }

  static func removedFeeds(_ db: Connection) throws -> [Int64] {
    try db.column("SELECT id FROM feed WHERE is_removed = 1 ORDER BY id")
  }

  static func imageCount(feedID: Int64, _ db: Connection) throws -> Int {
    try db.value("SELECT count(*) FROM image WHERE feed_id = $1", feedID) ?? 0
  }
}
