import FoundationEssentials
import GRDB
import LibraryFiles
import Models
import Store
import Workers

/// The SQL about originals in the library's object store (`ObjectRecording`).
enum ObjectQueries {
  /// The condition that the object store has `original`.
  static let isPut = "EXISTS (SELECT 1 FROM put_original WHERE original_id = original.id)"
  /// The condition that `original` is away: its row says that there is no file.
  static let isAway = "EXISTS (SELECT 1 FROM away_original WHERE original_id = original.id)"

  private static let columns = "original.id, sha256, format, original.bytes, \(isAway)"

  static func toPut(
    after id: Int64,
    limit: Int,
    in folder: LibraryFolder,
    _ db: Database
  ) throws -> [ObjectOriginal] {
    let sql = """
      SELECT \(columns) FROM original WHERE id > ? AND NOT \(isPut)
        AND EXISTS (SELECT 1 FROM image_original WHERE original_id = original.id)
        AND NOT EXISTS (
          SELECT 1 FROM damage JOIN image_original AS held ON held.image_id = damage.image_id
          WHERE held.original_id = original.id AND kind = \(PictureKind.original.rawValue)
        )
      ORDER BY id LIMIT ?
      """
    return try originals(sql, [id, limit], in: folder, db)
  }

  static func put(
    after hash: SHA256Digest?,
    limit: Int,
    in folder: LibraryFolder,
    _ db: Database
  ) throws -> [ObjectOriginal] {
    let sql = """
      SELECT \(columns) FROM original WHERE sha256 > ? AND \(isPut) ORDER BY sha256 LIMIT ?
      """
    return try originals(sql, [hash?.hexadecimal ?? "", limit], in: folder, db)
  }

  /// The originals that images lack, which no object store is known to have; those without a file are away.
  static func lost(
    after hash: SHA256Digest?,
    limit: Int,
    in folder: LibraryFolder,
    _ db: Database
  ) throws -> [ObjectOriginal] {
    let sql = """
      SELECT \(columns) FROM original WHERE sha256 > ? AND NOT \(isPut) AND EXISTS (
        SELECT 1 FROM image_original AS held JOIN image ON image.id = held.image_id
        WHERE held.original_id = original.id
          AND original_state = \(OriginalState.missing.rawValue)
      )
      ORDER BY sha256 LIMIT ?
      """
    return try originals(sql, [hash?.hexadecimal ?? "", limit], in: folder, db).map { original in
      var original = original
      original.isAway = FileSystem.size(of: original.path) == nil
      return original
    }
  }

  /// Records that the object store alone has an original, unless its file has come back by now.
  static func noteFound(_ original: ObjectOriginal, _ db: Database) throws {
    guard try DamageQueries.isMarked(original: original.id, db.store),
      let image = original.imageIDs.first, FileSystem.size(of: original.path) == nil
    else { return }
    let sql = """
      INSERT OR IGNORE INTO away_original(original_id, bytes)
      SELECT original_id, original.bytes FROM put_original
      JOIN original ON original.id = original_id WHERE original_id = ?
      """
    try db.cachedStatement(sql: sql).execute(arguments: [original.id])
    try DamageQueries.mark(originalOf: image, as: .whole, db.store)
  }

  private static func originals(
    _ sql: String,
    _ arguments: StatementArguments,
    in folder: LibraryFolder,
    _ db: Database
  ) throws -> [ObjectOriginal] {
    try db.cachedStatement(sql: sql).rows(arguments) { row in
      // A value that this program did not write names no file and no object.
      guard let hash = try SHA256Digest(hexadecimal: row.value(1)),
        let format = try ImageFormat(rawValue: row.value(2))
      else { return nil }
      let id: Int64 = try row.value(0)
      return try ObjectOriginal(
        id: id,
        path: folder.original(sha256: row.value(1), format),
        hash: hash,
        format: format,
        bytes: row.bounded(3),
        imageIDs: VerificationQueries.images(ofOriginal: id, db),
        isAway: row.value(4)
      )
    }.compactMap(\.self)
  }

