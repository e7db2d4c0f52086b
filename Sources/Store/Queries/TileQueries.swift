package import LibraryFiles
package import Models
package import Workers

/// The SQL for a browser: tiles, and pictures by their hashes.
package enum TileQueries {
  /// The query for tiles; it cuts captions before they are read, since a tile has only the first line.
  ///
  /// PostgreSQL plans a query again for each array that it sees, which takes 100 ms for 2,000 ids. A subquery hides the
  /// array: one plan serves all, and the query takes 20 ms.
  package static func tileSQL(_ dialect: Dialect) -> String {
    let images =
      switch dialect {
      case .sqlite:
        "\(dialect.list(1)) CROSS JOIN image ON image.id = list.value WHERE \(ImageQueries.isListed)"
      case .postgres:
        "image WHERE id = ANY(CAST((SELECT $1) AS bigint[])) AND \(ImageQueries.isListed)"
      }
    return """
      SELECT image.id, title, CASE WHEN title IS NULL THEN substr(caption, 1, 1000) END,
        thumbnail_width, thumbnail_height, width, height, original_state, thumbnail_sha256, colours,
        EXISTS (SELECT 1 FROM pin WHERE image_id = image.id)
      FROM \(images)
      """
  }

  package static func tiles(_ ids: [Int64], _ db: Connection) throws -> [ImageTile] {
    if ids.isEmpty { return [] }
    let damage = try DamageQueries.kinds(ofImages: ids, db)
    var tiles: [Int64: ImageTile] = [:]
    tiles.reserveCapacity(ids.count)
    try db.forEachRow(tileSQL(db.dialect), with: Values([ids])) { row in
      let tile = try tile(row, damage)
      tiles[tile.id] = tile
      return true
    }
    return ids.compactMap { tiles[$0] }
  }

  private static func tile(
    _ row: Row,
    _ damage: [Int64: Set<PictureKind>]
  ) throws -> ImageTile {
    let id: Int64 = try row.value(0)
    let isDamaged = damage[id]?.contains(.thumbnail) ?? false
    return try ImageTile(
      id: id,
      name: ImageTile.name(title: row.value(1), caption: row.value(2)),
      thumbnail: isDamaged ? nil : row.hash(8),
      aspectRatio: ImageTile.ratio(row.value(3), row.value(4))
        ?? ImageTile.ratio(row.value(5), row.value(6)),
      colours: (row.value(9) as Bytes?)?.bytes,
      isOriginalStored: (row.value(raw: 7) as OriginalState?)?.isStored ?? false,
      isPinned: row.value(10)
    )
  }

  // MARK: Colours

  /// The query for thumbnails without colours, with the condition and the order of an index.
  package static let uncolouredSQL = """
    SELECT thumbnail_sha256 FROM image
    WHERE thumbnail_sha256 IS NOT NULL AND colours IS NULL AND \(ImageQueries.isListed)
    ORDER BY date DESC, position LIMIT $1
    """

  package static func thumbnailsWithoutColours(
    limit: Int,
    _ db: Connection
  ) throws -> [SHA256Digest] {
    try db.rows(uncolouredSQL, limit) { row in row.hash(0) }
  }

  package static let colouringSQL = """
    UPDATE image SET colours = $1
    WHERE thumbnail_sha256 = $2 AND colours IS NULL AND \(ImageQueries.isListed)
    """

  package static func store(colours: [SHA256Digest: [UInt8]], _ db: Connection) throws {
    for (hash, grid) in colours { try db.run(colouringSQL, Bytes(grid), hash) }
  }

  // MARK: Pictures by their hashes

  package static func pictureSQL(_ dialect: Dialect) -> String {
    """
    SELECT id FROM image WHERE thumbnail_sha256 = $1 AND \(ImageQueries.isListed)
    UNION
    SELECT image.id FROM original
    \(dialect.joinInOrder) image_original ON original_id = original.id
    \(dialect.joinInOrder) image ON image.id = image_id
    WHERE sha256 = $2 AND original_state <> \(OriginalState.missing.rawValue)
      AND \(ImageQueries.isListed)
    """
  }

  /// The listed images that have a picture as their stored thumbnail or original.
  package static func images(
    withPicture hash: SHA256Digest,
    _ db: Connection
  ) throws -> [Int64] {
    let images: [Int64] = try db.column(pictureSQL(db.dialect), hash, hash.hexadecimal)
    let others = try FolderQueries.images(withOriginal: hash, db)
    return images + others.filter { !images.contains($0) }
  }

  /// A thumbnail in a folder that may be read.
  package struct Thumbnail: Equatable {
    package var location: PackLocation
    package var format: ImageFormat
  }

  package static let thumbnailSQL = """
    SELECT pack_id, offset, thumbnail.bytes, thumbnail.checksum, thumbnail_format
    FROM image CROSS JOIN thumbnail ON thumbnail.image_id = image.id
    WHERE thumbnail_sha256 = $1 AND \(ImageQueries.isListed) AND NOT EXISTS (
      SELECT 1 FROM damage WHERE damage.image_id = image.id
        AND kind = \(PictureKind.thumbnail.rawValue)
    )
    """

  /// How many thumbnails with the same hash are tried until one can be read.
  private static let samePictures = 8

  /// The stored thumbnails of a folder with a hash: usually one, and more when images show the same picture.
  package static func thumbnails(_ hash: SHA256Digest, _ db: Connection) throws -> [Thumbnail] {
    var thumbnails: [Thumbnail] = []
    try db.forEachRow(thumbnailSQL, with: Values([hash])) { row in
      guard let format: ImageFormat = try row.value(raw: 4) else { return true }
      let location = try PackLocation(
        packID: row.value(0),
        offset: row.value(1),
        count: row.value(2),
        checksum: row.value(3)
      )
      thumbnails.append(Thumbnail(location: location, format: format))
      return thumbnails.count < samePictures
    }
    return thumbnails
  }
}
