import LibraryFiles
import Models
import Store
import Workers

/// The SQL that writes the images of a feed as a document describes them.
struct ImageWriting {
  let feedID: Int64
  /// The time at which new images are first seen, in seconds since 1970.
  let now: Int64
  let db: Connection

  /// Adds images with one COPY, and returns their ids in the same order.
  func insert(_ images: [NewImage]) throws -> [Int64] {
    if images.isEmpty { return [] }
    let sql = """
      SELECT nextval('image_id'), (SELECT next_change()) FROM generate_series(1, $1::bigint)
      """
    let numbers = try db.rows(sql, images.count).map { row in
      try (id: row.value(0) as Int64, change: row.value(1) as Int64)
    }
    var rows = NewRows(into: "image", Self.columns, count: images.count)
    for (number, new) in zip(numbers, images) {
      add(new, id: number.id, change: number.change, to: &rows.values)
    }
    try db.insert(rows)
    return numbers.map(\.id)
  }

  private static let columns = [
    "id", "change_seq", "feed_id", "first_seen_at", "position", "date", "published_at", "width",
    "height", "shape", "declared_bytes", "thumbnail_state", "is_entry_ambiguous", "entry_hash",
    "original_hash", "thumbnail_hash", "entry_id", "original_address", "thumbnail_address",
    "page_address", "title", "title_key", "author", "licence", "caption", "words",
  ]

  /// Adds a row of `columns`.
  private func add(_ new: NewImage, id: Int64, change: Int64, to row: inout Values) {
    let (image, fields) = (new.image, new.image.fields)
    let state: ThumbnailState = fields.thumbnailAddress == nil ? .unmade : .wanted
    let thumbnailHash = new.entryID == nil ? image.thumbnailHash : nil
    for number in [id, change, feedID, now, new.position, fields.date(firstSeen: now)] {
      row.add(number)
    }
    row.add(fields.published)
    for number in [fields.width, fields.height] { row.add(number) }
    row.add(fields.shape)
    row.add(fields.bytes)
    row.add(state.rawValue)
    row.add(new.isAmbiguous)
    for hash in [new.entryID?.hash, image.originalHash, thumbnailHash] { row.add(hash) }
    for text in [
      new.entryID?.text, fields.originalAddress, fields.thumbnailAddress, fields.pageAddress,
      fields.title, TitleKey.of(fields.title), fields.author, fields.licence, fields.caption,
      fields.words,
    ] { row.add(text) }
  }

  func write(_ change: ImageChange) throws {
    switch change {
    case .update(let stored, let image, let effect): try update(stored, to: image, effect)
    case .wake(let id): try wake(id)
    case .move(let id, let position):
      let sql = """
        UPDATE image SET position = $3, change_seq = next_change() WHERE feed_id = $1 AND id = $2
        """
      try db.rows(sql, feedID, id, position)
    case .adopt(let id, let entryID):
      let sql = """
        UPDATE image SET entry_id = $3, entry_hash = $4, thumbnail_hash = NULL,
          change_seq = next_change() WHERE feed_id = $1 AND id = $2
        """
      try db.rows(sql, feedID, id, entryID.text, entryID.hash)
    case .disown(let stored):
      let sql = """
        UPDATE image SET entry_id = NULL, entry_hash = NULL, thumbnail_hash = $3,
          is_entry_ambiguous = true, change_seq = next_change() WHERE feed_id = $1 AND id = $2
        """
      try db.rows(sql, feedID, stored.id, stored.fields.thumbnailAddress.map(DocumentImage.hash))
    }
  }

  /// Resumes asking servers about an image's stored pictures, if that had ended.
  private func wake(_ id: Int64) throws {
    let sql = """
      UPDATE image SET
        thumbnail_check_at = CASE WHEN thumbnail_state IN (1, 3) THEN coalesce(thumbnail_check_at, 0) END,
        original_check_at = CASE WHEN original_state = 1 THEN coalesce(original_check_at, 0) END
      WHERE feed_id = $1 AND id = $2
      """
    try db.rows(sql, feedID, id)
  }

  /// Updates a stored image as a document describes it now.
  ///
  /// The stored pictures may have changed since the image was looked up, so the statement decides by the row. Servers
  /// are asked about stored pictures at once when the date has changed. The same holds when the image had left the
  /// feed's documents.
  private func update(
    _ stored: StoredImage,
    to image: DocumentImage,
    _ effect: PictureEffect
  ) throws {
    let state: ThumbnailState? =
      switch effect.thumbnail {
      case .kept: nil
      case .wanted: .wanted
      case .unmade: .unmade
      }
    let fields = image.fields
    try db.rows(
      Self.updating,
      with: [
        feedID, stored.id, state?.rawValue, effect.outdatesOriginal, effect.isRedated,
        fields.date(firstSeen: stored.firstSeen), fields.published, fields.width, fields.height,
        image.originalHash, stored.entryID == nil ? image.thumbnailHash : nil,
        fields.originalAddress, fields.thumbnailAddress, fields.pageAddress, fields.title,
        TitleKey.of(fields.title), fields.author, fields.licence, fields.caption, fields.shape,
        fields.bytes, fields.words,
      ]
    )
  }

  private static let updating = """
    UPDATE image SET is_gone = false,
      thumbnail_state = coalesce($3::bigint, thumbnail_state),
      original_state = CASE WHEN $4::boolean AND original_state = 1 THEN 2 ELSE original_state END,
      thumbnail_check_at = CASE WHEN $3::bigint IS NULL AND thumbnail_state IN (1, 3)
        THEN CASE WHEN $5::boolean THEN 0 ELSE coalesce(thumbnail_check_at, 0) END END,
      original_check_at = CASE WHEN original_state = 1 AND NOT $4::boolean
        THEN CASE WHEN $5::boolean THEN 0 ELSE coalesce(original_check_at, 0) END END,
      date = $6, published_at = $7, width = $8, height = $9, original_hash = $10,
      thumbnail_hash = $11, original_address = $12, thumbnail_address = $13, page_address = $14,
      title = $15, title_key = $16, author = $17, licence = $18, caption = $19,
      shape = coalesce($20::bigint, \(shape)), declared_bytes = $21, words = $22::text::tsvector,
      change_seq = next_change()
    WHERE feed_id = $1 AND id = $2
    """

  /// The SQL of the stored thumbnail's shape.
  static let shape = "sign(thumbnail_width - thumbnail_height)"
}

extension ImageFields {
  /// The value of the column `words`.
  var words: String { SearchWords.vector(of: title, caption, author) }
}
