import FoundationEssentials
import GRDB
import Models
import Workers

/// Writes the images of another gallery, for one transaction.
///
/// New ones wait for one another: one statement for many rows takes a quarter of the time (`ImageInsertion`).
struct MirroredImages {
  private struct New {
    var state: ImageState
    var originID: Int64
    var number: Int64
  }

  private let mirrorID: Int64
  private let db: Database
  private(set) var counts = MirrorCounts()
  /// Images of one feed that were first seen at one time.
  private var waiting: [New] = []
  private var waitingFeedID: Int64 = 0
  private var waitingIDs: Set<Int64> = []

  init(mirrorID: Int64, _ db: Database) {
    self.mirrorID = mirrorID
    self.db = db
  }

  /// Takes the state of an image; a feed without id is left alone.
  mutating func put(
    _ state: ImageState,
    feedID: Int64?,
    originID: Int64,
    _ number: Int64
  ) throws {
    guard let feedID else {
      counts.left += 1
      return
    }
    if waitingIDs.contains(originID) { try flush() }
    if let known = try known(originID: originID) {
      guard known.number != number else { return }
      try update(known.id, to: state, feedID: feedID)
      counts.changed += 1
      try note(New(state: state, originID: originID, number: number), of: known.id)
      return
    }
    if let first = waiting.first,
      feedID != waitingFeedID || first.state.firstSeen != state.firstSeen
    {
      try flush()
    }
    waitingFeedID = feedID
    waiting.append(New(state: state, originID: originID, number: number))
    waitingIDs.insert(originID)
  }

  /// Writes the images that wait.
  mutating func flush() throws {
    guard let first = waiting.first else { return }
    let images = waiting.map { new in
      NewImage(
        image: DocumentImage(new.state.fields),
        entryID: new.state.entryID.map(EntryID.init),
        isAmbiguous: new.state.isEntryAmbiguous,
        position: new.state.position,
        positionBefore: nil
      )
    }
    var writing = try ImageWriting(feedID: waitingFeedID, now: first.state.firstSeen, db)
    let ids = try writing.insert(images)
    guard let lowest = ids.first, let highest = ids.last, ids.count == waiting.count else {
      throw DatabaseError(message: "an image has got no id")
    }
    for (id, new) in zip(ids, waiting) {
      if new.state.isGone {
        try db.execute(sql: "UPDATE image SET is_gone = 1 WHERE id = ?", arguments: [id])
      }
      try note(new, of: id)
    }
    try FeedQueries.addImages(ids.count, id: waitingFeedID, db)
    counts.new += ids.count
    counts.addNew(lowest...highest)
    (waiting, waitingIDs) = ([], [])
  }

  /// Writes the row again; the pictures that are stored stay until others have come.
  private func update(_ id: Int64, to state: ImageState, feedID: Int64) throws {
    let (fields, image) = (state.fields, DocumentImage(state.fields))
    let entry = state.entryID.map(EntryID.init)
    let date = fields.date(firstSeen: state.firstSeen)
    try moveCount(of: id, to: feedID)
    try SearchWriting.remove(id, db)
    var values = StatementValues(count: 24)
    values.add(feedID)
    values.add(state.position)
    values.add(date)
    values.add(fields.published)
    values.add(state.firstSeen)
    values.add(fields.width)
    values.add(fields.height)
    values.add(fields.shape)
    values.add(state.isGone)
    values.add(state.isEntryAmbiguous)
    values.add(entry?.hash)
    values.add(image.originalHash)
    values.add(entry == nil ? image.thumbnailHash : nil)
    values.add(entry?.text)
    values.add(fields.bytes)
    values.add(textsOf: fields)
    values.add(id)
    try RowSeal.image.change(id, db) {
      try db.cachedStatement(sql: Self.updateSQL).execute(with: values)
    }
    try SearchWriting(db).insert(id, fields, feedID: feedID)
  }

