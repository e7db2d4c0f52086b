package import Models
package import Workers

/// The pictures that are to be fetched from a gallery.
extension MirrorQueries {
  package static func wantedThumbnails(
    ofMirror id: Int64,
    limit: Int,
    _ db: Connection
  ) throws -> [MirroredThumbnail] {
    let sql = """
      SELECT image_id, sha256, bytes, pack_sha256, pack_offset, thumbnail_address, original_address
      FROM mirror_thumbnail \(db.dialect.hint("mirror_thumbnail_pack"))
      JOIN image ON image.id = image_id
      WHERE mirror_id = $1 AND is_hidden = 0
      ORDER BY pack_sha256 NULLS FIRST, pack_offset NULLS FIRST, image_id LIMIT $2
      """
    return try db.rows(sql, id, limit) { row in
      let named = try row.address(5)
      guard let hash = row.hash(1), let address = try named ?? row.address(6) else { return nil }
      let offset: Int? = try row.value(4)
      return MirroredThumbnail(
        imageID: try row.value(0),
        hash: hash,
        bytes: try row.value(2),
        pack: row.hash(3).map { ImageState.PackReference(hash: $0, offset: offset ?? 0) },
        address: address,
        isMade: named == nil
      )
    }
  }

  /// Deletes the rows of wanted thumbnails that have been stored by now, as they came or made smaller.
  package static func forgetThumbnails(of imageIDs: [Int64], _ db: Connection) throws {
    guard !imageIDs.isEmpty, try db.mayHaveRows(in: "mirror_thumbnail") else { return }
    let sql = """
      DELETE FROM mirror_thumbnail WHERE image_id \(db.dialect.ids(1))
        AND (sha256 = (SELECT thumbnail_sha256 FROM image WHERE id = image_id)
          OR \(db.dialect.hex("sha256")) = (
            SELECT source_sha256 FROM thumbnail AS had
            WHERE had.image_id = mirror_thumbnail.image_id
          ))
      """
    try db.run(sql, imageIDs)
  }

  package static func wantedOriginals(
    ofMirror id: Int64,
    before imageID: Int64,
    limit: Int,
    _ db: Connection
  ) throws -> [MirroredOriginal] {
    let sql = """
      \(originals) WHERE mirror_id = $1 AND held.image_id < $2
        AND original_sha256 IS NOT NULL AND is_hidden = 0 AND NOT EXISTS (
          SELECT 1 FROM image_original AS own JOIN original ON original.id = own.original_id
          WHERE own.image_id = held.image_id AND sha256 = \(db.dialect.hex("original_sha256"))
        ) ORDER BY held.image_id DESC LIMIT $3
      """
    return try db.rows(sql, id, imageID, limit, element: original)
  }

  package static func original(imageID: Int64, _ db: Connection) throws -> MirroredOriginal? {
    let sql = """
      \(originals) WHERE held.image_id = $1 AND original_sha256 IS NOT NULL
        AND NOT gallery.is_removed
      """
    return try db.row(sql, imageID, element: original)
  }

  package static func imageID(
    withOriginal hash: SHA256Digest,
    besides imageID: Int64,
    _ db: Connection
  ) throws -> Int64? {
    let join = db.dialect.joinInOrder
    let sql = """
      SELECT other.image_id FROM original \(join) image_original AS own ON own.original_id = original.id
      \(join) mirror_image AS other ON other.image_id = own.image_id
      WHERE sha256 = $1 AND other.image_id <> $2
        AND other.mirror_id = (SELECT mirror_id FROM mirror_image WHERE image_id = $2)
        AND NOT EXISTS (
          SELECT 1 FROM damage
          WHERE damage.image_id = other.image_id AND kind = \(PictureKind.original.rawValue)
        )
      LIMIT 1
      """
    return try db.value(sql, hash.hexadecimal, imageID)
  }

  private static let originals = """
    SELECT held.image_id, original_sha256, image.original_address, gallery.address, gallery.reach,
      gallery.private_host
    FROM mirror_image AS held JOIN image ON image.id = held.image_id
    JOIN feed AS gallery ON gallery.id = mirror_id
    """

  private static func original(_ row: Row) throws -> MirroredOriginal? {
    guard let hash = row.hash(1), let address = try row.address(2),
      let gallery = try row.address(3)
    else { return nil }
    return try MirroredOriginal(
      imageID: row.value(0),
      hash: hash,
      address: address,
      gallery: gallery,
      reach: FeedReach(column: row.value(4), host: row.value(5))
    )
  }
}
