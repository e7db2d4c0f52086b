import GRDB
import Models
import Store
import Workers

/// Reads the complete states of images, one by one, from one state of the library.
struct ImageStates {
  private let statement: Statement
  private let damage: [Int64: Set<PictureKind>]
  private let hasMembers: Bool
  private let db: Database

  /// - Parameters:
  ///   - ids: The images that will be asked for.
  ///   - db: A transaction.
  /// - Throws: when the library cannot be read.
  init(_ ids: [Int64], _ db: Database) throws {
    self.db = db
    statement = try db.cachedStatement(sql: Self.sql)
    damage = try DamageQueries.kinds(ofImages: ids, db.store)
    hasMembers = try Row.fetchOne(db.cachedStatement(sql: "SELECT 1 FROM member")) != nil
  }

  /// The state of an image; nil when no followed feed has it.
  func state(of id: Int64) throws -> ImageState? {
    guard var state = try statement.firstRow(with: id, { row in state(id, row) }) else {
      return nil
    }
    if hasMembers { state.manifest = try MemberQueries.manifest(imageID: id, db.store) }
    return state
  }

  static let sql = """
    SELECT image.change_seq, feed_id, position, date, first_seen_at, entry_id, is_entry_ambiguous, is_gone,
      title, caption, author, licence, published_at, page_address, thumbnail_address,
      original_address, image.width, image.height, declared_bytes,
      thumbnail_state, thumbnail_format, thumbnail_bytes, thumbnail_width, thumbnail_height,
      thumbnail_sha256, pack.sha256, thumbnail.offset,
      original_state, original.format, original.bytes, original.width, original.height, original.sha256,
      colours
    FROM image
    LEFT JOIN thumbnail ON thumbnail.image_id = image.id
    LEFT JOIN pack ON pack.id = thumbnail.pack_id
    LEFT JOIN image_original
      ON original_state <> \(OriginalState.missing.rawValue) AND image_original.image_id = image.id
    LEFT JOIN original ON original.id = original_id
    WHERE image.id = ?1 AND is_hidden = 0
      AND (SELECT is_removed FROM feed WHERE feed.id = feed_id) = 0
    """

  /// Nil for an invalid address: this program did not write such a row.
  private func state(_ id: Int64, _ row: RawRow) -> ImageState? {
    guard let fields = Self.fields(row) else { return nil }
    let damaged = damage[id] ?? []
    return ImageState(
      id: id,
      number: row.integer(0),
      feedID: row.integer(1),
      position: row.integer(2),
      date: row.integer(3),
      firstSeen: row.integer(4),
      fields: fields,
      entryID: row.text(5),
      isEntryAmbiguous: row.integer(6) != 0,
      isGone: row.integer(7) != 0,
      thumbnail: damaged.contains(.thumbnail) ? nil : Self.thumbnail(row),
      original: damaged.contains(.original) ? nil : Self.original(row)
    )
  }

  private static func fields(_ row: RawRow) -> ImageFields? {
    guard let original = row.text(15), WebAddress(original) != nil else { return nil }
    var fields = ImageFields(
      title: row.text(8),
      caption: row.text(9),
      author: row.text(10),
      licence: row.text(11),
      published: row.optionalInteger(12),
      pageAddress: row.text(13),
      thumbnailAddress: row.text(14),
      originalAddress: original,
      width: row.size(16),
      height: row.size(17)
    )
    fields.bytes = row.size(18)
    return fields
  }

  private static func thumbnail(_ row: RawRow) -> ImageState.Thumbnail? {
    guard let format = row.text(20).flatMap(ImageFormat.init(rawValue:)),
      let hash = row.hash(24)
    else { return nil }
    let state = ThumbnailState(rawValue: row.integer(19)) ?? .wanted
    return ImageState.Thumbnail(
      info: PictureInfo(
        format: format,
        bytes: row.size(21) ?? 0,
        width: row.size(22),
        height: row.size(23),
        hash: hash
      ),
      isMade: state == .made,
      isStale: !state.isRight,
      pack: row.hash(25).map { .init(hash: $0, offset: row.size(26) ?? 0) },
      colours: row.bytes(33).flatMap { $0.count == ColourGrid.bytes ? $0 : nil }
    )
  }

  private static func original(_ row: RawRow) -> ImageState.Original? {
    guard let format = row.text(28).flatMap(ImageFormat.init(rawValue:)),
      let hash = row.text(32).flatMap({ SHA256Digest(hexadecimal: $0) })
    else { return nil }
    let info = PictureInfo(
      format: format,
      bytes: row.size(29) ?? 0,
      width: row.size(30),
      height: row.size(31),
      hash: hash
    )
    let state = OriginalState(rawValue: Int(row.integer(27)))
    return ImageState.Original(info: info, isStale: state == .stale)
  }
}

extension [Int64] {
  /// A JSON array, for `json_each`.
  var json: String { "[\(map(String.init).joined(separator: ","))]" }
}
