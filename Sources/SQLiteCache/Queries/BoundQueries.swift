import GRDB
import LibraryFiles
import Models
import Store
import Workers

/// The SQL that keeps originals within their bounds (`StorageBounds`).
///
/// The bytes of each original are reserved before any process writes it. A reservation holds while the process has the
/// file locked; afterwards, the length of the file counts.
enum BoundQueries {
  /// Reserves bytes for an original, if they are available.
  ///
  /// Call this in a transaction that writes: an original gets its name and its row in such a transaction, too.
  ///
  /// - Returns: How many bytes are missing; 0 when they are reserved.
  static func reserve(
    _ bytes: Int,
    imageID: Int64,
    _ bounds: StorageBounds,
    in folder: LibraryFolder,
    _ db: Database
  ) throws -> Int {
    let files = try folder.partialBytes()
    let reserved = try outstanding(besides: imageID, files, in: folder, db)
    let more = reserved + max(0, bytes - (files[imageID] ?? 0))
    let taken = try total(db) + files.values.reduce(0, +)
    let missing = folder.missing(for: more, beside: taken, bounds)
    guard missing <= 0 else { return missing }
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO arrival(image_id, bytes) VALUES (?, ?)")
      .execute(arguments: [imageID, bytes])
    return 0
  }

  /// Ends a reservation.
  static func release(imageID: Int64, _ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM arrival WHERE image_id = ?")
      .execute(arguments: [imageID])
  }

  /// The bytes that are reserved for other originals and are not in their files yet.
  private static func outstanding(
    besides imageID: Int64,
    _ files: [Int64: Int],
    in folder: LibraryFolder,
    _ db: Database
  ) throws -> Int {
    var bytes = 0
    for row in try Row.fetchAll(db, sql: "SELECT image_id, bytes FROM arrival") {
      let (id, reserved): (Int64, Int) = try (row.value(0), row.value(1))
      if id == imageID { continue }
      if PartialFile.isBeingWritten(folder.partial(imageID: id)) {
        bytes += max(0, reserved - (files[id] ?? 0))
      } else {
        try release(imageID: id, db)
      }
    }
    return bytes
  }

  /// The bytes of all originals on this disk, from the sum that triggers keep.
  static func total(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT bytes FROM original_total") ?? 0
  }

  /// The fault of the stored sum; nil when it is right, or when an older file has no sum yet.
  static func fault(_ db: Database) throws -> String? {
    guard let total = try Int.fetchOne(db, sql: "SELECT bytes FROM original_total"),
      try total != Int.fetchOne(db, sql: sum)
    else { return nil }
    return "the sum of all originals is not what they have"
  }

