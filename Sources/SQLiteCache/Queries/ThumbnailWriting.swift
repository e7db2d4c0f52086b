import GRDB
import LibraryFiles
import Models
import Store
import Workers

/// A thumbnail that is in a pack, and that no row names yet.
struct PackedThumbnail {
  var fetched: FetchedThumbnail
  var location: PackLocation
  /// The hash of its bytes.
  var hash: SHA256Digest
}

/// The statements that store a batch of thumbnails, named or made, for one transaction.
struct ThumbnailWriting {
  private let db: Database
  private let kind: PictureKind
  private let description: ThumbnailDescription
  private let insertion: Statement

  init(_ kind: PictureKind, _ db: Database) throws {
    self.db = db
    self.kind = kind
    description = try ThumbnailDescription(kind, db)
    // Not `OR REPLACE` and not `DO UPDATE`: a statement that may first delete a row, or start a trigger, makes SQLite
    // keep a second journal of all pages that it changes.
    insertion = try db.cachedStatement(
      sql: """
        INSERT INTO thumbnail
          (image_id, address, etag, last_modified, fetched_at, source_sha256,
            pack_id, offset, bytes, checksum)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT(image_id) DO NOTHING
        """
    )
  }

  /// Stores the results of a batch.
  ///
  /// - Parameters:
  ///   - batch: The results.
  ///   - packed: The new thumbnails, and then the changed ones.
  /// - Throws: when the library cannot be written.
  func store(_ batch: PictureBatch, _ packed: [PackedThumbnail]) throws {
    for start in stride(from: 0, to: batch.new.count, by: ThumbnailDescription.runLength) {
      let end = min(start + ThumbnailDescription.runLength, batch.new.count)
      try store(run: packed[start..<end])
    }
    for thumbnail in packed[batch.new.count...] where try store(thumbnail) {
      try outdateOriginal(of: thumbnail.fetched.imageID)
    }
    for thumbnail in batch.unchanged { try renew(thumbnail) }
    let stored = packed.map(\.fetched.imageID)
    try description.noteShapes(of: stored)
    try MirrorQueries.forgetThumbnails(of: stored, db.store)
    try DamageQueries.forget(stored, .thumbnail, db.store)
    try FailureQueries.forget(stored + batch.unchanged.map(\.imageID), kind, db.store)
    try FailureQueries.note(batch.failed, kind, db.store)
  }

  /// Stores a run of thumbnails: with one update of their images if all are still wanted, otherwise one by one.
  private func store(run: ArraySlice<PackedThumbnail>) throws {
    if run.count == ThumbnailDescription.runLength, try description.note(run: run) {
      for thumbnail in run { try insert(thumbnail) }
    } else {
      for thumbnail in run { _ = try store(thumbnail) }
    }
  }

  /// Stores a thumbnail, unless the feed has named another address while it was fetched; says whether it did.
  private func store(_ thumbnail: PackedThumbnail) throws -> Bool {
    guard try description.note(thumbnail) else {
      try wantAgain(thumbnail.fetched.imageID)
      let location = thumbnail.location
      try PackQueries.add(PackHole(packID: location.packID, range: location.range), db)
      return false
    }
    try insert(thumbnail)
    return true
  }

  private func insert(_ packed: PackedThumbnail) throws {
    let (thumbnail, location) = (packed.fetched, packed.location)
    var values = StatementValues(count: 10)
    values.add(thumbnail.imageID)
    values.add(thumbnail.address.text)
    values.add(thumbnail.validators.entityTag)
    values.add(thumbnail.validators.lastModified)
    values.add(thumbnail.fetched.storedSeconds)
    values.add(thumbnail.sourceSHA256)
    values.add(location.packID)
    values.add(location.offset)
    values.add(location.count)
    values.add(location.checksum)
    try insertion.execute(with: values)
    if db.changesCount == 0 { try replacement().execute(with: values) }
  }

