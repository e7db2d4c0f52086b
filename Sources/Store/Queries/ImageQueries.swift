import FoundationEssentials
package import Models
import Workers

/// The SQL that reads images for scenes.
package enum ImageQueries {
  /// The condition that an image is listed.
  ///
  /// A removal of its feed may not have hidden all of its images yet.
  package static let isListed = """
    is_hidden = 0 AND NOT (SELECT is_removed FROM feed WHERE feed.id = feed_id)
    """

  /// Reads images with some ids: in SQLite, the join walks the list and looks up each id.
  package static func listSQL(_ dialect: Dialect) -> String {
    """
    SELECT image.id, feed_id, title, caption, author, licence, published_at, page_address,
      thumbnail_address, original_address, width, height, first_seen_at,
      thumbnail_format, thumbnail_bytes, thumbnail_width, thumbnail_height, thumbnail_sha256,
      original_state, is_gone
    FROM \(dialect.list(1)) \(dialect.joinInOrder) image ON image.id = list.value
    WHERE is_hidden = 0
    """
  }

  /// The listed images with some ids, in the order of the ids.
  package static func images(_ ids: [Int64], _ db: Connection) throws -> [WebImage] {
    if ids.isEmpty { return [] }
    let feeds = try FeedReferences.references(ofImages: ids, db)
    let damage = try DamageQueries.kinds(ofImages: ids, db)
    var images = try db.rows(listSQL(db.dialect), ids) { row in try image(row, feeds, damage) }
    // SQLite promises no order without ORDER BY, and would copy whole rows to sort them.
    let positions = Dictionary(zip(ids, 0...)) { first, _ in first }
    images.sort { positions[$0.id, default: 0] < positions[$1.id, default: 0] }
    try FailureQueries.fill(&images, db)
    return images
  }

  /// Nil for an image of a removed feed, and for an invalid address, which this program never writes.
  private static func image(
    _ row: Row,
    _ feeds: [Int64: FeedReference],
    _ damage: [Int64: Set<PictureKind>]
  ) throws -> WebImage? {
    guard let feed = try feeds[row.value(1)], let original = try row.address(9) else { return nil }
    let id: Int64 = try row.value(0)
    let damaged = damage[id]
    return try WebImage(
      id: id,
      feed: feed,
      title: row.value(2),
      caption: row.value(3),
      author: row.value(4),
      licence: row.value(5),
      published: row.date(6),
      firstSeen: Date(storedSeconds: row.value(12)),
      pageAddress: row.address(7),
      thumbnailAddress: row.address(8),
      originalAddress: original,
      width: row.value(10),
      height: row.value(11),
      thumbnail: row.picture(13, hash: row.hash(17)),
      original: row.value(raw: 18) ?? .missing,
      isGone: row.value(19),
      isThumbnailDamaged: damaged?.contains(.thumbnail) ?? false,
      isOriginalDamaged: damaged?.contains(.original) ?? false
    )
  }
}
