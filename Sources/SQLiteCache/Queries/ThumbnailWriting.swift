import GRDB
import Models
import Workers

/// The statements of one transaction that keeps what became of thumbnails, named or made.
struct ThumbnailWriting {
  private let db: Database
  private let kind: PictureKind
  private let description: ThumbnailDescription
  private let insertion: Statement

  init(_ kind: PictureKind, _ db: Database) throws {
    self.db = db
    self.kind = kind
    description = try ThumbnailDescription(kind, db)
    // Not `OR REPLACE`: a statement that may delete a row first makes SQLite keep a second journal of all
    // pages that it changes.
    insertion = try db.valueStatement(
      sql: """
        INSERT INTO thumbnail
          (image_id, address, etag, last_modified, fetched_at, data, source_sha256)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT(image_id) DO UPDATE SET
          address = excluded.address, etag = excluded.etag,
          last_modified = excluded.last_modified, fetched_at = excluded.fetched_at,
          data = excluded.data, source_sha256 = excluded.source_sha256
        """
    )
  }

  func store(_ batch: ThumbnailBatch) throws {
    var new = batch.new[...]
    while !new.isEmpty {
      try store(run: new.prefix(ThumbnailDescription.runLength))
      new = new.dropFirst(ThumbnailDescription.runLength)
    }
    for thumbnail in batch.changed where try store(thumbnail) {
      try outdateOriginal(of: thumbnail.imageID)
    }
    for thumbnail in batch.unchanged { try renew(thumbnail) }
    let answered =
      batch.new.map(\.imageID) + batch.changed.map(\.imageID) + batch.unchanged.map(\.imageID)
    try FailureQueries.forget(answered, kind, db)
    try FailureQueries.note(batch.failed, kind, db)
  }

  /// A run in which all are still wanted is noted at once.
  private func store(run: ArraySlice<FetchedThumbnail>) throws {
    if run.count == ThumbnailDescription.runLength, try description.note(run: run) {
      for thumbnail in run { try insert(thumbnail) }
    } else {
      for thumbnail in run { _ = try store(thumbnail) }
    }
  }

  /// Stores one, and says so; not when the feed has named another address while it was fetched.
  private func store(_ thumbnail: FetchedThumbnail) throws -> Bool {
    guard try description.note(thumbnail) else {
      try wantAgain(thumbnail.imageID)
      return false
    }
    try insert(thumbnail)
    return true
  }

  private func insert(_ thumbnail: FetchedThumbnail) throws {
    try insertion.execute(with: [
      .integer(thumbnail.imageID), .text(thumbnail.address.text),
      .text(thumbnail.validators.entityTag), .text(thumbnail.validators.lastModified),
      .integer(thumbnail.fetched.storedSeconds), .blob(thumbnail.bytes),
      .text(thumbnail.sourceSHA256),
    ])
  }

  private func wantAgain(_ imageID: Int64) throws {
    let sql = """
      UPDATE image SET thumbnail_state = iif(thumbnail_address IS NULL, ?, ?),
        thumbnail_check_at = NULL
      WHERE id = ?
      """
    try db.cachedStatement(sql: sql).execute(arguments: [
      ThumbnailState.unmade.rawValue, ThumbnailState.wanted.rawValue, imageID,
    ])
  }

  /// Where the small picture has changed, so has the large one.
  private func outdateOriginal(of imageID: Int64) throws {
    let sql = "UPDATE image SET original_state = ? WHERE id = ? AND original_state = ?"
    try db.cachedStatement(sql: sql).execute(arguments: [
      OriginalState.stale.rawValue, imageID, OriginalState.stored.rawValue,
    ])
  }

  /// Leaves the row with the bytes alone when it has nothing new to say.
  private func renew(_ thumbnail: UnchangedThumbnail) throws {
    let sql = """
      UPDATE image SET thumbnail_check_at = ?
      WHERE id = ? AND \(kind.addressColumn) = ? AND \(kind.isStored)
      """
    try db.cachedStatement(sql: sql).execute(arguments: [
      thumbnail.checkDate.storedSeconds, thumbnail.imageID, thumbnail.address.text,
    ])
    guard db.changesCount > 0, let validators = thumbnail.validators else { return }
    let renewal = "UPDATE thumbnail SET etag = ?, last_modified = ? WHERE image_id = ?"
    try db.cachedStatement(sql: renewal).execute(arguments: [
      validators.entityTag, validators.lastModified, thumbnail.imageID,
    ])
  }
}
