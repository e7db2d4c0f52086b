import FoundationEssentials
import LibraryFiles
import Models
import Store
import Workers

/// The SQL of the pictures of a feed that are wanted or due.
struct PictureQueries {
  let kind: PictureKind
  let feedID: Int64
  let filter: PictureFilter
  let db: Connection

  /// The condition of a wanted picture, which is missing or stale; with `filter.all`, every thumbnail is wanted.
  private var condition: String {
    switch kind {
    case .thumbnail: filter.all ? "thumbnail_address IS NOT NULL" : "thumbnail_state = 2"
    case .madeThumbnail:
      (filter.all ? "thumbnail_address IS NULL" : "thumbnail_state = 0") + isFromOriginals
    case .original:
      """
      original_state <> 1 AND ((SELECT kept_originals FROM feed WHERE id = $1) IS NULL OR id IN (
        SELECT id FROM image WHERE feed_id = $1 AND is_hidden = 0 ORDER BY date DESC, position, id
        LIMIT (SELECT kept_originals FROM feed WHERE id = $1)
      ))
      """
    }
  }

  private var isFromOriginals: String {
    switch filter.originals {
    case .all: ""
    case .stored: " AND original_state = 1"
    case .notStored: " AND original_state <> 1"
    }
  }

  /// The condition that a picture has failed at its present address, and may not be tried again yet.
  private var isHeldBack: String {
    """
    EXISTS (
      SELECT 1 FROM picture_failure AS failure WHERE image_id = image.id
        AND kind = \(kind.rawValue) AND retry_at > $2 AND failure.address = \(kind.addressColumn)
    )
    """
  }

  /// The numbers of wanted pictures and of those that are held back, without reasons.
  func count() throws -> PictureCount {
    let sql = """
      SELECT count(*) FILTER (WHERE NOT \(isHeldBack)), count(*) FILTER (WHERE \(isHeldBack)),
        coalesce(sum(least(greatest(declared_bytes, 0), $3::bigint)), 0)::bigint
      FROM image WHERE feed_id = $1 AND is_hidden = 0 AND \(condition)
      """
    let row = try db.rows(sql, feedID, filter.heldBackAfter, OriginalRequest.mostBytes).first
    guard let row else { return PictureCount(offered: 0, heldBack: 0) }
    var count = try PictureCount(offered: row.value(0), heldBack: row.value(1))
    if kind == .original { count.declaredBytes = try row.value(2) }
    return count
  }

  /// The reasons why pictures are held back.
  func failures() throws -> [FailureGroup] {
    let sql = """
      SELECT kind, count(*), reason, min(retry_at)
      FROM image JOIN picture_failure AS failure ON image_id = image.id AND kind = \(kind.rawValue)
      WHERE feed_id = $1 AND is_hidden = 0 AND \(condition)
        AND retry_at > $2 AND failure.address = \(kind.addressColumn)
      GROUP BY kind, reason ORDER BY count(*) DESC, reason COLLATE "C"
      """
    return try db.rows(sql, feedID, filter.heldBackAfter).compactMap { try FailureGroup($0, at: 0) }
  }

  /// The next wanted pictures after another one, newest first.
  func wanted(after last: WantedPicture?, limit: Int) throws -> [WantedPicture] {
    guard let last else { return try rows("", [], limit: limit) }
    let same = try rows(
      "AND date = $4 AND (position, id) > ($5, $6)",
      [last.rank.date, last.rank.position, last.imageID],
      limit: limit
    )
    guard same.count < limit else { return same }
    return try same + rows("AND date < $4", [last.rank.date], limit: limit - same.count)
  }

  private func rows(_ range: String, _ bounds: [Int64], limit: Int) throws -> [WantedPicture] {
    let sql = """
      SELECT id, date, position, \(kind.addressColumn), date, \(heldSince), NULL::text, NULL::text
      FROM image WHERE feed_id = $1 AND is_hidden = 0 AND \(condition) AND NOT \(isHeldBack) \(range)
      ORDER BY date DESC, position, id LIMIT $3
      """
    let values = [feedID, filter.heldBackAfter, Int64(max(limit, 0))] + bounds
    return try db.rows(sql, with: values).compactMap(WantedPicture.init)
  }

