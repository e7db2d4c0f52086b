import FoundationEssentials
import Models
import Store
import Workers

/// The SQL that reads images for scenes, and the whole states of images.
enum ImageQueries {
  private static let selection = """
    SELECT image.id, feed_id, image.title, caption, author, licence, published_at, first_seen_at,
      page_address, thumbnail_address, original_address, width, height,
      thumbnail_format, thumbnail_bytes, thumbnail_width, thumbnail_height, thumbnail_sha256,
      original_state, is_gone, feed.address, coalesce(given_title, feed.title), reach, private_host,
      EXISTS (SELECT 1 FROM damage WHERE image_id = image.id AND kind = 0),
      EXISTS (SELECT 1 FROM damage WHERE image_id = image.id AND kind = 1),
      (SELECT gallery.address FROM mirror_feed AS mirrored
        JOIN feed AS gallery ON gallery.id = mirror_id WHERE mirrored.feed_id = feed.id)
    FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted(id, number)
    JOIN image ON image.id = wanted.id JOIN feed ON feed.id = feed_id
    WHERE is_hidden = 0 ORDER BY number
    """

  /// The visible images with the given ids, in the order of the ids.
  static func images(_ ids: [Int64], _ db: Connection) throws -> [WebImage] {
    var images = try db.rows(selection, ids).compactMap(image)
    try FailureQueries.fill(&images, db)
    return images
  }

  /// Nil for an invalid address, which this program never writes.
  private static func image(_ row: Row) throws -> WebImage? {
    guard let feed = try row.address(20), let original = try row.address(10) else { return nil }
    return try WebImage(
      id: row.value(0),
      feed: FeedReference(
        id: row.value(1),
        address: feed,
        title: row.value(21),
        reach: FeedReach(column: row.value(22), host: row.value(23)),
        gallery: row.address(26)
      ),
      title: row.value(2),
      caption: row.value(3),
      author: row.value(4),
      licence: row.value(5),
      published: row.date(6),
      firstSeen: Date(storedSeconds: row.value(7)),
      pageAddress: row.address(8),
      thumbnailAddress: row.address(9),
      originalAddress: original,
      width: row.value(11),
      height: row.value(12),
      thumbnail: row.picture(13, hash: row.hash(17)),
      original: row.value(raw: 18) ?? .missing,
      isGone: row.value(19),
      isThumbnailDamaged: row.value(24),
      isOriginalDamaged: row.value(25)
    )
  }
}
