import GRDB
import Models
import Workers

/// The statements that write what a document says of the images of one feed, for one transaction.
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

  /// Adds images; answers with their ids, in their order.
  ///
  /// The rows come before the words: a statement of many rows has the index of words write what it has
  /// gathered so far.
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

  /// Takes what a document says now of a stored image.
  private func update(
    _ stored: StoredImage,
    to image: DocumentImage,
    _ effect: PictureEffect
  ) throws {
    try search.update(stored.id, from: stored.fields, to: image.fields, feedID: feedID)
    try update.execute(with: values(stored, effect, image))
  }

  /// Gives an image the id of the entry that it was found in by its address.
  private func adopt(_ id: Int64, by entryID: EntryID) throws {
    try RowSeal.image.change(id, db) {
      try adoption.execute(arguments: [entryID.text, entryID.hash, id])
    }
  }

  /// Takes the entry's id from an image: it has been used twice.
  private func disown(_ stored: StoredImage) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE image SET entry_id = NULL, entry_hash = NULL, thumbnail_hash = ?,
          is_entry_ambiguous = 1, change_seq = \(ChangeLog.next) WHERE id = ?
        """
    )
    let thumbnailHash = stored.fields.thumbnailAddress.map(DocumentImage.hash)
    try RowSeal.image.change(stored.id, db) {
      try statement.execute(arguments: [thumbnailHash, stored.id])
    }
  }

  /// For the parameters of the statement below.
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

  /// Nil for a thumbnail that is what it was.
  private static func state(_ effect: PictureEffect.Thumbnail) -> ThumbnailState? {
    switch effect {
    case .kept: nil
    case .wanted: .wanted
    case .unmade: .unmade
    }
  }

  /// Servers are asked about stored pictures at once when the date has changed (?3), and when they were asked no
  /// more because the image had left the feed's documents.
  ///
  /// What is stored of the pictures may have changed since the image was looked up: so what is written depends on
  /// what is there.
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
