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
      SELECT \(thumbnailColumns)
      FROM mirror_thumbnail \(db.dialect.hint("mirror_thumbnail_pack"))
      JOIN image ON image.id = image_id
      WHERE mirror_id = $1 AND is_hidden = 0
      ORDER BY pack_sha256 NULLS FIRST, pack_offset NULLS FIRST, image_id LIMIT $2
      """
    return try db.rows(sql, id, limit, element: thumbnail)
  }

  /// The thumbnail of an image that is to be fetched from its gallery; nil if none is.
  package static func wantedThumbnail(
    imageID: Int64,
    _ db: Connection
  ) throws -> MirroredThumbnail? {
    let sql = """
      SELECT \(thumbnailColumns) FROM mirror_thumbnail JOIN image ON image.id = image_id
      WHERE image_id = $1 AND is_hidden = 0
      """
    return try db.row(sql, imageID, element: thumbnail)
  }

  private static let thumbnailColumns =
    "image_id, sha256, bytes, pack_sha256, pack_offset, thumbnail_address, original_address"

  private static func thumbnail(_ row: Row) throws -> MirroredThumbnail? {
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

  /// The condition that an image has the thumbnail of its gallery, or another one until that comes.
  ///
  /// Then none is made here, because the copy would differ from its gallery. While no sound thumbnail is here, one that
  /// is made here is better than none, and gives way to that of the gallery: the gallery may be gone for good.
  static func hasThumbnail(_ dialect: Dialect) -> String {
    """
    (thumbnail_sha256 IS NOT NULL AND \(isSound)
        AND EXISTS (SELECT 1 FROM mirror_thumbnail AS coming WHERE coming.image_id = image.id)
      OR EXISTS (
        SELECT 1 FROM mirror_image AS held JOIN thumbnail AS had ON had.image_id = held.image_id
        WHERE held.image_id = image.id AND \(isOfGallery(dialect))
      ))
    """
  }

  /// The condition that the thumbnail of an image is not known to be damaged.
  private static let isSound = """
    NOT EXISTS (
      SELECT 1 FROM damage
      WHERE damage.image_id = image.id AND kind = \(PictureKind.thumbnail.rawValue)
    )
    """

  /// The condition that the stored thumbnail `had` of a mirrored image `held` is that of the gallery, maybe made smaller.
  ///
  /// One that was made here, because the gallery had none, comes from an original that the library knows, or from the
  /// gallery's, which may have given way here. After it was damaged, it is to be made again. A damaged one of the gallery
  /// is known by its row in `mirror_thumbnail`.
  private static func isOfGallery(_ dialect: Dialect) -> String {
    let right = [ThumbnailState.stored, .made].map { "\($0.rawValue)" }.joined(separator: ", ")
    return """
      held.origin_seq >= 0 AND image.thumbnail_state IN (\(right)) AND \(isSound)
        AND (had.source_sha256 = \(dialect.hex("held.original_sha256"))) IS NOT TRUE
        AND NOT EXISTS (SELECT 1 FROM original AS known WHERE known.sha256 = had.source_sha256)
      """
  }

  /// Wants the gallery's thumbnail of an image again, because the stored one is damaged, and not marked so yet.
  ///
  /// How long the gallery's is, is not known if it was made smaller here.
  static func wantAgain(thumbnailOf imageID: Int64, _ db: Connection) throws {
    guard try db.mayHaveRows(in: "mirror_image") else { return }
    let sql = """
      SELECT held.mirror_id, thumbnail_sha256, thumbnail_bytes, had.source_sha256
      FROM mirror_image AS held JOIN image ON image.id = held.image_id
      JOIN thumbnail AS had ON had.image_id = held.image_id
      WHERE held.image_id = $1 AND \(isOfGallery(db.dialect))
      """
    let row = try db.row(sql, imageID) { row -> (Int64, SHA256Digest, Int64)? in
      let source = try (row.value(3) as String?).map(SHA256Digest.init(hexadecimal:))
      let length: Int64 = try source == nil ? row.value(2) : Int64(Int32.max)
      guard let hash = source ?? row.hash(1) else { return nil }
      return (try row.value(0), hash, length)
    }
    guard let (mirror, hash, length) = row else { return }
    let insertion = """
      INSERT INTO mirror_thumbnail(image_id, mirror_id, sha256, bytes) VALUES ($1, $2, $3, $4)
      ON CONFLICT DO NOTHING
      """
    try db.run(insertion, imageID, mirror, hash, length)
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
      SELECT \(columns) \(tables) WHERE mirror_id = $1 AND held.image_id < $2
        AND original_sha256 IS NOT NULL AND is_hidden = 0 AND NOT EXISTS (
          SELECT 1 FROM image_original AS own JOIN original ON original.id = own.original_id
          WHERE own.image_id = held.image_id AND sha256 = \(db.dialect.hex("original_sha256"))
        ) ORDER BY held.image_id DESC LIMIT $3
      """
    return try db.rows(sql, id, imageID, limit, element: original)
  }

  package static func original(imageID: Int64, _ db: Connection) throws -> MirroredOriginal? {
    let sql = """
      SELECT \(columns), held.origin_id, own.address, mirror.library \(tables)
      JOIN feed AS own ON own.id = image.feed_id JOIN mirror ON mirror.feed_id = gallery.id
      WHERE held.image_id = $1 AND NOT gallery.is_removed
      """
    return try db.row(sql, imageID) { row in
      guard var original = try original(row) else { return nil }
      original.untold = try untold(original, row)
      return original.hash == nil && original.untold == nil ? nil : original
    }
  }

  /// The gallery's present address of an original that is a file of its machine; nil for any other original.
  ///
  /// The feed of such an image names the library of the gallery, wherever that was when it told the feed. So the address
  /// of an original that this gallery has from a third one leads to that one, even if it has the same form.
  private static func untold(_ original: MirroredOriginal, _ row: Row) throws -> WebAddress? {
    let (id, library): (Int64, String) = try (row.value(6), row.value(8))
    let (address, feed) = try (original.address, row.address(7))
    let gallery = GalleryAddress(base: original.gallery, isStatic: false)
    let isUntoldFeed = feed.map { $0.isFile || GalleryAddress.isUntoldFeed($0, of: library) }
    let standsForFile =
      isUntoldFeed == true && GalleryAddress.isUntoldOriginal(address, ofImage: id)
    let isUntold = address.isFile || standsForFile || address == gallery.original(ofImage: id)
    return isUntold ? gallery.arriving(ofImage: id) : nil
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

  private static let columns = """
    held.image_id, original_sha256, image.original_address, gallery.address, gallery.reach,
      gallery.private_host
    """

  private static let tables = """
    FROM mirror_image AS held JOIN image ON image.id = held.image_id
    JOIN feed AS gallery ON gallery.id = mirror_id
    """

  private static func original(_ row: Row) throws -> MirroredOriginal? {
    guard let address = try row.address(2), let gallery = try row.address(3) else { return nil }
    return try MirroredOriginal(
      imageID: row.value(0),
      hash: row.hash(1),
      address: address,
      gallery: gallery,
      reach: FeedReach(column: row.value(4), host: row.value(5))
    )
  }
}
