import FoundationEssentials
import GRDB
import Models

/// The columns of a `WebImage`, and how a row of them is read: by position, for speed.
enum ImageRow {
  static let columns = """
    image.id, feed_id, title, caption, author, licence, published_at, first_seen_at,
    page_address, thumbnail_address, original_address, width, height,
    thumbnail_format, thumbnail_bytes, thumbnail_width, thumbnail_height, original_state, is_gone
    """

  /// Nil for an address that is none: such a row was not written by this program.
  static func image(_ row: Row, _ feeds: FeedTitles) -> WebImage? {
    guard let feed = feeds[row[1]], let original = WebAddress(row[10]) else { return nil }
    return WebImage(
      id: row[0],
      feed: feed,
      title: row[2],
      caption: row[3],
      author: row[4],
      licence: row[5],
      published: (row[6] as Int64?).map(Date.init(storedSeconds:)),
      firstSeen: Date(storedSeconds: row[7]),
      pageAddress: (row[8] as String?).flatMap(WebAddress.init),
      thumbnailAddress: (row[9] as String?).flatMap(WebAddress.init),
      originalAddress: original,
      width: row[11],
      height: row[12],
      thumbnail: thumbnail(row),
      original: OriginalState(rawValue: row[17]) ?? .missing,
      isGone: row[18]
    )
  }

  private static func thumbnail(_ row: Row) -> PictureInfo? {
    guard let name = row[13] as String?, let format = ImageFormat(rawValue: name) else {
      return nil
    }
    return PictureInfo(format: format, bytes: row[14], width: row[15], height: row[16])
  }
}
