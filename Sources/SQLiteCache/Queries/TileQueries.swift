import FoundationEssentials
import GRDB
import LibraryFiles
import Models
import Store
import Workers

/// The SQL for a browser: tiles, and pictures by their hashes.
enum TileQueries {
  /// The query for tiles; it cuts captions before they are read, since a tile has only the first line.
  static let tileSQL = """
    SELECT image.id, title, CASE WHEN title IS NULL THEN substr(caption, 1, 1000) END,
      thumbnail_width, thumbnail_height, width, height, original_state, thumbnail_sha256, colours
    FROM json_each(?) CROSS JOIN image ON image.id = json_each.value
    WHERE is_hidden = 0 AND \(isFollowed)
    """

  /// The condition that the feed of an image is followed; a removal may not have hidden all of its images yet.
  private static let isFollowed = "(SELECT is_removed FROM feed WHERE feed.id = feed_id) = 0"

  static func tiles(_ ids: [Int64], _ db: Database) throws -> [ImageTile] {
    let list = "[\(ids.map(String.init).joined(separator: ","))]"
    let damage = try DamageQueries.kinds(ofImages: ids, db.store)
    var tiles: [Int64: ImageTile] = [:]
    tiles.reserveCapacity(ids.count)
    let rows = try Row.fetchCursor(db.cachedStatement(sql: tileSQL), arguments: [list])
    while let row = try rows.next() {
      let tile = try tile(row, damage)
      tiles[tile.id] = tile
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
      thumbnail: isDamaged ? nil : SHA256Digest(row, at: 8),
      aspectRatio: ImageTile.ratio(row.value(3), row.value(4))
        ?? ImageTile.ratio(row.value(5), row.value(6)),
      colours: (row.value(9) as Data?).map([UInt8].init),
      isOriginalStored: OriginalState(rawValue: row.value(7))?.isStored ?? false
    )
  }

  /// A thumbnail that may be read.
  struct Thumbnail: Equatable {
    var location: PackLocation
    var format: ImageFormat
  }

  static let thumbnailSQL = """
    SELECT pack_id, offset, thumbnail.bytes, thumbnail.checksum, thumbnail_format
    FROM image CROSS JOIN thumbnail ON thumbnail.image_id = image.id
    WHERE thumbnail_sha256 = ? AND is_hidden = 0 AND \(isFollowed) AND NOT EXISTS (
      SELECT 1 FROM damage WHERE damage.image_id = image.id
        AND kind = \(PictureKind.thumbnail.rawValue)
    )
    """

  /// The stored thumbnails with a hash: usually one, and more when images show the same picture.
  static func thumbnails(_ hash: SHA256Digest, _ db: Database) throws -> [Thumbnail] {
    var thumbnails: [Thumbnail] = []
    try db.cachedStatement(sql: thumbnailSQL).forEachRow(with: hash) { row in
      if let format = row.text(4).flatMap(ImageFormat.init(rawValue:)) {
        let location = PackLocation(
          packID: row.integer(0),
          offset: Int(row.integer(1).bounded),
          count: Int(row.integer(2).bounded),
          checksum: row.integer(3)
        )
        thumbnails.append(Thumbnail(location: location, format: format))
      }
      return thumbnails.count < Limits.samePictures
    }
    return thumbnails
  }

  /// The query for thumbnails without colours, with the condition and the order of an index.
  static let uncolouredSQL = """
    SELECT thumbnail_sha256 FROM image
    WHERE is_hidden = 0 AND thumbnail_sha256 IS NOT NULL AND colours IS NULL AND \(isFollowed)
    ORDER BY date DESC, position LIMIT ?
    """

  static func thumbnailsWithoutColours(limit: Int, _ db: Database) throws -> [SHA256Digest] {
    let statement = try db.cachedStatement(sql: uncolouredSQL)
    return try statement.rows([limit]) { row in try SHA256Digest(row, at: 0) }
  }

  static let colouringSQL = """
    UPDATE image SET colours = ?
    WHERE thumbnail_sha256 = ? AND is_hidden = 0 AND colours IS NULL AND \(isFollowed)
    """

  static func store(colours: [SHA256Digest: [UInt8]], _ db: Database) throws {
    let statement = try db.cachedStatement(sql: colouringSQL)
    for (hash, grid) in colours {
      try statement.execute(arguments: [Data(grid), Data(hash.bytes)])
    }
  }

  static let pictureSQL = """
    SELECT id FROM image WHERE thumbnail_sha256 = ?1 AND is_hidden = 0 AND \(isFollowed)
    UNION
    SELECT image.id FROM original
      CROSS JOIN image_original ON original_id = original.id
      CROSS JOIN image ON image.id = image_id
      WHERE sha256 = ?2 AND original_state <> \(OriginalState.missing.rawValue)
        AND is_hidden = 0 AND \(isFollowed)
    """

  /// The listed images that have a picture as their stored thumbnail or original.
  static func images(withPicture hash: SHA256Digest, _ db: Database) throws -> [Int64] {
    let arguments: StatementArguments = [Data(hash.bytes), hash.hexadecimal]
    return try Int64.fetchAll(db.cachedStatement(sql: pictureSQL), arguments: arguments)
  }
}
