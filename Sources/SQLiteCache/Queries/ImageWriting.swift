import GRDB
import Models
import Store
import Workers

/// The statements that write the images of one feed from its document, for one transaction.
struct ImageWriting {
  private let db: Database
  private let feedID: Int64
  private var insertion: ImageInsertion
  private let update: Statement
  private let placing: Statement
  private let adoption: Statement
  private let search: SearchWriting

  init(feedID: Int64, now: Int64, _ db: Database) throws {
    self.db = db
    self.feedID = feedID
    search = try SearchWriting(db)
    insertion = ImageInsertion(feedID: feedID, now: now, db)
    update = try db.cachedStatement(sql: Self.updateSQL)
    placing = try db.cachedStatement(
      sql: "UPDATE image SET position = ?, change_seq = \(ChangeLog.next) WHERE id = ?"
    )
    adoption = try db.cachedStatement(
      sql: """
        UPDATE image SET entry_id = ?, entry_hash = ?, thumbnail_hash = NULL,
          change_seq = \(ChangeLog.next) WHERE id = ?
        """
    )
  }

  /// Adds images; returns their ids, in order.
  ///
  /// All rows are written before their words: a statement of many rows makes the full-text index write the words that
  /// it has collected so far.
  mutating func insert(_ images: [NewImage]) throws -> [Int64] {
    let ids = try insertion.insert(images)
    for (id, new) in zip(ids, images) {
      try search.insert(id, new.image.fields, feedID: feedID)
    }
    return ids
  }

  func write(_ change: ImageChange) throws {
    switch change {
    case .update(let stored, let image, let effect): try update(stored, to: image, effect)
    case .wake(let id): try CheckQueries.wake(id, db)
    case .move(let id, let position): try placing.execute(arguments: [position, id])
    case .adopt(let id, let entryID): try adopt(id, by: entryID)
    case .disown(let stored): try disown(stored)
    }
  }

  /// Updates a stored image from a document.
  private func update(
    _ stored: StoredImage,
    to image: DocumentImage,
    _ effect: PictureEffect
  ) throws {
    try search.update(stored.id, from: stored.fields, to: image.fields, feedID: feedID)
    try update.execute(with: values(stored, effect, image))
  }

  /// Gives an image the id of the entry in which its address was found.
  private func adopt(_ id: Int64, by entryID: EntryID) throws {
    try RowSeal.image.change(id, db.store) {
      try adoption.execute(arguments: [entryID.text, entryID.hash, id])
    }
  }

  /// Removes the entry id of an image, because it was used twice.
  private func disown(_ stored: StoredImage) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE image SET entry_id = NULL, entry_hash = NULL, thumbnail_hash = ?,
          is_entry_ambiguous = 1, change_seq = \(ChangeLog.next) WHERE id = ?
        """
    )
    let thumbnailHash = stored.fields.thumbnailAddress.map(DocumentImage.hash)
    try RowSeal.image.change(stored.id, db.store) {
      try statement.execute(arguments: [thumbnailHash, stored.id])
    }
  }

  /// The values for the parameters of `updateSQL`.
  private func values(
    _ stored: StoredImage,
    _ effect: PictureEffect,
    _ image: DocumentImage
  ) -> StatementValues {
    let fields = image.fields
    let thumbnailHash = stored.entryID == nil ? image.thumbnailHash : nil
    let date = fields.date(firstSeen: stored.firstSeen)
    var values = StatementValues(count: 21)
    values.add(Self.state(effect.thumbnail)?.rawValue)
    values.add(effect.outdatesOriginal)
    values.add(effect.isRedated)
    values.add(date)
    values.add(fields.published)
    values.add(fields.width)
    values.add(fields.height)
    values.add(image.originalHash)
    values.add(thumbnailHash)
    values.add(textsOf: fields)
    values.add(
      RowChecksum.ofImage(
        id: stored.id,
        feedID: feedID,
        entry: stored.entryID.map(EntryID.init),
        image,
        thumbnailHash: thumbnailHash
      )
    )
    values.add(fields.shape)
    values.add(fields.bytes)
    values.add(stored.id)
    return values
  }

  /// The new state of a thumbnail; nil when it stays as it is.
  private static func state(_ effect: PictureEffect.Thumbnail) -> ThumbnailState? {
    switch effect {
    case .kept: nil
    case .wanted: .wanted
    case .unmade: .unmade
    }
  }

  /// Stored pictures become due when the date of the image has changed (?3), or when their checks had ended because the
  /// image had left the feed's documents.
  ///
  /// The states of the pictures may have changed since the image was looked up. So the statement derives the new states
  /// from the current ones.
  private static let updateSQL = """
    UPDATE image SET is_gone = 0,
      thumbnail_state = coalesce(?1, thumbnail_state),
      original_state = iif(?2 AND original_state = 1, 2, original_state),
      thumbnail_check_at = iif(
        ?1 IS NULL AND thumbnail_state IN (1, 3), iif(?3, 0, coalesce(thumbnail_check_at, 0)), NULL
      ),
      original_check_at = iif(
        original_state = 1 AND NOT ?2, iif(?3, 0, coalesce(original_check_at, 0)), NULL
      ),
      date = ?4, published_at = ?5, width = ?6, height = ?7,
      original_hash = ?8, thumbnail_hash = ?9, original_address = ?10, thumbnail_address = ?11,
      page_address = ?12, title = ?13, title_key = ?14, author = ?15, licence = ?16, caption = ?17,
      row_checksum = ?18, shape = coalesce(?19, \(ThumbnailDescription.shape)),
      declared_bytes = ?20, change_seq = \(ChangeLog.next)
    WHERE id = ?21
    """
}
