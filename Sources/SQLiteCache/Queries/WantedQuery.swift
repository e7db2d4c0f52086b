import FoundationEssentials
import GRDB
import LibraryFiles
import Models
import Store
import Workers

/// The SQL of the wanted pictures of a feed, newest first.
struct WantedQuery {
  private let kind: PictureKind
  private let feedID: Int64
  private let filter: PictureFilter
  /// The number of newest images whose originals are kept; nil for all.
  private let newest: Int?

  init(_ kind: PictureKind, feedID: Int64, _ filter: PictureFilter, newest: Int? = nil) {
    self.newest = newest
    self.kind = kind
    self.feedID = feedID
    self.filter = filter
  }

  /// The condition that a picture is wanted: it is missing or outdated, or the feed names it and `filter.all` is set.
  private var condition: String {
    switch kind {
    case .thumbnail:
      filter.all ? "thumbnail_address IS NOT NULL" : Self.isThumbnail(.wanted)
    case .madeThumbnail:
      (filter.all ? "thumbnail_address IS NULL" : Self.isThumbnail(.unmade)) + isFromOriginals
    case .original: OriginalQueries.isWanted + (newest.map(RetentionQueries.isAmong) ?? "")
    }
  }

  private var isFromOriginals: String {
    switch filter.originals {
    case .all: ""
    case .stored: " AND original_state = \(OriginalState.stored.rawValue)"
    case .notStored: " AND original_state <> \(OriginalState.stored.rawValue)"
    }
  }

  private static func isThumbnail(_ state: ThumbnailState) -> String {
    "thumbnail_state = \(state.rawValue)"
  }

  /// The date at which the stored and right thumbnail arrived, or NULL; only `filter.all` includes such images.
  private var heldSince: String {
    guard filter.all, kind != .original else { return "NULL" }
    return """
      (SELECT fetched_at FROM thumbnail
        WHERE image_id = image.id AND \(Self.isThumbnail(kind == .thumbnail ? .stored : .made)))
      """
  }

  /// The number of wanted pictures.
  func count(_ db: Database) throws -> PictureCount {
    let statement = try db.cachedStatement(sql: countSQL)
    guard let row = try Row.fetchOne(statement, arguments: [feedID, filter.heldBackAfter]) else {
      return PictureCount(offered: 0, heldBack: 0)
    }
    let (wanted, heldBack): (Int, Int) = try (row.value(0), row.value(1))
    return PictureCount(
      offered: wanted - heldBack,
      heldBack: heldBack,
      failures: heldBack > 0 ? try failures(db) : []
    )
  }

  /// The reasons why pictures are held back, the most frequent first.
  private func failures(_ db: Database) throws -> [FailureGroup] {
    let sql = """
      SELECT kind, count(*), reason, min(retry_at)
      FROM image JOIN picture_failure ON image_id = image.id AND kind = \(kind.rawValue)
      WHERE feed_id = $1 AND is_hidden = 0 AND \(condition)
        AND retry_at > $2 AND address = \(kind.addressColumn)
      GROUP BY reason ORDER BY count(*) DESC, reason
      """
    return try db.store.rows(sql, feedID, filter.heldBackAfter) { try FailureGroup($0, at: 0) }
  }

  /// The rows after `last`: first the rest of the images of its date, then older ones.
  ///
  /// These are two queries, so that each is one range of an index, even if all images have the same date.
  func rows(
    after last: WantedPicture?,
    limit: Int,
    _ db: Database
  ) throws -> [WantedPicture] {
    guard let last else { return try fetch("", [], limit: limit, db) }
    let same = try fetch(
      "AND date = ? AND (position, id) > (?, ?)",
      [last.rank.date, last.rank.position, last.imageID],
      limit: limit,
      db
    )
    guard same.count < limit else { return same }
    return try same + fetch("AND date < ?", [last.rank.date], limit: limit - same.count, db)
  }

  func sql(_ range: String) -> String {
    """
    SELECT id, date, position, \(kind.addressColumn), date, \(heldSince), NULL, NULL FROM image
    WHERE feed_id = ?1 AND is_hidden = 0 AND \(condition) AND NOT \(isHeldBack) \(range)
    ORDER BY date DESC, position, id LIMIT ?
    """
  }

  /// The query for the number of wanted pictures, and of those held back.
  ///
  /// Usually no picture has failed; the query checks this once and not for each image.
  var countSQL: String {
    let wanted = "FROM image WHERE feed_id = ?1 AND is_hidden = 0 AND \(condition)"
    return """
      SELECT (SELECT count(*) \(wanted)), CASE WHEN EXISTS (SELECT 1 FROM picture_failure)
        THEN (SELECT count(*) \(wanted) AND \(isHeldBack)) ELSE 0 END
      """
  }

  /// The condition that a picture has failed at its current address, and may not be tried again yet.
  private var isHeldBack: String {
    """
    EXISTS (
      SELECT 1 FROM picture_failure WHERE image_id = image.id AND kind = \(kind.rawValue)
        AND retry_at > ?2 AND address = \(kind.addressColumn)
    )
    """
  }

  private func fetch(
    _ range: String,
    _ bounds: StatementArguments,
    limit: Int,
    _ db: Database
  ) throws -> [WantedPicture] {
    let statement = try db.cachedStatement(sql: sql(range))
    let arguments = [feedID, filter.heldBackAfter] + bounds + [max(limit, 0)]
    return try statement.rows(arguments, WantedPicture.init)
  }
}

extension WantedPicture {
  /// Reads a row of a query for wanted pictures.
  ///
  /// The columns are id, date, position, address, the date since which the picture has probably not changed, the date
  /// at which the stored picture arrived or NULL, and its validators.
  ///
  /// Nil for an invalid address: this program did not write such a row.
  init?(_ row: Row) throws {
    guard let address = try WebAddress(row.value(3)) else { return nil }
    let arrival: Int64? = try row.value(5)
    try self.init(
      imageID: row.value(0),
      address: address,
      rank: Rank(date: row.value(1), position: row.value(2)),
      since: Date(storedSeconds: arrival ?? row.value(4)),
      held: arrival == nil ? nil : Validators(entityTag: row.value(6), lastModified: row.value(7))
    )
  }
}
