import FoundationEssentials
import LibraryFiles
package import Models
package import Workers

/// The SQL of the pictures of a feed that are wanted or due.
package struct PictureQueries {
  private let kind: PictureKind
  private let feedID: Int64
  private let filter: PictureFilter
  private let dialect: Dialect

  package init(_ kind: PictureKind, feedID: Int64, _ filter: PictureFilter, _ dialect: Dialect) {
    (self.kind, self.feedID, self.filter, self.dialect) = (kind, feedID, filter, dialect)
  }

  // MARK: Wanted

  /// The condition that a picture is wanted: it is missing or outdated, or the feed names it and `filter.all` is set.
  private var isWanted: String {
    switch kind {
    case .thumbnail:
      filter.all ? "thumbnail_address IS NOT NULL" : Self.isThumbnail(.wanted)
    case .madeThumbnail:
      (filter.all ? Self.isMadeOrUnmade : Self.isThumbnail(.unmade)) + isFromOriginals
    case .original: "\(OriginalQueries.isWanted) AND \(isAmongKept)"
    }
  }

  /// The condition that a thumbnail is made from the original, or is to be made.
  static let isMadeOrUnmade =
    "thumbnail_state IN (\(ThumbnailState.unmade.rawValue), \(ThumbnailState.made.rawValue))"

  private static func isThumbnail(_ state: ThumbnailState) -> String {
    "thumbnail_state = \(state.rawValue)"
  }

  private var isFromOriginals: String {
    switch filter.originals {
    case .all: ""
    case .stored: " AND original_state = \(OriginalState.stored.rawValue)"
    case .notStored: " AND \(OriginalQueries.isWanted)"
    }
  }

  /// The condition that an image is among the newest of its feed, whose originals are kept.
  private var isAmongKept: String {
    let kept = "(SELECT \(dialect.keptOriginals) = $1)"
    return """
      (\(kept) IS NULL OR id IN (
        SELECT id FROM image WHERE feed_id = $1 AND is_hidden = 0 ORDER BY date DESC, position, id
        LIMIT coalesce(\(kept), 0)
      ))
      """
  }

  /// The condition that a picture has failed at its current address, and may not be tried again yet.
  private var isHeldBack: String {
    """
    EXISTS (
      SELECT 1 FROM picture_failure WHERE image_id = image.id AND kind = \(kind.rawValue)
        AND retry_at > $2 AND address = \(kind.addressColumn)
    )
    """
  }

  /// The number of wanted pictures, with the reasons why some are held back.
  package func count(_ db: Connection) throws -> PictureCount {
    let count = try db.row(countSQL, feedID, filter.heldBackAfter) { row in
      let (wanted, heldBack): (Int, Int) = try (row.value(0), row.value(1))
      var count = PictureCount(offered: wanted - heldBack, heldBack: heldBack)
      if kind == .original { count.declaredBytes = try row.value(2) }
      return count
    }
    guard var count else { return PictureCount(offered: 0, heldBack: 0) }
    if count.heldBack > 0 { count.failures = try failures(db) }
    return count
  }

  /// The query for the number of wanted pictures, of those held back, and for the bytes that the feed declares for them.
  ///
  /// Usually no picture has failed; the query checks this once and not for each image. A declared length above the
  /// limit for an original, damaged or malicious, counts as the limit.
  ///
  /// SQLite 3.44 and later would rather read an index of all images that covers the query than the one of the few whose
  /// originals are wanted.
  package var countSQL: String {
    let index = kind == .original ? dialect.hint("image_original_wanted") : ""
    let wanted = "FROM image \(index) WHERE feed_id = $1 AND is_hidden = 0 AND \(isWanted)"
    let most = OriginalRequest.mostBytes
    let declared = """
      (SELECT CAST(coalesce(sum(CASE WHEN declared_bytes > \(most) THEN \(most)
        WHEN declared_bytes > 0 THEN declared_bytes END), 0) AS bigint) \(wanted))
      """
    return """
      SELECT (SELECT count(*) \(wanted)), CASE WHEN EXISTS (SELECT 1 FROM picture_failure)
        THEN (SELECT count(*) \(wanted) AND \(isHeldBack)) ELSE 0 END\
      \(kind == .original ? ", \(declared)" : "")
      """
  }

  /// The reasons why pictures are held back, the most frequent first.
  private func failures(_ db: Connection) throws -> [FailureGroup] {
    let sql = """
      SELECT kind, count(*), reason, min(retry_at)
      FROM image JOIN picture_failure AS failure ON image_id = image.id AND kind = \(kind.rawValue)
      WHERE feed_id = $1 AND is_hidden = 0 AND \(isWanted)
        AND retry_at > $2 AND failure.address = \(kind.addressColumn)
      GROUP BY kind, reason ORDER BY count(*) DESC, reason\(dialect.bytewise)
      """
    return try db.rows(sql, feedID, filter.heldBackAfter) { try FailureGroup($0, at: 0) }
  }

  /// The wanted pictures after `last`, newest first: the rest of the images of its date, then older ones.
  ///
  /// These are two queries, so that each is one range of an index, even if all images have the same date.
  package func wanted(
    after last: WantedPicture?,
    limit: Int,
    _ db: Connection
  ) throws -> [WantedPicture] {
    guard let last else { return try wanted("", [], limit: limit, db) }
    let same = try wanted(
      "AND date = $4 AND (position, id) > ($5, $6)",
      [last.rank.date, last.rank.position, last.imageID],
      limit: limit,
      db
    )
    guard same.count < limit else { return same }
    return try same + wanted("AND date < $4", [last.rank.date], limit: limit - same.count, db)
  }

  private func wanted(
    _ range: String,
    _ bounds: [Int64],
    limit: Int,
    _ db: Connection
  ) throws -> [WantedPicture] {
    let values = [feedID, filter.heldBackAfter, Int64(max(limit, 0))] + bounds
    return try db.rows(wantedSQL(range), with: values, element: WantedPicture.init)
  }

  package func wantedSQL(_ range: String) -> String {
    """
    SELECT id, date, position, \(kind.addressColumn), date, \(heldSince), NULL, NULL, page_address,
      thumbnail_format IS NOT NULL FROM image
    WHERE feed_id = $1 AND is_hidden = 0 AND \(isWanted) AND NOT \(isHeldBack) \(range)
    ORDER BY date DESC, position, id LIMIT $3
    """
  }

  /// The date at which the stored and right thumbnail arrived, or NULL; only `filter.all` includes such images.
  private var heldSince: String {
    guard filter.all, kind != .original else { return "NULL" }
    return "(SELECT fetched_at FROM thumbnail WHERE image_id = image.id AND \(kind.isStored))"
  }

  /// The wanted thumbnail that can be made from an image's stored original.
  ///
  /// Nil when the image does not want one or has that of its gallery, or when its original is missing or stale.
  package static func wantedThumbnail(
    madeFor imageID: Int64,
    _ db: Connection
  ) throws -> WantedPicture? {
    let sql = """
      SELECT id, date, position, original_address, date, NULL, NULL, NULL, page_address, false
      FROM image
      WHERE id = $1 AND is_hidden = 0 AND \(isThumbnail(.unmade))
        AND original_state = \(OriginalState.stored.rawValue)
        AND NOT \(MirrorQueries.hasThumbnail(db.dialect))
      """
    return try db.row(sql, imageID, element: WantedPicture.init)
  }

  // MARK: Due

  // A picture whose server is to be asked has a date in `thumbnail_check_at` or `original_check_at`. Only images that
  // the feed's documents still list have such dates, so the queries take only as long as the documents are.

  /// Whether a thumbnail of a feed is to be fetched, made or checked.
  package static func wantsThumbnails(
    feedID: Int64,
    _ filter: PictureFilter,
    _ db: Connection
  ) throws -> Bool {
    if filter.all { return true }
    return try db.hasRow(
      wantsThumbnailsSQL(retriesFailed: filter.retriesFailed),
      feedID,
      filter.now.storedSeconds
    )
  }

  package static func wantsThumbnailsSQL(retriesFailed: Bool) -> String {
    let missing = [ThumbnailState.wanted, .unmade].map { state in
      "SELECT 1 FROM image WHERE feed_id = $1 AND is_hidden = 0 AND \(isThumbnail(state))"
    }
    let due = [PictureKind.thumbnail, .madeThumbnail].map { kind in
      "SELECT 1 \(dueImages(kind, retriesFailed: retriesFailed))"
    }
    return "SELECT 1 WHERE " + (missing + due).map { "EXISTS (\($0))" }.joined(separator: " OR ")
  }

  /// The images of a feed whose pictures are due, the longest due first.
  package func due(_ db: Connection) throws -> [Int64] {
    let sql = Self.dueSQL(kind, retriesFailed: filter.retriesFailed)
    return try db.column(sql, feedID, filter.now.storedSeconds)
  }

  package static func dueSQL(_ kind: PictureKind, retriesFailed: Bool) -> String {
    let images = dueImages(kind, retriesFailed: retriesFailed)
    return "SELECT id \(images) ORDER BY \(kind.checkColumn), id"
  }

  private static func dueImages(_ kind: PictureKind, retriesFailed: Bool) -> String {
    let date = kind.checkColumn
    // A picture that has failed is due at its next try, or at once with `retriesFailed`.
    let isDue =
      retriesFailed
      ? """
      \(date) IS NOT NULL AND (\(date) <= $2 OR EXISTS (
        SELECT 1 FROM picture_failure WHERE image_id = image.id AND kind = \(kind.rawValue)
      ))
      """
      : "\(date) <= $2"
    return "FROM image WHERE feed_id = $1 AND \(isDue) AND \(kind.isStored)"
  }

  /// The stored pictures of images, with the addresses and validators for asking their servers.
  package static func checks(
    _ kind: PictureKind,
    imageIDs: [Int64],
    _ db: Connection
  ) throws -> [WantedPicture] {
    try db.rows(checksSQL(kind, db.dialect), imageIDs, element: WantedPicture.init)
  }

  package static func checksSQL(_ kind: PictureKind, _ dialect: Dialect) -> String {
    let join = dialect.joinInOrder
    return """
      SELECT image.id, date, position, \(kind.addressColumn), date, held.\(kind.arrivalColumn),
        held.etag, held.last_modified, page_address, thumbnail_format IS NOT NULL
      FROM \(dialect.list(1)) \(join) image ON image.id = list.value
      \(join) \(kind.table) AS held ON held.image_id = image.id
      WHERE is_hidden = 0 AND \(kind.isStored) ORDER BY place
      """
  }
}

extension WantedPicture {
  /// Reads a picture.
  ///
  /// The columns are id, date, position, address, the date since which the picture has probably not changed, the date
  /// at which the stored picture arrived or NULL, its validators, the image's page, and whether a thumbnail is stored. Nil
  /// for an invalid address: this program did not write such a row.
  fileprivate init?(_ row: Row) throws {
    guard let address = try row.address(3) else { return nil }
    let arrival: Int64? = try row.value(5)
    try self.init(
      imageID: row.value(0),
      address: address,
      rank: Rank(date: row.value(1), position: row.value(2)),
      since: Date(storedSeconds: arrival ?? row.value(4)),
      held: arrival == nil ? nil : Validators(entityTag: row.value(6), lastModified: row.value(7)),
      page: row.address(8)
    )
    hasThumbnail = try row.value(9)
  }
}