  private func replacement() throws -> Statement {
    try db.cachedStatement(
      sql: """
        UPDATE thumbnail SET address = ?2, etag = ?3, last_modified = ?4, fetched_at = ?5,
          source_sha256 = ?6, pack_id = ?7, offset = ?8, bytes = ?9, checksum = ?10
        WHERE image_id = ?1
        """
    )
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

  /// Marks the original of a changed thumbnail as stale, since it must have changed, too.
  private func outdateOriginal(of imageID: Int64) throws {
    let sql = """
      UPDATE image SET original_state = ?, change_seq = \(ChangeLog.next)
      WHERE id = ? AND original_state = ?
      """
    try db.cachedStatement(sql: sql).execute(arguments: [
      OriginalState.stale.rawValue, imageID, OriginalState.stored.rawValue,
    ])
  }

  /// Sets the date of the next check of an unchanged thumbnail, and its validators if they have changed.
  private func renew(_ thumbnail: UnchangedPicture) throws {
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

/// Describes stored thumbnails in the rows of their images, for one transaction.
///
/// One statement updates many rows where there are enough, because each statement opens and closes all indexes of the
/// table.
struct ThumbnailDescription {
  /// The number of rows in the statement for a run.
  static let runLength = 32

  /// The number of values of a row.
  private static let columns = 8

  private let db: Database
  private let kind: PictureKind
  private let row: Statement

  init(_ kind: PictureKind, _ db: Database) throws {
    self.db = db
    self.kind = kind
    row = try db.cachedStatement(sql: Self.rowSQL(kind))
  }

  /// Describes a thumbnail; says whether its image still exists and has the address that was requested.
  func note(_ thumbnail: PackedThumbnail) throws -> Bool {
    var values = StatementValues(count: Self.columns)
    Self.append(thumbnail, to: &values)
    try row.execute(with: values)
    return db.changesCount > 0
  }

  /// Describes a run of thumbnails; says whether all of their images still match.
  func note(run: ArraySlice<PackedThumbnail>) throws -> Bool {
    let statement = try db.cachedStatement(sql: Self.runSQL(kind))
    var values = StatementValues(count: run.count * Self.columns)
    for thumbnail in run { Self.append(thumbnail, to: &values) }
    try statement.execute(with: values)
    return db.changesCount == run.count
  }

  /// Sets the shapes of images whose feed does not declare their size.
  ///
  /// This is a separate statement: a statement that names the column rewrites the indexes with it, for every row.
  func noteShapes(of imageIDs: [Int64]) throws {
    let list = "[\(imageIDs.map(String.init).joined(separator: ","))]"
    let sql = """
      UPDATE image SET shape = \(Self.shape)
      WHERE id IN (SELECT value FROM json_each(?)) AND (width IS NULL OR height IS NULL)
        AND shape IS NOT (\(Self.shape))
      """
    try db.cachedStatement(sql: sql).execute(arguments: [list])
  }

  /// The shape of the stored thumbnail.
  static let shape =
    "(thumbnail_width > thumbnail_height) - (thumbnail_width < thumbnail_height)"

  private static func append(_ packed: PackedThumbnail, to values: inout StatementValues) {
    let (thumbnail, info) = (packed.fetched, packed.fetched.info)
    values.add(thumbnail.imageID)
    values.add(thumbnail.address.text)
    values.add(info.format.rawValue)
    values.add(thumbnail.bytes.count)
    values.add(info.width)
    values.add(info.height)
    values.add(thumbnail.checkDate.storedSeconds)
    values.add(packed.hash)
  }

  private static func rowSQL(_ kind: PictureKind) -> String {
    """
    UPDATE image SET thumbnail_format = ?3, thumbnail_bytes = ?4, thumbnail_width = ?5,
      thumbnail_height = ?6, thumbnail_check_at = ?7, thumbnail_sha256 = ?8,
      colours = NULL, thumbnail_state = \(state(kind).rawValue), change_seq = \(ChangeLog.next)
    WHERE id = ?1 AND \(kind.addressColumn) = ?2 \(condition(kind))
    """
  }

  /// With `OR FAIL`, SQLite does not copy a page before the statement first changes it (sqlite.org/lang_conflict.html).
  ///
  /// The copies would serve to roll back the statement alone. When this statement fails, the whole transaction is
  /// rolled back.
  private static func runSQL(_ kind: PictureKind) -> String {
    """
    WITH had(id, address, format, bytes, width, height, check_at, hash) AS (VALUES \(rows))
    UPDATE OR FAIL image SET thumbnail_format = had.format, thumbnail_bytes = had.bytes,
      thumbnail_width = had.width, thumbnail_height = had.height,
      thumbnail_check_at = had.check_at, thumbnail_sha256 = had.hash,
      colours = NULL, thumbnail_state = \(state(kind).rawValue), change_seq = \(ChangeLog.next)
    FROM had WHERE image.id = had.id AND \(kind.addressColumn) = had.address \(condition(kind))
    """
  }

  private static let rows = Array(repeating: "(?, ?, ?, ?, ?, ?, ?, ?)", count: runLength)
    .joined(separator: ", ")

  static func state(_ kind: PictureKind) -> ThumbnailState {
    kind == .madeThumbnail ? .made : .stored
  }

  /// The condition that a made thumbnail is still wanted: the feed names no thumbnail.
  private static func condition(_ kind: PictureKind) -> String {
    kind == .madeThumbnail ? "AND thumbnail_address IS NULL" : ""
  }
}
