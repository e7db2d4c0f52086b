import FoundationEssentials
import LibraryFiles
package import Models
import Store
package import Workers

/// Each machine's folder is a cache of the object store.
///
/// An original that the store has is away on a machine that has no file of it.
extension PostgresLibrary: ObjectRecording {
  private static let selection = """
    SELECT original.id, sha256, format, original.bytes, ARRAY(
        SELECT image_id FROM image_original WHERE original_id = original.id ORDER BY image_id
      )::text
    FROM original
    """

  package func originalsToPut(
    after id: Int64,
    limit: Int
  ) async throws(StoreError) -> [ObjectOriginal] {
    var (found, last) = ([ObjectOriginal](), id)
    // Other machines put the originals that have no file here.
    while found.count < limit {
      let next = try await reading { [last] db in
        let sql = """
          \(Self.selection) WHERE id > $1 AND put_at IS NULL
            AND EXISTS (SELECT 1 FROM image_original WHERE original_id = original.id)
            AND NOT EXISTS (
              SELECT 1 FROM damage JOIN image_original AS held ON held.image_id = damage.image_id
              WHERE held.original_id = original.id AND kind = \(PictureKind.original.rawValue)
            )
          ORDER BY id LIMIT $2
          """
        return try db.rows(sql, last, limit).compactMap(self.original)
      }
      guard let end = next.last?.id else { break }
      found += next.filter { !$0.isAway }
      last = end
    }
    return Array(found.prefix(limit))
  }

  private func original(_ row: Row) throws -> ObjectOriginal? {
    guard let hash = try SHA256Digest(hexadecimal: row.value(1)),
      let format: ImageFormat = try row.value(raw: 2)
    else { return nil }
    let path = folder.original(sha256: hash.hexadecimal, format)
    return try ObjectOriginal(
      id: row.value(0),
      path: path,
      hash: hash,
      format: format,
      bytes: row.value(3),
      imageIDs: row.ids(4),
      isAway: FileSystem.size(of: path) == nil
    )
  }

  package func notePut(_ hash: SHA256Digest, in store: String) async throws(StoreError) {
    try await writing { db in
      try Self.note(store, db)
      let sql = "UPDATE original SET put_at = now_seconds() WHERE sha256 = $1 AND put_at IS NULL"
      try db.rows(sql, hash.hexadecimal)
    }
  }

  /// Notes the name of the store that has the objects.
  ///
  /// This machine does not know the files of other machines. So a library's objects must all be in one store.
  static func note(_ store: String, _ db: Connection) throws {
    let known = "SELECT value FROM setting WHERE name = 'objects' FOR UPDATE"
    let other: String? = try db.value(known)
    if let other, other != store {
      throw StoreError(reason: .otherObjects, path: store, message: other)
    }
    let setting = """
      INSERT INTO setting(name, value) VALUES ('objects', $1) ON CONFLICT (name) DO NOTHING
      """
    if other == nil { try db.rows(setting, store) }
  }

  package func putOriginals(
    after hash: SHA256Digest?,
    limit: Int
  ) async throws(StoreError) -> [ObjectOriginal] {
    try await reading { db in
      let sql = """
        \(Self.selection) WHERE sha256 > $1 AND put_at IS NOT NULL ORDER BY sha256 LIMIT $2
        """
      return try db.rows(sql, hash?.hexadecimal ?? "", limit).compactMap(self.original)
    }
  }

  package func lostOriginals(
    after hash: SHA256Digest?,
    limit: Int
  ) async throws(StoreError) -> [ObjectOriginal] {
    try await reading { db in
      let sql = """
        \(Self.selection) WHERE sha256 > $1 AND put_at IS NULL AND EXISTS (
          SELECT 1 FROM image_original AS held JOIN image ON image.id = held.image_id
          WHERE held.original_id = original.id
            AND original_state = \(OriginalState.missing.rawValue)
        )
        ORDER BY sha256 LIMIT $2
        """
      return try db.rows(sql, hash?.hexadecimal ?? "", limit).compactMap(self.original)
    }
  }

  package func noteFound(
    _ original: ObjectOriginal,
    in store: String
  ) async throws(StoreError) {
    try await notePut(original.hash, in: store)
    try await mark(.original(path: original.path, imageIDs: original.imageIDs), as: .whole)
  }

  package func forgetPut(_ hash: SHA256Digest) async throws(StoreError) {
    let original = try await writing { db in
      try db.rows("UPDATE original SET put_at = NULL WHERE sha256 = $1", hash.hexadecimal)
      let sql = "\(Self.selection) WHERE sha256 = $1"
      return try db.rows(sql, hash.hexadecimal).compactMap(self.original).first
    }
    guard let original, original.isAway else { return }
    try await mark(.original(path: original.path, imageIDs: original.imageIDs), as: .missing)
  }

  package func unknown(
    _ hashes: [SHA256Digest],
    _ kind: ObjectKind
  ) async throws(StoreError) -> [SHA256Digest] {
    try await reading { db in
      if kind == .pack {
        let sql = "SELECT sha256 FROM pack WHERE sha256 = ANY($1::bytea[])"
        let known = Set(try db.rows(sql, hashes).compactMap { $0.hash(0) })
        return hashes.filter { !known.contains($0) }
      }
      let sql = "SELECT sha256 FROM original WHERE sha256 = ANY($1::text[])"
      let known: Set<String> = Set(try db.column(sql, hashes.map(\.hexadecimal)))
      return hashes.filter { !known.contains($0.hexadecimal) }
    }
  }

  package func putOriginal(imageID: Int64) async throws(StoreError) -> StoredOriginal? {
    try await reading { db in
      guard var original = try OriginalQueries.original(imageID: imageID, in: self.folder, db),
        try db.hasRow(
          "SELECT 1 FROM original WHERE sha256 = $1 AND put_at IS NOT NULL",
          original.sha256
        )
      else { return nil }
      original.isAway = FileSystem.size(of: original.path) == nil
      return original
    }
  }

  package func image(withAwayOriginal hash: SHA256Digest) async throws(StoreError) -> Int64? {
    try await reading { db in
      let sql = "\(Self.selection) WHERE sha256 = $1 AND put_at IS NOT NULL"
      let original = try db.rows(sql, hash.hexadecimal).compactMap(self.original).first
      guard original?.isAway == true else { return nil }
      return try OriginalQueries.image(withOriginal: hash, db)
    }
  }
}