  /// The states of the pictures follow from what is stored and what the feed names now.
  private static let updateSQL = """
    UPDATE image SET feed_id = ?1, position = ?2, date = ?3, published_at = ?4, first_seen_at = ?5,
      width = ?6, height = ?7, shape = coalesce(?8, \(ThumbnailDescription.shape)), is_gone = ?9,
      is_entry_ambiguous = ?10, entry_hash = ?11,
      original_state = iif(original_state = 1 AND original_hash <> ?12, 2, original_state),
      thumbnail_state = iif(thumbnail_sha256 IS NULL, iif(?17 IS NULL, 0, 2), iif(?17 IS NULL, 3, 1)),
      original_hash = ?12, thumbnail_hash = ?13, entry_id = ?14, declared_bytes = ?15,
      original_address = ?16, thumbnail_address = ?17, page_address = ?18, title = ?19, title_key = ?20,
      author = ?21, licence = ?22, caption = ?23, change_seq = \(ChangeLog.next)
    WHERE id = ?24
    """

  private func moveCount(of id: Int64, to feedID: Int64) throws {
    let sql = "SELECT feed_id FROM image WHERE id = ?"
    guard let former = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [id]),
      former != feedID
    else { return }
    try FeedQueries.addImages(-1, id: former, db)
    try FeedQueries.addImages(1, id: feedID, db)
  }

  // MARK: What the gallery has of it

  private func known(originID: Int64) throws -> (id: Int64, number: Int64)? {
    let sql = "SELECT image_id, origin_seq FROM mirror_image WHERE mirror_id = ? AND origin_id = ?"
    return try db.cachedStatement(sql: sql).rows([mirrorID, originID]) { row in
      try (id: row.value(0), number: row.value(1)) as (Int64, Int64)
    }.first
  }

  private func note(_ new: New, of id: Int64) throws {
    let sql = """
      INSERT INTO mirror_image(image_id, mirror_id, origin_id, origin_seq, original_sha256)
      VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT(image_id) DO UPDATE SET origin_seq = ?4, original_sha256 = ?5
      """
    try db.cachedStatement(sql: sql).execute(arguments: [
      id, mirrorID, new.originID, new.number, new.state.original?.info.hash?.data,
    ])
    guard let thumbnail = new.state.thumbnail, let hash = thumbnail.info.hash else { return }
    let wanting = """
      INSERT INTO mirror_thumbnail(image_id, mirror_id, sha256, bytes, pack_sha256, pack_offset)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6
      WHERE (SELECT thumbnail_sha256 FROM image WHERE id = ?1) IS NOT ?3
      ON CONFLICT(image_id) DO UPDATE SET sha256 = ?3, bytes = ?4, pack_sha256 = ?5, pack_offset = ?6
      """
    try db.cachedStatement(sql: wanting).execute(arguments: [
      id, mirrorID, hash.data, thumbnail.info.bytes, thumbnail.pack?.hash.data,
      thumbnail.pack?.offset,
    ])
    if db.changesCount == 0 { try MirrorQueries.forgetThumbnails(of: [id], db) }
  }

  mutating func remove(originID: Int64) throws {
    if waitingIDs.contains(originID) { try flush() }
    guard let known = try known(originID: originID) else { return }
    try MirrorQueries.delete(imageID: known.id, db)
    counts.removed += 1
  }

  /// Pins an image as it is there; a pin that was made here stays as it is.
  mutating func pin(originID: Int64, _ date: Date) throws {
    if waitingIDs.contains(originID) { try flush() }
    guard let known = try known(originID: originID) else { return }
    try setPinned(true, known.id)
    try PinQueries.add(imageID: known.id, now: date.storedSeconds, db)
  }

  /// Takes a pin away that came from there.
  mutating func unpin(originID: Int64) throws {
    guard let known = try known(originID: originID), try setPinned(false, known.id) else { return }
    try PinQueries.delete(imageID: known.id, db)
  }

  /// Says whether it was otherwise.
  @discardableResult
  private func setPinned(_ isPinned: Bool, _ id: Int64) throws -> Bool {
    let sql = "UPDATE mirror_image SET is_pinned = ?1 WHERE image_id = ?2 AND is_pinned <> ?1"
    try db.cachedStatement(sql: sql).execute(arguments: [isPinned, id])
    return db.changesCount > 0
  }
}
