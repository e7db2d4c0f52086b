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

  // MARK: States

  /// The states of images, by their ids; hidden images are left out.
  static func states(_ ids: [Int64], _ db: Connection) throws -> [Int64: ImageState] {
    if ids.isEmpty { return [:] }
    let found = try db.rows(stateSelection, ids).compactMap(state)
    var states = Dictionary(found.map { ($0.id, $0) }) { _, last in last }
    let hasMembers = try db.hasRow("SELECT 1 FROM member LIMIT 1")
    if hasMembers {
      for id in states.keys { states[id]?.manifest = try MemberQueries.manifest(imageID: id, db) }
    }
    return states
  }

  private static let stateSelection = """
    SELECT image.id, image.change_seq, feed_id, position, date, first_seen_at, entry_id,
      is_entry_ambiguous, is_gone, title, caption, author, licence, published_at, page_address,
      thumbnail_address, original_address, image.width, image.height, declared_bytes,
      thumbnail_state, thumbnail_format, thumbnail_bytes, thumbnail_width, thumbnail_height,
      CASE WHEN NOT EXISTS (SELECT 1 FROM damage WHERE image_id = image.id AND kind = 0)
        THEN thumbnail_sha256 END,
      original_state, original.format, original.bytes, original.width, original.height,
      CASE WHEN NOT EXISTS (SELECT 1 FROM damage WHERE image_id = image.id AND kind = 1)
        THEN original.sha256 END,
      colours
    FROM unnest($1::bigint[]) AS wanted(id) JOIN image ON image.id = wanted.id
    LEFT JOIN image_original AS held ON original_state <> 0 AND held.image_id = image.id
    LEFT JOIN original ON original.id = original_id
    WHERE is_hidden = 0
    """

  /// Nil for an invalid address, which this program never writes.
  private static func state(_ row: Row) throws -> ImageState? {
    guard try row.address(16) != nil else { return nil }
    var fields = try row.fields(9)
    fields.bytes = try row.value(19)
    return try ImageState(
      id: row.value(0),
      number: row.value(1),
      feedID: row.value(2),
      position: row.value(3),
      date: row.value(4),
      firstSeen: row.value(5),
      fields: fields,
      entryID: row.value(6),
      isEntryAmbiguous: row.value(7),
      isGone: row.value(8),
      thumbnail: thumbnail(row),
      original: original(row)
    )
  }

  private static func thumbnail(_ row: Row) throws -> ImageState.Thumbnail? {
    guard let hash = row.hash(25), let info = try row.picture(21, hash: hash) else { return nil }
    let state: ThumbnailState = try row.value(raw: 20) ?? .wanted
    let colours = try (row.value(32) as Bytes?)?.bytes
    return ImageState.Thumbnail(
      info: info,
      isMade: state == .made,
      isStale: !state.isRight,
      colours: colours?.count == ColourGrid.bytes ? colours : nil
    )
  }

  private static func original(_ row: Row) throws -> ImageState.Original? {
    guard let digits: String = try row.value(31), let hash = SHA256Digest(hexadecimal: digits),
      let info = try row.picture(27, hash: hash)
    else { return nil }
    let isStale = try row.value(26) == OriginalState.stale.rawValue
    return ImageState.Original(info: info, isStale: isStale)
  }
}
