import GRDB
import Models

/// The statements that write what a document says of images, for one transaction.
struct ImageWriting {
  private let db: Database
  private var insertion: ImageInsertion
  private let update: Statement
  private let placing: Statement
  private let adoption: Statement
  private let search: SearchWriting

  init(_ db: Database) throws {
    self.db = db
    search = try SearchWriting(db)
    insertion = ImageInsertion(db)
    update = try db.cachedStatement(sql: Self.updateSQL)
    placing = try db.cachedStatement(sql: "UPDATE image SET place = ? WHERE id = ?")
    adoption = try db.cachedStatement(
      sql: "UPDATE image SET entry_id = ?, entry_hash = ?, thumbnail_hash = NULL WHERE id = ?"
    )
  }

  /// Adds images; answers with their ids, in their order.
  ///
  /// The rows come before the words: a statement of many rows has the index of words write what it has
  /// gathered so far.
  mutating func insert(_ rows: [NewImageRow]) throws -> [Int64] {
    let ids = try insertion.insert(rows)
    for (id, row) in zip(ids, rows) {
      try search.insert(id, row.image.fields, feedID: row.feedID)
    }
    return ids
  }

  /// Takes what a document says anew of a stored image.
  func update(_ stored: StoredImage, to image: DocumentImage, feedID: Int64) throws {
    try search.update(stored.id, from: stored.fields, to: image.fields, feedID: feedID)
    let states = PictureStates(stored, becoming: image)
    try update.execute(with: Self.values(stored, states, image, feedID: feedID))
  }

  /// Has servers asked again about the stored pictures of an image.
  func wake(_ id: Int64) throws { try CheckQueries.wake(id, db) }

  func move(_ id: Int64, to place: Int64) throws {
    try placing.execute(arguments: [place, id])
  }

  /// Gives an image the id of the entry that it was found in by its address.
  func adopt(_ id: Int64, by entryID: EntryID) throws {
    try RowSeal.image.change(id, db) {
      try adoption.execute(arguments: [entryID.text, entryID.hash, id])
    }
  }

  /// Takes the entry's id from an image: it has been used twice.
  func disown(_ stored: StoredImage) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE image SET entry_id = NULL, entry_hash = NULL, thumbnail_hash = ?,
          is_entry_ambiguous = 1 WHERE id = ?
        """
    )
    let thumbnailHash = stored.fields.thumbnailAddress.map(DocumentImage.hash)
    try RowSeal.image.change(stored.id, db) {
      try statement.execute(arguments: [thumbnailHash, stored.id])
    }
  }

  /// Marks an image as gone; says whether it was not so before.
  func markGone(_ id: Int64) throws -> Bool {
    try db.cachedStatement(sql: "UPDATE image SET is_gone = 1 WHERE id = ? AND is_gone = 0")
      .execute(arguments: [id])
    return db.changesCount > 0
  }

  /// For the parameters of the statement below.
  private static func values(
    _ stored: StoredImage,
    _ states: PictureStates,
    _ image: DocumentImage,
    feedID: Int64
  ) -> StatementValues {
    let fields = image.fields
    let thumbnailHash = stored.entryID == nil ? image.thumbnailHash : nil
    var values = StatementValues(count: 21)
    values.add(NewImageRow.date(published: fields.published, firstSeen: stored.firstSeen))
    values.add(fields.published)
    values.add(fields.width)
    values.add(fields.height)
    values.add(fields.shape)
    values.add(states.thumbnail.rawValue)
    values.add(states.original.rawValue)
    values.add(states.thumbnailCheck)
    values.add(states.originalCheck)
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
    values.add(stored.id)
    return values
  }

  private static let updateSQL = """
    UPDATE image SET is_gone = 0, date = ?, published_at = ?, width = ?, height = ?,
      shape = coalesce(?, \(ThumbnailDescription.shape)), thumbnail_state = ?, original_state = ?, thumbnail_check_at = ?, original_check_at = ?,
      original_hash = ?, thumbnail_hash = ?,
      original_address = ?, thumbnail_address = ?, page_address = ?,
      title = ?, title_key = ?, author = ?, licence = ?, caption = ?, row_checksum = ?
    WHERE id = ?
    """
}