  /// Records that an object store, given by its name, has an original.
  ///
  /// - Returns: The name of another store that alone has some of the library's originals; then nothing is recorded.
  static func note(
    _ hash: SHA256Digest,
    in store: String,
    now: Int64,
    _ db: Database
  ) throws -> String? {
    if let other = try self.store(db), other != store {
      let sql = "SELECT EXISTS (SELECT 1 FROM away_original)"
      if try Bool.fetchOne(db, sql: sql) == true { return other }
      // All originals are on this disk, and will be put into the new store.
      try db.execute(sql: "DELETE FROM put_original")
    }
    try db.execute(
      sql: "INSERT OR REPLACE INTO setting(name, value) VALUES ('objects', ?)",
      arguments: [store]
    )
    guard let id = try id(of: hash, db) else { return nil }
    let sql = "INSERT OR IGNORE INTO put_original(original_id, put_at) VALUES (?, ?)"
    try db.cachedStatement(sql: sql).execute(arguments: [id, now])
    if db.changesCount > 0 { try RowSeal.putOriginal.renew(id, db.store) }
    return nil
  }

  /// The name of the library's object store; nil when the library has none.
  static func store(_ db: Database) throws -> String? {
    try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'objects'")
  }

  /// Forgets that the store has an original, and with it that it gave way here.
  static func forget(_ hash: SHA256Digest, _ db: Database) throws {
    guard let id = try id(of: hash, db) else { return }
    let away = "SELECT EXISTS (SELECT 1 FROM away_original WHERE original_id = ?)"
    let wasAway = try Bool.fetchOne(db, sql: away, arguments: [id]) == true
    try db.execute(sql: "DELETE FROM put_original WHERE original_id = ?", arguments: [id])
    guard wasAway, let image = try VerificationQueries.images(ofOriginal: id, db).first else {
      return
    }
    try DamageQueries.mark(originalOf: image, as: .missing, db.store)
  }

  static func id(of hash: SHA256Digest, _ db: Database) throws -> Int64? {
    let sql = "SELECT id FROM original WHERE sha256 = ?"
    return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [hash.hexadecimal])
  }

  /// A listed image whose original is away and has a given hash.
  static func image(withAway hash: SHA256Digest, _ db: Database) throws -> Int64? {
    guard let id = try id(of: hash, db) else { return nil }
    let sql = "SELECT EXISTS (SELECT 1 FROM away_original WHERE original_id = ?)"
    guard try Bool.fetchOne(db, sql: sql, arguments: [id]) == true else { return nil }
    return try TileQueries.image(withOriginal: hash, db)
  }

  // MARK: Eviction

  /// The originals among `ids` that the store has; throws when the checksum of a row is wrong.
  static func put(among ids: [Int64], _ db: Database) throws -> Set<Int64> {
    let sql = """
      SELECT original_id FROM put_original WHERE original_id IN (SELECT value FROM json_each(?))
      """
    let put = try Int64.fetchAll(
      db.cachedStatement(sql: sql),
      arguments: [RemovalQueries.list(ids)]
    )
    // One flipped bit in a row would delete the only copy of another original.
    for id in put { try RowSeal.putOriginal.check(id, db.store) }
    return Set(put)
  }

  /// Marks originals that the store has as away, except those that are pinned or being fetched by now.
  static func sendAway(_ ids: [Int64], _ db: Database) throws {
    let sql = """
      INSERT OR IGNORE INTO away_original(original_id, bytes)
      SELECT used.original_id, original.bytes FROM put_original AS used
      JOIN original ON original.id = used.original_id
      WHERE used.original_id IN (SELECT value FROM json_each(?)) AND \(BoundQueries.isFree)
      """
    try db.cachedStatement(sql: sql).execute(arguments: [RemovalQueries.list(ids)])
  }

  /// The hashes and formats that name the files of the originals among `ids` that are away.
  static func away(among ids: [Int64], _ db: Database) throws -> [(sha256: String, format: String)]
  {
    let sql = """
      SELECT sha256, format FROM original
      WHERE id IN (SELECT value FROM json_each(?)) AND \(isAway)
      """
    return try db.cachedStatement(sql: sql).rows([RemovalQueries.list(ids)]) { row in
      try (row.value(0) as String, row.value(1) as String)
    }
  }

  static func isAway(sha256: String, _ db: Database) throws -> Bool {
    let sql = "SELECT \(isAway) FROM original WHERE sha256 = ?"
    return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [sha256]) == true
  }

  /// Records that the file of an original is on this disk again.
  static func bringBack(sha256: String, _ db: Database) throws {
    let sql = """
      DELETE FROM away_original
      WHERE original_id = (SELECT id FROM original WHERE sha256 = ?)
      """
    try db.cachedStatement(sql: sql).execute(arguments: [sha256])
  }
}
