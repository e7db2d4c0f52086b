import LibraryFiles
import Models
import Store
import Workers

/// Packs to which nothing is appended any more, named by the hash of their bytes, so that mirrors fetch thousands of
/// thumbnails with one request.
///
/// A thumbnail that is removed or replaced deletes the hash of its pack (the triggers of `thumbnail`). The room of the
/// hole is given back later, which changes the bytes. After that, the pack is hashed again.
extension SQLiteLibrary {
  /// Hashes full packs without a hash, at most `Limits.packsSealed` of them.
  func sealPacks() throws(StoreError) {
    for pack in try read({ db in try SealQueries.unsealed(limit: Limits.packsSealed, db) }) {
      let path = folder.pack(pack.id)
      guard let hash = try FileHash.sha256(ofFileAt: path, length: pack.bytes) else { continue }
      try write { db in try SealQueries.seal(pack, hash, db) }
    }
  }

  /// The sealed pack with a hash; nil when no pack has the hash.
  func sealedPack(_ hash: SHA256Digest) throws(StoreError) -> SealedPack? {
    guard let pack = try read({ db in try SealQueries.pack(hash, db) }) else { return nil }
    return SealedPack(path: folder.pack(pack.id), bytes: pack.bytes)
  }
}

enum SealQueries {
  struct Pack: Equatable {
    var id: Int64
    var bytes: Int
    /// The bytes of its holes, which show whether it has changed while it was hashed.
    var holes: Int
  }

  private static let packs = """
    SELECT id, bytes, (SELECT total(bytes) FROM pack_hole WHERE pack_id = pack.id) AS holes FROM pack
    """

  /// The full packs without a hash whose holes have all been given back.
  static func unsealed(limit: Int, _ db: Connection) throws -> [Pack] {
    let sql = """
      \(packs) WHERE bytes >= $1 AND sha256 IS NULL AND holes < bytes AND NOT EXISTS (
        SELECT 1 FROM pack_hole WHERE pack_id = pack.id AND is_given_back = 0
      ) ORDER BY id DESC LIMIT $2
      """
    return try db.rows(sql, Limits.packBytes, limit, element: pack)
  }

  /// Stores the hash of a pack, unless a hole has been made in it since.
  static func seal(_ pack: Pack, _ hash: SHA256Digest, _ db: Connection) throws {
    guard try db.row("\(packs) WHERE id = $1", pack.id, element: Self.pack) == pack else { return }
    let sql = "UPDATE pack SET sha256 = $1 WHERE id = $2 AND bytes = $3"
    try db.run(sql, hash, pack.id, pack.bytes)
  }

  static func pack(_ hash: SHA256Digest, _ db: Connection) throws -> Pack? {
    try db.row("\(packs) WHERE sha256 = $1", hash, element: pack)
  }

  /// The sealed packs in which every byte belongs to a thumbnail of a listed image.
  static func publicPacks(_ db: Connection) throws -> [SHA256Digest: Pack] {
    let sealed = "SELECT 1 FROM pack WHERE sha256 IS NOT NULL LIMIT 1"
    guard try db.hasRow(sealed) else { return [:] }
    let sql = """
      SELECT id, pack.bytes, 0.0, sha256 FROM (
        SELECT pack_id, sum(thumbnail.bytes) AS listed FROM thumbnail
        JOIN image ON image.id = image_id JOIN feed ON feed.id = feed_id
        WHERE is_hidden = 0 AND is_removed = 0 GROUP BY pack_id
      ) JOIN pack ON id = pack_id WHERE sha256 IS NOT NULL AND listed = pack.bytes
      """
    var packs: [SHA256Digest: Pack] = [:]
    try db.forEachRow(sql, with: Values()) { row in
      if let hash = row.hash(3) { packs[hash] = try pack(row) }
      return true
    }
    return packs
  }

  private static func pack(_ row: Row) throws -> Pack {
    try Pack(id: row.value(0), bytes: row.value(1), holes: Int(saturating: row.value(2)))
  }
}
