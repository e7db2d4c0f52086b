import Models
package import Workers

/// The SQL that writes the images of a feed, as a document or another library describes them.
package struct ImageWriting {
  private let feedID: Int64
  /// The time at which new images are first seen, in seconds since 1970.
  private let now: Int64
  private let db: Connection
  private let search: SearchWriting

  package init(feedID: Int64, now: Int64, _ db: Connection) {
    self.feedID = feedID
    self.now = now
    self.db = db
    search = SearchWriting(db)
  }

  // MARK: New images

  /// Adds images; returns their ids, in order.
  ///
  /// All rows are written before their words: a statement of many rows makes the full-text index write the words that
  /// it has collected so far. After an error, the transaction must be rolled back.
  package func insert(_ images: [NewImage]) throws -> [Int64] {
    if images.isEmpty { return [] }
    let ids = try newIDs(images.count)
    guard ids.count == images.count,
      let change: Int64 = try db.value("SELECT \(db.dialect.nextChange)")
    else { throw UnexpectedAnswer("a new image has no number") }
    let columns = Self.ownColumns + ImageDescription.keys + ImageDescription.columns(db.dialect)
    var rows = NewRows(into: "image", columns, count: images.count)
    for (id, new) in zip(ids, images) { add(new, id, change, to: &rows.values) }
    try db.insert(rows)
    try RenditionQueries.add(zip(ids, images).map { ($0, $1.image.fields) }, db)
    for (id, new) in zip(ids, images) {
      try search.insert(id, new.image.fields, feedID: feedID)
    }
    return ids
  }

  private static let ownColumns = [
    "id", "change_seq", "position", "thumbnail_state", "is_entry_ambiguous",
  ]

  private func add(_ new: NewImage, _ id: Int64, _ change: Int64, to values: inout Values) {
    let hasThumbnail = new.image.fields.thumbnailAddress != nil
    let state: ThumbnailState = hasThumbnail ? .wanted : .unmade
    values.add(id)
    values.add(change)
    values.add(new.position)
    values.add(state.rawValue)
    values.add(new.isAmbiguous)
    let description = ImageDescription(
      id: id,
      feedID: feedID,
      entry: new.entryID,
      firstSeen: now,
      image: new.image
    )
    description.addKeys(to: &values)
    description.addColumns(to: &values, db.dialect)
  }

  /// Ids that no image has ever had.
  ///
  /// SQLite does not promise consecutive ids within a statement. So they are assigned here, and continue SQLite's own
  /// sequence (sqlite.org/autoinc.html).
  private func newIDs(_ count: Int) throws -> [Int64] {
    switch db.dialect {
    case .sqlite:
      let highest: Int64 = try db.value(Self.highestID) ?? 0
      // Only a damaged file has such a high id.
      guard highest == highest.bounded else { throw UnexpectedAnswer("no id is left") }
      return (1...Int64(count)).map { highest + $0 }
    case .postgres:
      return try db.column("SELECT nextval('image_id') FROM generate_series(1, $1)", count)
    }
  }

  /// The highest id that was ever assigned, from SQLite's sequence and from the table.
  ///
  /// A file that was damaged, or recovered from its rows, may have lost the sequence.
  private static let highestID = """
    SELECT max(
      coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'image'), 0),
      coalesce((SELECT max(id) FROM image), 0)
    )
    """

  // MARK: Images of a document

  /// Changes a stored image.
  package func write(_ change: ImageChange) throws {
    switch change {
    case .update(let stored, let image, let effect): try update(stored, to: image, effect)
    case .renditions(let addresses, let id): try RenditionQueries.set(addresses, of: id, db)
    case .wake(let id): try wake(id)
    case .move(let id, let position): try move(id, to: position)
    case .adopt(let id, let entryID): try adopt(id, by: entryID)
    case .disown(let stored): try disown(stored)
    }
  }

  private func move(_ id: Int64, to position: Int64) throws {
    let sql = """
      UPDATE image SET position = $3, change_seq = \(db.dialect.nextChange)
      WHERE feed_id = $1 AND id = $2
      """
    try db.run(sql, feedID, id, position)
  }

  /// Gives an image the id of the entry in which it was found.
  private func adopt(_ id: Int64, by entryID: EntryID) throws {
    let sql = """
      UPDATE image SET entry_id = $3, entry_hash = $4, thumbnail_hash = NULL,
        change_seq = \(db.dialect.nextChange)
      WHERE feed_id = $1 AND id = $2
      """
    try RowSeal.image.change(id, db) {
      try db.run(sql, feedID, id, entryID.text, entryID.hash)
    }
  }

  /// Removes the entry id of an image, because it was used twice.
  private func disown(_ stored: StoredImage) throws {
    let sql = """
      UPDATE image SET entry_id = NULL, entry_hash = NULL, thumbnail_hash = $3,
        is_entry_ambiguous = true, change_seq = \(db.dialect.nextChange)
      WHERE feed_id = $1 AND id = $2
      """
    let thumbnailHash = DocumentImage.thumbnailHash(of: stored.fields)
    try RowSeal.image.change(stored.id, db) {
      try db.run(sql, feedID, stored.id, thumbnailHash)
    }
  }

  /// Makes the stored pictures of an image due if their servers are not asked any more.
  private func wake(_ id: Int64) throws {
    let sql = """
      UPDATE image SET
        thumbnail_check_at = CASE WHEN thumbnail_state IN (1, 3)
          THEN coalesce(thumbnail_check_at, \(FolderQueries.dueAgain)) END,
        original_check_at = CASE WHEN original_state <> 0
          THEN coalesce(original_check_at, \(FolderQueries.dueAgain)) END
      WHERE feed_id = $1 AND id = $2
      """
    try db.run(sql, feedID, id)
  }

  /// Updates a stored image from a document.
  private func update(
    _ stored: StoredImage,
    to image: DocumentImage,
    _ effect: PictureEffect
  ) throws {
    try search.update(stored.id, from: stored.fields, to: image.fields, feedID: feedID)
    var values = Values(count: 22)
    values.add(feedID)
    values.add(stored.id)
    values.add(effect.newState?.rawValue)
    values.add(effect.outdatesOriginal)
    values.add(effect.isRedated)
    let description = ImageDescription(
      id: stored.id,
      feedID: feedID,
      entry: stored.entryID.map(EntryID.init),
      firstSeen: stored.firstSeen,
      image: image
    )
    description.addColumns(to: &values, db.dialect)
    try db.forEachRow(Self.updating[db.dialect], with: values) { _ in true }
    try RenditionQueries.set(image.fields.renditions, of: stored.id, db)
    let (old, new) = (stored.fields, image.fields)
    if !effect.outdatesOriginal {
      try FailureQueries.renew(stored.id, from: old.originalAddress, to: new.originalAddress, db)
    }
    if effect.thumbnail == .kept {
      try FailureQueries.renew(stored.id, from: old.thumbnailAddress, to: new.thumbnailAddress, db)
    }
  }

  /// Stored pictures become due when the date of the image has changed ($5), or when their checks had ended because the
  /// image had left the feed's documents.
  ///
  /// The states of the pictures may have changed since the image was looked up. So the statement derives the new states
  /// from the current ones. A thumbnail that was made instead of the named one is made again from another original ($4).
  private static let updating = EachDialect { dialect in
    """
    UPDATE image SET is_gone = false,
      thumbnail_state = coalesce($3, CASE WHEN $4 AND thumbnail_state = 3 THEN 0 END, thumbnail_state),
      original_state = CASE WHEN $4 AND original_state = 1 THEN 2 ELSE original_state END,
      thumbnail_check_at = CASE WHEN $3 IS NULL AND (thumbnail_state = 1 OR thumbnail_state = 3 AND NOT $4)
        THEN CASE WHEN $5 THEN 0 ELSE coalesce(thumbnail_check_at, 0) END END,
      original_check_at = CASE WHEN original_state <> 0
        THEN CASE WHEN $5 THEN 0 ELSE coalesce(original_check_at, 0) END END,
      \(ImageDescription.assignments(of: ImageDescription.columns(dialect), from: 6, dialect)),
      change_seq = \(dialect.nextChange)
    WHERE feed_id = $1 AND id = $2
    """
  }

  // MARK: Images of another library

  /// Updates an image from its state in another library; the count of its feed's images is the caller's.
  package func update(_ id: Int64, to state: ImageState) throws {
    try search.remove(id)
    try RowSeal.image.check(id, db)
    var values = Values(count: 27)
    values.add(id)
    values.add(state.position)
    values.add(state.isGone)
    values.add(state.isEntryAmbiguous)
    let description = ImageDescription(
      id: id,
      feedID: feedID,
      entry: state.entryID.map(EntryID.init),
      firstSeen: state.firstSeen,
      image: DocumentImage(state.fields)
    )
    values.add(state.fields.thumbnailAddress != nil)
    values.add(description.image.originalHash)
    description.addKeys(to: &values)
    description.addColumns(to: &values, db.dialect)
    try db.forEachRow(Self.mirroring[db.dialect], with: values) { _ in true }
    try RenditionQueries.set(state.fields.renditions, of: id, db)
    try search.insert(id, state.fields, feedID: feedID)
  }

  /// The new states of the pictures depend on the stored pictures and on the addresses that the feed names now: $5 tells
  /// whether it names a thumbnail, and $6 is the hash of the original's address.
  ///
  /// A thumbnail that was made here from a former original, and is to be made again, stays so.
  private static let mirroring = EachDialect { dialect in
    let columns = ImageDescription.keys + ImageDescription.columns(dialect)
    return """
      UPDATE image SET position = $2, is_gone = $3, is_entry_ambiguous = $4,
        thumbnail_state = CASE WHEN thumbnail_sha256 IS NULL THEN CASE WHEN $5 THEN 2 ELSE 0 END
          WHEN $5 THEN 1
          WHEN thumbnail_state = 0
            AND EXISTS (
              SELECT 1 FROM thumbnail WHERE image_id = image.id AND source_sha256 IS NOT NULL
            ) AND NOT EXISTS (SELECT 1 FROM mirror_thumbnail WHERE image_id = image.id)
            THEN 0
          ELSE 3 END,
        original_state = CASE WHEN original_state = 1 AND original_hash <> $6 THEN 2
          ELSE original_state END,
        \(ImageDescription.assignments(of: columns, from: 7, dialect)),
        change_seq = \(dialect.nextChange)
      WHERE id = $1
      """
  }
}

extension PictureEffect {
  /// The new state of the thumbnail; nil when it stays as it is.
  fileprivate var newState: ThumbnailState? {
    switch thumbnail {
    case .kept: nil
    case .wanted: .wanted
    case .unmade: .unmade
    }
  }
}
