import GRDB
import LibraryFiles
import Models
import Workers

/// A thumbnail that is in a pack, and that no row names yet.
struct PackedThumbnail {
  var fetched: FetchedThumbnail
  var location: PackLocation
  /// Of its bytes.
  var hash: SHA256Digest
}

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
    // Not `OR REPLACE`, and not `DO UPDATE`: a statement that may delete a row first, or start a trigger,
    // makes SQLite keep a second journal of all pages that it changes.
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

  /// Notes what became of thumbnails.
  ///
  /// - Parameters:
  ///   - batch: What came of them.
  ///   - packed: The new ones, and then the changed ones.
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
    try MirrorQueries.forgetThumbnails(of: stored, db)
    try DamageQueries.forget(stored, .thumbnail, db)
    try FailureQueries.forget(stored + batch.unchanged.map(\.imageID), kind, db)
    try FailureQueries.note(batch.failed, kind, db)
  }

  /// A run in which all are still wanted is noted at once.
  private func store(run: ArraySlice<PackedThumbnail>) throws {
    if run.count == ThumbnailDescription.runLength, try description.note(run: run) {
      for thumbnail in run { try insert(thumbnail) }
    } else {
      for thumbnail in run { _ = try store(thumbnail) }
    }
  }

  /// Stores one, and says so; not when the feed has named another address while it was fetched.
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

  /// Where the small picture has changed, so has the large one.
  private func outdateOriginal(of imageID: Int64) throws {
    let sql = """
      UPDATE image SET original_state = ?, change_seq = \(ChangeLog.next)
      WHERE id = ? AND original_state = ?
      """
    try db.cachedStatement(sql: sql).execute(arguments: [
      OriginalState.stale.rawValue, imageID, OriginalState.stored.rawValue,
    ])
  }

  /// Leaves the row with the bytes alone when it has nothing new to say.
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

/// Notes in the rows of images what their stored thumbnails are, for one transaction.
///
/// Many rows with one statement, where there are as many: each statement opens all indexes of the table
/// and closes them again.
struct ThumbnailDescription {
  /// How many rows the statement of many has.
  static let runLength = 32

  /// How many values a row takes.
  private static let columns = 8

  private let db: Database
  private let kind: PictureKind
  private let row: Statement

  init(_ kind: PictureKind, _ db: Database) throws {
    self.db = db
    self.kind = kind
    row = try db.cachedStatement(sql: Self.rowSQL(kind))
  }

  /// Notes one; says whether its image is still there and has the address that was asked for.
  func note(_ thumbnail: PackedThumbnail) throws -> Bool {
    var values = StatementValues(count: Self.columns)
    Self.append(thumbnail, to: &values)
    try row.execute(with: values)
    return db.changesCount > 0
  }

  /// Notes a run of them; says whether all were noted, as each by itself would be.
  func note(run: ArraySlice<PackedThumbnail>) throws -> Bool {
    let statement = try db.cachedStatement(sql: Self.runSQL(kind))
    var values = StatementValues(count: run.count * Self.columns)
    for thumbnail in run { Self.append(thumbnail, to: &values) }
    try statement.execute(with: values)
    return db.changesCount == run.count
  }

  /// Notes the shapes of images whose feed does not say how large they are.
  ///
  /// Not with the rest: whatever names the column writes the indexes again that have it, for every row.
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

  /// With `OR FAIL`, SQLite does not copy every page before the statement changes it, to be able to take
  /// the statement back by itself (sqlite.org/lang_conflict.html): when it fails, the transaction is.
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

  /// What was made of an original is not wanted any more where a thumbnail is named.
  private static func condition(_ kind: PictureKind) -> String {
    kind == .madeThumbnail ? "AND thumbnail_address IS NULL" : ""
  }
}
