import GRDB
import Models
import Workers

/// Notes in the rows of images what their stored thumbnails are, for one transaction.
///
/// Many rows with one statement, where there are as many: each statement opens all indexes of the table
/// and closes them again.
struct ThumbnailDescription {
  /// How many rows the statement of many has.
  static let runLength = 32

  /// How many values a row takes.
  private static let columns = 7

  private let db: Database
  private let kind: PictureKind
  private let row: Statement

  init(_ kind: PictureKind, _ db: Database) throws {
    self.db = db
    self.kind = kind
    row = try db.cachedStatement(sql: Self.rowSQL(kind))
  }

  /// Notes one; says whether its image is still there and has the address that was asked for.
  func note(_ thumbnail: FetchedThumbnail) throws -> Bool {
    var values = StatementValues(count: Self.columns)
    Self.append(thumbnail, to: &values)
    try row.execute(with: values)
    return db.changesCount > 0
  }

  /// Notes a run of them; says whether all were noted, as each by itself would be.
  func note(run: ArraySlice<FetchedThumbnail>) throws -> Bool {
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

  private static func append(_ thumbnail: FetchedThumbnail, to values: inout StatementValues) {
    let info = thumbnail.info
    values.add(thumbnail.imageID)
    values.add(thumbnail.address.text)
    values.add(info.format.rawValue)
    values.add(thumbnail.bytes.count)
    values.add(info.width)
    values.add(info.height)
    values.add(thumbnail.checkDate.storedSeconds)
  }

  private static func rowSQL(_ kind: PictureKind) -> String {
    """
    UPDATE image SET thumbnail_format = ?3, thumbnail_bytes = ?4, thumbnail_width = ?5,
      thumbnail_height = ?6, thumbnail_check_at = ?7, thumbnail_state = \(state(kind).rawValue)
    WHERE id = ?1 AND \(kind.addressColumn) = ?2 \(condition(kind))
    """
  }

  /// With `OR FAIL`, SQLite does not copy every page before the statement changes it, to be able to take
  /// the statement back by itself (sqlite.org/lang_conflict.html): when it fails, the transaction is.
  private static func runSQL(_ kind: PictureKind) -> String {
    """
    WITH had(id, address, format, bytes, width, height, check_at) AS (VALUES \(rows))
    UPDATE OR FAIL image SET thumbnail_format = had.format, thumbnail_bytes = had.bytes,
      thumbnail_width = had.width, thumbnail_height = had.height,
      thumbnail_check_at = had.check_at, thumbnail_state = \(state(kind).rawValue)
    FROM had WHERE image.id = had.id AND \(kind.addressColumn) = had.address \(condition(kind))
    """
  }

  private static let rows = Array(repeating: "(?, ?, ?, ?, ?, ?, ?)", count: runLength)
    .joined(separator: ", ")

  static func state(_ kind: PictureKind) -> ThumbnailState {
    kind == .madeThumbnail ? .made : .stored
  }

  /// What was made of an original is not wanted any more where a thumbnail is named.
  private static func condition(_ kind: PictureKind) -> String {
    kind == .madeThumbnail ? "AND thumbnail_address IS NULL" : ""
  }
}