  /// Computes the sum of all originals again, and makes originals without a date of use the first to be evicted.
  static func recount(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO original_total(id, bytes) SELECT 1, (\(sum));
        INSERT OR IGNORE INTO original_use(original_id, used_at) SELECT id, 0 FROM original
          WHERE NOT \(ObjectQueries.isAway);
        """
    )
  }

  /// The SQL for the bytes of all originals on this disk.
  static let sum = """
    SELECT (SELECT coalesce(sum(bytes), 0) FROM original)
      - (SELECT coalesce(sum(bytes), 0) FROM away_original)
    """

  /// The limit for evictions in favour of an original that is fetched ahead: only originals used before this date go.
  static func date(ofImage id: Int64, _ db: Database) throws -> Int64 {
    let sql = "SELECT min(date, unixepoch()) FROM image WHERE id = ?"
    return try Int64.fetchOne(db, sql: sql, arguments: [id]) ?? 0
  }

  /// The condition that no image of the original `used.original_id` is pinned or being fetched.
  static let isFree = """
    NOT EXISTS (
      SELECT 1 FROM image_original AS held WHERE held.original_id = used.original_id AND (
        EXISTS (SELECT 1 FROM pin WHERE pin.image_id = held.image_id)
        OR EXISTS (SELECT 1 FROM arrival WHERE arrival.image_id = held.image_id)
      )
    )
    """

  /// The originals that may be evicted.
  private static func givingWay(arePut: Bool) -> String {
    """
    original_use AS used JOIN original ON original.id = used.original_id
    WHERE \(isFree)\(arePut ? " AND \(ObjectQueries.isPut(.sqlite))" : "")
    """
  }

  /// The number of originals to evict before an image's original; nil when this one stays.
  static func countBefore(imageID: Int64, arePut: Bool, _ db: Database) throws -> Int? {
    let own = """
      SELECT used.used_at FROM \(givingWay(arePut: arePut))
        AND used.original_id = (SELECT original_id FROM image_original WHERE image_id = ?)
      """
    guard let date = try Int64.fetchOne(db, sql: own, arguments: [imageID]) else { return nil }
    let sql = "SELECT count(*) FROM \(givingWay(arePut: arePut)) AND used.used_at < ?"
    return try Int.fetchOne(db, sql: sql, arguments: [date])
  }

  /// The originals to evict, the least recently used first.
  ///
  /// - Parameters:
  ///   - bytes: How many bytes are needed.
  ///   - date: Only originals that were used before it.
  ///   - arePut: Whether to evict only originals that an object store has.
  ///   - db: The library.
  /// - Returns: Enough of them, or none when all together are not enough.
  /// - Throws: when the library cannot be read.
  static func victims(
    for bytes: Int,
    usedBefore date: Int64,
    arePut: Bool,
    _ db: Database
  ) throws -> [Int64] {
    let sql = """
      SELECT original.id, original.bytes FROM \(givingWay(arePut: arePut)) AND used.used_at < ?
      ORDER BY used.used_at
      """
    var (ids, found): ([Int64], Int) = ([], 0)
    let rows = try Row.fetchCursor(db, sql: sql, arguments: [date])
    while found < bytes, let row = try rows.next() {
      ids.append(try row.value(0))
      found += try row.value(1)
    }
    return found < bytes ? [] : ids
  }

  /// Unties victims from their images, except victims that are pinned or being fetched by now.
  ///
  /// The thumbnails stay. The files are deleted later.
  static func untie(victims ids: [Int64], _ db: Database) throws {
    let sql = """
      SELECT image_id FROM image_original AS used
      WHERE original_id IN (SELECT value FROM json_each(?)) AND \(isFree)
      """
    let statement = try db.cachedStatement(sql: sql)
    try untie(try Int64.fetchAll(statement, arguments: [RemovalQueries.list(ids)]), db)
  }

  /// Marks originals that the object store has as away, except those that are pinned or being fetched by now.
  static func sendAway(_ ids: [Int64], _ db: Database) throws {
    let sql = """
      INSERT INTO away_original(original_id, bytes)
      SELECT used.original_id, original.bytes FROM put_original AS used
      JOIN original ON original.id = used.original_id
      WHERE used.original_id \(Dialect.sqlite.ids(1)) AND \(isFree) ON CONFLICT DO NOTHING
      """
    try db.store.run(sql, ids)
  }

  /// Unties images from their originals; returns the originals.
  static func untie(images ids: [Int64], _ db: Database) throws -> [Int64] {
    let sql = "SELECT DISTINCT original_id FROM image_original WHERE image_id IN \(listed)"
    let list = RemovalQueries.list(ids)
    let originals = try Int64.fetchAll(db.cachedStatement(sql: sql), arguments: [list])
    try untie(ids, db)
    for original in originals { try noteUnreferred(original: original, db) }
    return originals
  }

  /// The ids of the JSON array that is a statement's parameter.
  private static let listed = "(SELECT value FROM json_each(?))"

  private static func untie(_ images: [Int64], _ db: Database) throws {
    if images.isEmpty { return }
    let list = RemovalQueries.list(images)
    for sql in [
      "DELETE FROM damage WHERE kind = \(PictureKind.original.rawValue) AND image_id IN \(listed)",
      """
      UPDATE image SET original_state = \(OriginalState.missing.rawValue), original_check_at = NULL,
        change_seq = \(ChangeLog.next) WHERE id IN \(listed)
      """,
      "DELETE FROM image_original WHERE image_id IN \(listed)",
    ] { try db.cachedStatement(sql: sql).execute(arguments: [list]) }
  }

  /// Records when an original was used; the newest date stays.
  static func note(_ date: Int64, original id: Int64, _ db: Database) throws {
    let sql = """
      INSERT INTO original_use(original_id, used_at) SELECT ?1, ?2
      WHERE NOT EXISTS (SELECT 1 FROM away_original WHERE original_id = ?1)
      ON CONFLICT(original_id) DO UPDATE SET used_at = max(used_at, excluded.used_at)
      """
    try db.cachedStatement(sql: sql).execute(arguments: [id, date])
  }

  /// Records that an original has arrived for an image; one that was fetched ahead was used at the date of its image.
  static func note(
    _ receipt: OriginalReceipt,
    imageID: Int64,
    insteadOf before: Int64?,
    _ db: Database
  ) throws {
    guard let id = try OriginalQueries.originalID(of: imageID, db.store) else { return }
    let date =
      try receipt.lookedAt?.storedSeconds
      ?? min(date(ofImage: imageID, db), receipt.arrived.storedSeconds)
    try note(date, original: id, db)
    if let before, before != id { try noteUnreferred(original: before, db) }
  }

  /// Makes an original that no image has any more the first to be evicted.
  static func noteUnreferred(original id: Int64, _ db: Database) throws {
    let sql = """
      UPDATE original_use SET used_at = 0 WHERE original_id = ?1
        AND NOT EXISTS (SELECT 1 FROM image_original WHERE original_id = ?1)
      """
    try db.cachedStatement(sql: sql).execute(arguments: [id])
  }

  /// The id of an original, and when it was last used.
  static func use(sha256: String, _ db: Database) throws -> (id: Int64, date: Int64)? {
    let sql = """
      SELECT original.id, coalesce(used_at, 0) FROM original
      LEFT JOIN original_use ON original_id = original.id WHERE sha256 = ?
      """
    return try Row.fetchOne(db, sql: sql, arguments: [sha256]).map { row in
      try (row.value(0), row.value(1))
    }
  }
}
