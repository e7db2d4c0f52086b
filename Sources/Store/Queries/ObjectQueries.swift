package import LibraryFiles
package import Models
package import Workers

/// The SQL about originals in the library's object store (`ObjectRecording`).
///
/// In SQLite, an original that has given way has a row in `away_original`. With PostgreSQL, each machine's folder is a
/// cache of the object store, so an original is away on a machine that has no file of it.
package enum ObjectQueries {
  /// The condition that the object store has `original`.
  package static func isPut(_ dialect: Dialect) -> String {
    switch dialect {
    case .sqlite: "EXISTS (SELECT 1 FROM put_original WHERE original_id = original.id)"
    case .postgres: "original.put_at IS NOT NULL"
    }
  }

  /// The condition that the file of `original` is not on this disk, in SQLite.
  package static let isAway =
    "EXISTS (SELECT 1 FROM away_original WHERE original_id = original.id)"

  /// The originals that the store lacks and that are on this machine.
  package static func toPut(
    after id: Int64,
    limit: Int,
    in folder: LibraryFolder,
    _ db: Connection
  ) throws -> [ObjectOriginal] {
    let condition = """
      id > $1 AND NOT \(isPut(db.dialect))
        AND EXISTS (SELECT 1 FROM image_original WHERE original_id = original.id)
        AND NOT EXISTS (
          SELECT 1 FROM damage JOIN image_original AS held ON held.image_id = damage.image_id
          WHERE held.original_id = original.id AND kind = \(PictureKind.original.rawValue)
        )
      ORDER BY id LIMIT $2
      """
    var (found, last) = ([ObjectOriginal](), id)
    // Other machines put the originals that have no file here.
    while found.count < limit {
      let next = try originals(condition, [last, limit], in: folder, db)
      guard let end = next.last?.id else { break }
      found += next.filter { !$0.isAway }
      last = end
    }
    return Array(found.prefix(limit))
  }

  /// The originals that the store has.
  package static func put(
    after hash: SHA256Digest?,
    limit: Int,
    in folder: LibraryFolder,
    _ db: Connection
  ) throws -> [ObjectOriginal] {
    let condition = "sha256 > $1 AND \(isPut(db.dialect)) ORDER BY sha256 LIMIT $2"
    return try originals(condition, [hash?.hexadecimal ?? "", limit], in: folder, db)
  }

  /// The originals that images lack, which no object store is known to have; those without a file are away.
  package static func lost(
    after hash: SHA256Digest?,
    limit: Int,
    in folder: LibraryFolder,
    _ db: Connection
  ) throws -> [ObjectOriginal] {
    let condition = """
      sha256 > $1 AND NOT \(isPut(db.dialect)) AND EXISTS (
        SELECT 1 FROM image_original AS held JOIN image ON image.id = held.image_id
        WHERE held.original_id = original.id
          AND original_state = \(OriginalState.missing.rawValue)
      )
      ORDER BY sha256 LIMIT $2
      """
    let lost = try originals(condition, [hash?.hexadecimal ?? "", limit], in: folder, db)
    return lost.map { original in
      var original = original
      original.isAway = FileSystem.size(of: original.path) == nil
      return original
    }
  }

  private static func originals(
    _ condition: String,
    _ values: [any Parameter],
    in folder: LibraryFolder,
    _ db: Connection
  ) throws -> [ObjectOriginal] {
    let isAway = db.dialect == .sqlite ? isAway : "NULL"
    let sql = "SELECT id, sha256, format, bytes, \(isAway) FROM original WHERE \(condition)"
    let originals = try db.rows(sql, with: values) { row in try ObjectOriginal(row, in: folder) }
    let images = try images(ofOriginals: originals.map(\.id), db)
    return originals.map { original in
      var original = original
      original.imageIDs = images[original.id] ?? []
      return original
    }
  }

  private static func images(
    ofOriginals ids: [Int64],
    _ db: Connection
  ) throws -> [Int64: [Int64]] {
    if ids.isEmpty { return [:] }
    let sql = """
      SELECT original_id, image_id FROM image_original WHERE original_id \(db.dialect.ids(1))
      ORDER BY image_id
      """
    let rows = try db.rows(sql, ids) { row in
      try (row.value(0) as Int64, row.value(1) as Int64)
    }
    return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
  }

  package static func original(
    _ hash: SHA256Digest,
    in folder: LibraryFolder,
    _ db: Connection
  ) throws -> ObjectOriginal? {
    try originals("sha256 = $1", [hash.hexadecimal], in: folder, db).first
  }

  package static func isPut(_ sha256: String, _ db: Connection) throws -> Bool {
    try db.hasRow(
      "SELECT 1 FROM original WHERE sha256 = $1 AND \(isPut(db.dialect))",
      sha256
    )
  }

  /// The original of an image if the object store has it.
  package static func putOriginal(
    imageID: Int64,
    in folder: LibraryFolder,
    _ db: Connection
  ) throws -> StoredOriginal? {
    guard var stored = try OriginalQueries.original(imageID: imageID, in: folder, db),
      let hash = SHA256Digest(hexadecimal: stored.sha256), try isPut(stored.sha256, db),
      let original = try original(hash, in: folder, db)
    else { return nil }
    // One flipped bit in the row would name another original.
    try RowSeal.putOriginal.check(original.id, db)
    stored.isAway = original.isAway
    return stored
  }

  /// A listed image whose original is away and has a given hash.
  package static func image(
    withAway hash: SHA256Digest,
    in folder: LibraryFolder,
    _ db: Connection
  ) throws -> Int64? {
    guard try isPut(hash.hexadecimal, db), try original(hash, in: folder, db)?.isAway == true
    else { return nil }
    return try OriginalQueries.image(withOriginal: hash, db)
  }

  /// The hashes that no original of the library has.
  package static func unknown(
    _ hashes: [SHA256Digest],
    _ db: Connection
  ) throws -> [SHA256Digest] {
    let sql = "SELECT sha256 FROM original WHERE sha256 "
    let digits = hashes.map(\.hexadecimal)
    // SQLite has no lists of texts, and a server takes as long for one row as for all.
    let known: [String] =
      switch db.dialect {
      case .sqlite: try digits.filter { try db.hasRow(sql + "= $1", $0) }
      case .postgres: try db.column(sql + db.dialect.ids(1), digits)
      }
    let set = Set(known)
    return hashes.filter { !set.contains($0.hexadecimal) }
  }

  // MARK: Noting

  /// The name of the library's object store; nil when the library has none.
  package static func store(_ db: Connection) throws -> String? { try db.value(storeSQL) }

  private static let storeSQL = "SELECT value FROM setting WHERE name = 'objects'"

  /// Notes the name of the store that has the library's objects.
  ///
  /// With SQLite, another store may take its place as long as all originals are on this disk. With PostgreSQL, other
  /// machines have files that this one does not know.
  ///
  /// - Throws: `otherObjects` when another store alone has some of the originals; then nothing is noted.
  package static func note(_ store: String, _ db: Connection) throws {
    let other: String? = try db.value(storeSQL + db.dialect.lock)
    if let other, other != store {
      guard db.dialect == .sqlite, try !db.hasRow("SELECT 1 FROM away_original LIMIT 1") else {
        throw StoreError(reason: .otherObjects, path: store, message: other)
      }
      // All originals are on this disk, and will be put into the new store.
      try db.run("DELETE FROM put_original")
    }
    if other == store { return }
    let sql = """
      INSERT INTO setting(name, value) VALUES ('objects', $1)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """
    try db.run(sql, store)
  }

  /// Records that an object store, given by its name, has an original.
  ///
  /// - Throws: `otherObjects` as above.
  package static func note(
    _ hash: SHA256Digest,
    in store: String,
    _ db: Connection
  ) throws {
    try note(store, db)
    switch db.dialect {
    case .sqlite:
      let sql = """
        INSERT INTO put_original(original_id, put_at)
        SELECT id, \(db.dialect.now) FROM original WHERE sha256 = $1
        ON CONFLICT DO NOTHING RETURNING original_id
        """
      let id: Int64? = try db.value(sql, hash.hexadecimal)
      if let id { try RowSeal.putOriginal.renew(id, db) }
    case .postgres:
      let sql = """
        UPDATE original SET put_at = \(db.dialect.now) WHERE sha256 = $1 AND put_at IS NULL
        """
      try db.run(sql, hash.hexadecimal)
    }
  }

  /// Records that the object store alone has an original, unless its file has come back by now.
  package static func noteFound(_ original: ObjectOriginal, _ db: Connection) throws {
    guard try DamageQueries.isMarked(original: original.id, db),
      let image = original.imageIDs.first
    else { return }
    if db.dialect == .sqlite {
      if FileSystem.size(of: original.path) != nil { return }
      let sql = """
        INSERT INTO away_original(original_id, bytes)
        SELECT original_id, original.bytes FROM put_original
        JOIN original ON original.id = original_id WHERE original_id = $1
        ON CONFLICT DO NOTHING
        """
      try db.run(sql, original.id)
    }
    try DamageQueries.mark(originalOf: image, as: .whole, db)
  }

  /// Forgets that the store has an original, and with it that it gave way here.
  package static func forget(
    _ hash: SHA256Digest,
    in folder: LibraryFolder,
    _ db: Connection
  ) throws {
    // The lock waits for an eviction to delete the file, so that its absence shows.
    let locking = "SELECT 1 FROM original WHERE sha256 = $1\(db.dialect.lock)"
    guard try db.hasRow(locking, hash.hexadecimal),
      let original = try original(hash, in: folder, db)
    else { return }
    let sql =
      switch db.dialect {
      case .sqlite: "DELETE FROM put_original WHERE original_id = $1"
      case .postgres: "UPDATE original SET put_at = NULL WHERE id = $1"
      }
    try db.run(sql, original.id)
    guard original.isAway, let image = original.imageIDs.first else { return }
    try DamageQueries.mark(originalOf: image, as: .missing, db)
  }
}

extension ObjectOriginal {
  /// Reads id, hash, format, length and whether it is away, which NULL leaves to its file.
  ///
  /// A value that this program did not write names no file and no object.
  fileprivate init?(_ row: Row, in folder: LibraryFolder) throws {
    guard let hash = try SHA256Digest(hexadecimal: row.value(1)),
      let format: ImageFormat = try row.value(raw: 2)
    else { return nil }
    let path = folder.original(sha256: hash.hexadecimal, format)
    try self.init(
      id: row.value(0),
      path: path,
      hash: hash,
      format: format,
      bytes: row.value(3),
      imageIDs: [],
      isAway: row.value(4) ?? (FileSystem.size(of: path) == nil)
    )
  }
}