  /// The arrival date of a thumbnail that is stored and right, which is wanted only with `filter.all`; else NULL.
  private var heldSince: String {
    guard filter.all, kind != .original else { return "NULL::bigint" }
    return "(SELECT fetched_at FROM thumbnail WHERE image_id = image.id AND \(kind.isStored))"
  }

  /// Whether any thumbnail is to be fetched, made or checked.
  static func wantsThumbnails(
    feedID: Int64,
    _ filter: PictureFilter,
    _ db: Connection
  ) throws -> Bool {
    if filter.all { return true }
    let due = [PictureKind.thumbnail, .madeThumbnail].map { kind in
      PictureQueries(kind: kind, feedID: feedID, filter: filter, db: db).isDue
    }
    let sql = """
      SELECT EXISTS (
        SELECT 1 FROM image WHERE feed_id = $1 AND is_hidden = 0 AND thumbnail_state = 2
      ) OR EXISTS (
        SELECT 1 FROM image WHERE feed_id = $1 AND is_hidden = 0 AND thumbnail_state = 0
      ) OR EXISTS (SELECT 1 FROM image WHERE feed_id = $1 AND (\(due.joined(separator: " OR "))))
      """
    return try db.value(sql, feedID, filter.now.storedSeconds) ?? false
  }

  /// The condition that a picture is due.
  ///
  /// A failed one is due at its next try, or now with `filter.retriesFailed`.
  private var isDue: String {
    let date = kind.checkColumn
    let failed = """
      \(date) IS NOT NULL AND EXISTS (
        SELECT 1 FROM picture_failure WHERE image_id = image.id AND kind = \(kind.rawValue)
      )
      """
    let isLate = filter.retriesFailed ? "(\(date) <= $2 OR \(failed))" : "\(date) <= $2"
    return "\(isLate) AND \(kind.isStored)"
  }

  /// The images whose pictures are due, those that have been due for longest first.
  func due() throws -> [Int64] {
    let sql = """
      SELECT id FROM image WHERE feed_id = $1 AND \(isDue) ORDER BY \(kind.checkColumn), id
      """
    return try db.column(sql, feedID, filter.now.storedSeconds)
  }

  /// The requests that ask servers about the stored pictures of images.
  static func checks(
    _ kind: PictureKind,
    imageIDs: [Int64],
    _ db: Connection
  ) throws -> [WantedPicture] {
    let sql = """
      SELECT image.id, date, position, \(kind.addressColumn), date, held.\(kind.arrivalColumn),
        held.etag, held.last_modified
      FROM unnest($1::bigint[]) WITH ORDINALITY AS asked(id, number)
      JOIN image ON image.id = asked.id JOIN \(kind.table) AS held ON held.image_id = image.id
      WHERE is_hidden = 0 AND \(kind.isStored) ORDER BY number
      """
    return try db.rows(sql, imageIDs).compactMap(WantedPicture.init)
  }

  /// The thumbnail to make from an image's stored original.
  ///
  /// Nil when none is wanted, or when the original is missing or stale.
  static func wantedThumbnail(
    madeFor imageID: Int64,
    _ db: Connection
  ) throws -> WantedPicture? {
    let sql = """
      SELECT id, date, position, original_address, date, NULL::bigint, NULL::text, NULL::text
      FROM image WHERE id = $1 AND is_hidden = 0 AND thumbnail_state = 0 AND original_state = 1
      """
    return try db.rows(sql, imageID).first.flatMap { try WantedPicture($0) }
  }
}

extension WantedPicture {
  /// Reads a picture.
  ///
  /// The columns are id, date, position, address, the date since which the picture is probably unchanged, the arrival
  /// date of the stored one or NULL, and its validators. Returns nil for an invalid address, which this program never
  /// writes.
  fileprivate init?(_ row: Row) throws {
    guard let address = try row.address(3) else { return nil }
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
