import FoundationEssentials
package import LibraryFiles
import Models
package import Workers

/// The SQL that says which originals give way to others (`OriginalRoom`).
package enum BoundQueries {
  /// The condition that no image of an original is pinned or among those that are being fetched, the list `$1`.
  private static func isFree(_ original: String, _ dialect: Dialect) -> String {
    """
    NOT EXISTS (
      SELECT 1 FROM image_original AS held WHERE held.original_id = \(original) AND (
        EXISTS (SELECT 1 FROM pin WHERE pin.image_id = held.image_id)
        OR held.image_id \(dialect.ids(1))
      )
    )
    """
  }

  /// The condition that a free original may be deleted in a library with an object store: that has it, or no image has.
  private static func isDispensable(_ dialect: Dialect) -> String {
    """
    (\(ObjectQueries.isPut(dialect)) OR NOT EXISTS (
      SELECT 1 FROM image_original AS kept WHERE kept.original_id = original.id
    ))
    """
  }

  /// The files that may be deleted since the object store has their originals, in the order of the files.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - arriving: The images whose originals are being fetched.
  ///   - isLocking: Whether the rows of the originals are locked until the transaction ends.
  ///   - db: The library.
  /// - Returns: Those that no image keeps.
  /// - Throws: when the library cannot be read.
  package static func free(
    _ files: [OriginalRoom.File],
    besides arriving: [Int64],
    isLocking: Bool = false,
    _ db: Connection
  ) throws -> [OriginalRoom.Victim] {
    let sql = """
      SELECT sha256, id FROM original WHERE sha256 \(db.dialect.ids(2))
        AND \(isDispensable(db.dialect)) AND \(isFree("original.id", db.dialect))\
      \(isLocking ? db.dialect.lock : "")
      """
    let rows = try db.rows(sql, arriving, files.map(\.sha256)) { row in
      try (row.value(0) as String, row.value(1) as Int64)
    }
    let ids = Dictionary(rows) { first, _ in first }
    return files.compactMap { file in
      ids[file.sha256].map { OriginalRoom.Victim(id: $0, path: file.path, bytes: file.bytes) }
    }
  }

  /// Deletes the rows of originals that no image has and no object store, whose files have been deleted.
  package static func forgetUnreferred(_ ids: [Int64], _ db: Connection) throws {
    let sql = """
      SELECT id FROM original WHERE id \(db.dialect.ids(1)) AND NOT \(ObjectQueries.isPut(db.dialect))
        AND NOT EXISTS (SELECT 1 FROM image_original WHERE original_id = original.id)
      """
    let lost: [Int64] = try db.column(sql, ids)
    if lost.isEmpty { return }
    try ReplacedOriginals.forget(originals: lost, db)
    for id in lost { _ = try RemovalQueries.deleteOriginal(id: id, db) }
  }

  // MARK: In the order of use, in SQLite

  /// The originals that may be evicted.
  private static func givingWay(arePut: Bool) -> String {
    """
    original_use AS used JOIN original ON original.id = used.original_id
    WHERE \(isFree("used.original_id", .sqlite))\
    \(arePut ? " AND \(isDispensable(.sqlite))" : "")
    """
  }

  /// The number of originals to evict before an image's original; nil when this one stays.
  package static func countBefore(
    imageID: Int64,
    arePut: Bool,
    besides arriving: [Int64],
    _ db: Connection
  ) throws -> Int? {
    let own = """
      SELECT used.used_at FROM \(givingWay(arePut: arePut))
        AND used.original_id = (SELECT original_id FROM image_original WHERE image_id = $2)
      """
    guard let date: Int64 = try db.value(own, arriving, imageID) else { return nil }
    let sql = "SELECT count(*) FROM \(givingWay(arePut: arePut)) AND used.used_at < $2"
    return try db.value(sql, arriving, date)
  }

  /// The originals to evict, the least recently used first.
  ///
  /// - Parameters:
  ///   - bytes: How many bytes are needed.
  ///   - date: Only originals that were used before it.
  ///   - arePut: Whether to evict only originals that an object store has.
  ///   - arriving: The images whose originals are being fetched.
  ///   - folder: The library's folder.
  ///   - db: The library.
  /// - Returns: Enough of them, or all if they are not enough.
  /// - Throws: when the library cannot be read.
  package static func victims(
    for bytes: Int,
    usedBefore date: Int64,
    arePut: Bool,
    besides arriving: [Int64],
    in folder: LibraryFolder,
    _ db: Connection
  ) throws -> [OriginalRoom.Victim] {
    let sql = """
      SELECT original.id, sha256, format, original.bytes
      FROM \(givingWay(arePut: arePut)) AND used.used_at < $2 ORDER BY used.used_at
      """
    var (victims, found): ([OriginalRoom.Victim], Int) = ([], 0)
    try db.forEachRow(sql, with: Values([arriving, date])) { row in
      let path = try folder.original(sha256: row.value(1), format: row.value(2))
      let victim = try OriginalRoom.Victim(id: row.value(0), path: path ?? "", bytes: row.value(3))
      victims.append(victim)
      found = found.adding(victim.bytes)
      return found < bytes
    }
    return victims
  }

  /// Unties victims from their images, except victims that are pinned or being fetched by now.
  ///
  /// The thumbnails stay. The files are deleted later.
  package static func untie(
    victims ids: [Int64],
    besides arriving: [Int64],
    _ db: Connection
  ) throws {
    let sql = """
      SELECT image_id FROM image_original AS used
      WHERE original_id \(db.dialect.ids(2)) AND \(isFree("used.original_id", db.dialect))
      """
    try untie(try db.column(sql, arriving, ids), db)
    try ReplacedOriginals.forget(originals: ids, db)
  }

  /// Marks originals that the store has as away, except those that are pinned or being fetched by now.
  package static func sendAway(
    _ ids: [Int64],
    besides arriving: [Int64],
    _ db: Connection
  ) throws {
    let sql = """
      INSERT INTO away_original(original_id, bytes)
      SELECT used.original_id, original.bytes FROM put_original AS used
      JOIN original ON original.id = used.original_id
      WHERE used.original_id \(db.dialect.ids(2)) AND \(isFree("used.original_id", db.dialect))
      ON CONFLICT DO NOTHING
      """
    try db.run(sql, arriving, ids)
  }

  /// Unties images from their originals; returns the originals.
  package static func untie(images ids: [Int64], _ db: Connection) throws -> [Int64] {
    let sql = """
      SELECT DISTINCT original_id FROM image_original WHERE image_id \(db.dialect.ids(1))
      """
    let originals = try db.column(sql, ids) + ReplacedOriginals.forget(images: ids, db)
    try untie(ids, db)
    for original in originals { try noteUnreferred(original: original, db) }
    return originals
  }

  private static func untie(_ images: [Int64], _ db: Connection) throws {
    if images.isEmpty { return }
    let kind = PictureKind.original.rawValue
    let isElsewhere = try FolderQueries.isElsewhere("image.id", db)
    for sql in [
      "DELETE FROM damage WHERE kind = \(kind) AND image_id \(db.dialect.ids(1))",
      """
      UPDATE image SET original_state = \(OriginalState.missing.rawValue), original_check_at = NULL,
        change_seq = \(db.dialect.nextChange)
      WHERE id \(db.dialect.ids(1)) AND \(isElsewhere)
      """,
      "DELETE FROM image_original WHERE image_id \(db.dialect.ids(1))",
    ] { try db.run(sql, images) }
  }

  // MARK: Dates of use, in SQLite

  /// The date of an image, at which an original that was fetched ahead for it counts as used.
  ///
  /// Only originals that were used before it are evicted in favour of such an original.
  package static func date(ofImage id: Int64, _ db: Connection) throws -> Int64 {
    try db.value("SELECT min(date, unixepoch()) FROM image WHERE id = $1", id) ?? 0
  }

  /// Records when an original was used; the newest date stays.
  package static func note(_ date: Int64, original id: Int64, _ db: Connection) throws {
    let sql = """
      INSERT INTO original_use(original_id, used_at) SELECT $1, $2
      WHERE NOT EXISTS (SELECT 1 FROM away_original WHERE original_id = $1)
      ON CONFLICT (original_id) DO UPDATE SET used_at = max(used_at, excluded.used_at)
      """
    try db.run(sql, id, date)
  }

  /// Records that an image has another of its originals; in PostgreSQL, the times of the files tell.
  static func noteTaken(
    imageID: Int64,
    insteadOf before: Int64,
    now: Date,
    _ db: Connection
  ) throws {
    guard db.dialect == .sqlite else { return }
    let id = try OriginalQueries.originalID(of: imageID, db)
    if let id { try note(now.storedSeconds, original: id, db) }
    try noteUnreferred(original: before, db)
  }

  /// Records that an original has arrived for an image; one that was fetched ahead was used at the date of its image.
  package static func note(
    _ receipt: OriginalReceipt,
    imageID: Int64,
    insteadOf before: Int64?,
    _ db: Connection
  ) throws {
    guard let id = try OriginalQueries.originalID(of: imageID, db) else { return }
    if !receipt.doubts.isEmpty, id == before {
      // The picture beside it gives way first.
      let sql = """
        INSERT INTO original_use(original_id, used_at) SELECT original_id, -1 FROM successor
        WHERE image_id = $1 AND original_id IS NOT NULL ON CONFLICT DO NOTHING
        """
      _ = try db.run(sql, imageID)
      for image in receipt.misled { try noteReturned(toImage: image, db) }
      return
    }
    let date =
      try receipt.lookedAt?.storedSeconds
      ?? min(date(ofImage: imageID, db), receipt.arrived.storedSeconds)
    try note(date, original: id, db)
    if let before, before != id { try noteUnreferred(original: before, db) }
  }

  /// Records that an image may have its former original again, and that the one beside it gives way first.
  private static func noteReturned(toImage imageID: Int64, _ db: Connection) throws {
    guard let id = try OriginalQueries.originalID(of: imageID, db) else { return }
    try note(try date(ofImage: imageID, db), original: id, db)
    let sql = """
      UPDATE original_use SET used_at = -1 WHERE original_id IN (
        SELECT original_id FROM successor WHERE image_id = $1
      ) AND NOT EXISTS (
        SELECT 1 FROM image_original AS held WHERE held.original_id = original_use.original_id
      )
      """
    _ = try db.run(sql, imageID)
  }

  /// Makes an original that no image has any more the first to be evicted.
  package static func noteUnreferred(original id: Int64, _ db: Connection) throws {
    let sql = """
      UPDATE original_use SET used_at = 0 WHERE original_id = $1
        AND NOT EXISTS (SELECT 1 FROM image_original WHERE original_id = $1)
      """
    try db.run(sql, id)
  }

  /// The id of an original, and when it was last used.
  package static func use(
    sha256: String,
    _ db: Connection
  ) throws -> (id: Int64, date: Int64)? {
    let sql = """
      SELECT original.id, coalesce(used_at, 0) FROM original
      LEFT JOIN original_use ON original_id = original.id WHERE sha256 = $1
      """
    return try db.row(sql, sha256) { row in try (row.value(0), row.value(1)) }
  }

  /// Makes originals without a date of use the first to be evicted.
  package static func noteMissingUses(_ db: Connection) throws {
    try db.run(
      """
      INSERT INTO original_use(original_id, used_at) SELECT id, 0 FROM original
      WHERE NOT \(ObjectQueries.isAway) ON CONFLICT DO NOTHING
      """
    )
  }

  /// The SQL for the bytes of all originals that should be on this disk.
  package static let sum = """
    SELECT (SELECT coalesce(sum(bytes), 0) FROM original)
      - (SELECT coalesce(sum(bytes), 0) FROM away_original)
    """
}
