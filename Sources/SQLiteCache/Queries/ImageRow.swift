import FoundationEssentials
import GRDB
import Models
import Store
import Workers

/// The columns of a `WebImage`, and how a row of them is read: by position, for speed.
enum ImageRow {
  static let columns = """
    image.id, feed_id, title, caption, author, licence, published_at, first_seen_at,
    page_address, thumbnail_address, original_address, width, height,
    thumbnail_format, thumbnail_bytes, thumbnail_width, thumbnail_height, original_state, is_gone,
    thumbnail_sha256
    """

  /// Reads the images whose ids a JSON array lists; the cross join walks the list and looks up each id.
  static let listSQL = """
    SELECT \(columns) FROM json_each(?) CROSS JOIN image ON image.id = json_each.value
    WHERE is_hidden = 0
    """

  /// The visible images with some ids, in the order of the ids.
  static func images(_ ids: [Int64], _ db: Database) throws -> [WebImage] {
    let list = "[\(ids.map(String.init).joined(separator: ","))]"
    let feeds = try FeedTitles(db)
    let damage = try DamageQueries.kinds(ofImages: ids, db.store)
    let mayBeHalfRemoved = !feeds.halfRemoved.isEmpty
    let statement = try db.cachedStatement(sql: listSQL)
    var images: [WebImage] = []
    images.reserveCapacity(ids.count)
    let rows = try Row.fetchCursor(statement, arguments: [list])
    while let row = try rows.next() {
      if mayBeHalfRemoved, try feeds.halfRemoved.contains(row.value(1)) { continue }
      if let image = try image(row, feeds, damage: damage) { images.append(image) }
    }
    // SQLite promises no order without ORDER BY, and would copy whole rows to sort them.
    let positions = Dictionary(zip(ids, 0...)) { first, _ in first }
    images.sort { positions[$0.id, default: 0] < positions[$1.id, default: 0] }
    try FailureQueries.fill(&images, db.store)
    return images
  }

  /// Nil for an invalid address: this program did not write such a row.
  static func image(
    _ row: Row,
    _ feeds: FeedTitles,
    damage: [Int64: Set<PictureKind>]
  ) throws -> WebImage? {
    guard let feed = try feeds[row.value(1)], let original = try WebAddress(row.value(10)) else {
      return nil
    }
    let id: Int64 = try row.value(0)
    let damaged = damage[id]
    return try WebImage(
      id: id,
      feed: feed,
      title: row.value(2),
      caption: row.value(3),
      author: row.value(4),
      licence: row.value(5),
      published: (row.value(6) as Int64?).map(Date.init(storedSeconds:)),
      firstSeen: Date(storedSeconds: row.value(7)),
      pageAddress: (row.value(8) as String?).flatMap(WebAddress.init),
      thumbnailAddress: (row.value(9) as String?).flatMap(WebAddress.init),
      originalAddress: original,
      width: row.value(11),
      height: row.value(12),
      thumbnail: thumbnail(row),
      original: OriginalState(rawValue: row.value(17)) ?? .missing,
      isGone: row.value(18),
      isThumbnailDamaged: damaged?.contains(.thumbnail) ?? false,
      isOriginalDamaged: damaged?.contains(.original) ?? false
    )
  }

  private static func thumbnail(_ row: Row) throws -> PictureInfo? {
    guard let name = try row.value(13) as String?, let format = ImageFormat(rawValue: name) else {
      return nil
    }
    return try PictureInfo(
      format: format,
      bytes: row.value(14),
      width: row.value(15),
      height: row.value(16),
      hash: SHA256Digest(row, at: 19)
    )
  }
}
