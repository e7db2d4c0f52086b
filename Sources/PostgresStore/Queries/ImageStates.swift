import Models
import Workers

/// Reads the whole states of images.
enum ImageStates {
  /// By their ids; those that no followed feed has are left out.
  static func states(_ ids: [Int64], _ db: PostgresConnection) throws -> [Int64: ImageState] {
    if ids.isEmpty { return [:] }
    let found = try db.rows(sql, ids).compactMap(state)
    var states = Dictionary(found.map { ($0.id, $0) }) { _, last in last }
    let hasMembers = try db.hasRow("SELECT 1 FROM member LIMIT 1")
    if hasMembers {
      for id in states.keys { states[id]?.manifest = try MemberQueries.manifest(imageID: id, db) }
    }
    return states
  }

  private static let sql = """
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

  /// Nil for an invalid address: this program did not write such a row.
  private static func state(_ row: PostgresRow) throws -> ImageState? {
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

  private static func thumbnail(_ row: PostgresRow) throws -> ImageState.Thumbnail? {
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

  private static func original(_ row: PostgresRow) throws -> ImageState.Original? {
    guard let digits: String = try row.value(31), let hash = SHA256Digest(hexadecimal: digits),
      let info = try row.picture(27, hash: hash)
    else { return nil }
    let isStale = try row.value(26) == OriginalState.stale.rawValue
    return ImageState.Original(info: info, isStale: isStale)
  }
}
