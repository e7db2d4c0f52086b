import FoundationEssentials
import LibraryFiles
import Models
import Workers

/// The SQL of which pictures of a feed are wanted, and which are asked about.
struct PictureQueries {
  let kind: PictureKind
  let feedID: Int64
  let filter: PictureFilter
  let db: PostgresConnection

  /// What makes a picture wanted: it is missing or outdated, or with `filter.all` the feed names it.
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

  /// Whether it has failed, under the address that it has still, and is not to be tried again yet.
  private var isHeldBack: String {
    """
    EXISTS (
      SELECT 1 FROM picture_failure AS failure WHERE image_id = image.id
        AND kind = \(kind.rawValue) AND retry_at > $2 AND failure.address = \(kind.addressColumn)
    )
    """
  }

  /// Failures hold a picture back whose date for the next try is later.
  private var heldBackAfter: Int64 {
    filter.all || filter.retriesFailed ? .max : filter.now.storedSeconds
  }

  /// How many there are, without why some are held back.
  func count() throws -> PictureCount {
    let sql = """
      SELECT count(*) FILTER (WHERE NOT \(isHeldBack)), count(*) FILTER (WHERE \(isHeldBack)),
        coalesce(sum(least(greatest(declared_bytes, 0), $3::bigint)), 0)::bigint
      FROM image WHERE feed_id = $1 AND is_hidden = 0 AND \(condition)
      """
    let row = try db.rows(sql, feedID, heldBackAfter, OriginalRequest.mostBytes).first
    guard let row else { return PictureCount(offered: 0, heldBack: 0) }
    var count = try PictureCount(offered: row.value(0), heldBack: row.value(1))
    if kind == .original { count.declaredBytes = try row.value(2) }
    return count
  }

  /// Why pictures are held back.
  func failures() throws -> [FailureGroup] {
    let sql = """
      SELECT kind, count(*), reason, min(retry_at)
      FROM image JOIN picture_failure AS failure ON image_id = image.id AND kind = \(kind.rawValue)
      WHERE feed_id = $1 AND is_hidden = 0 AND \(condition)
        AND retry_at > $2 AND failure.address = \(kind.addressColumn)
      GROUP BY kind, reason ORDER BY count(*) DESC, reason COLLATE "C"
      """
    return try db.rows(sql, feedID, heldBackAfter).compactMap { try FailureGroup($0, at: 0) }
  }

  /// The next ones behind another, newest first.
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
    let values = [feedID, heldBackAfter, Int64(max(limit, 0))] + bounds
    return try db.rows(sql, values.map(\.postgresValue)).compactMap(WantedPicture.init)
  }

  /// The date at which the thumbnail came that is stored and right; only with `filter.all` there may be one.
  private var heldSince: String {
    guard filter.all, kind != .original else { return "NULL::bigint" }
    return "(SELECT fetched_at FROM thumbnail WHERE image_id = image.id AND \(kind.isStored))"
  }

  /// Whether any thumbnail is to be fetched, made or asked about.
  static func wantsThumbnails(
    feedID: Int64,
    _ filter: PictureFilter,
    _ db: PostgresConnection
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
    return try db.rows(sql, feedID, filter.now.storedSeconds).first?.value(0) ?? false
  }

  /// Those that have failed are due at their next try, unless that is now.
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

  /// The images whose pictures are due, the longest due first.
  func due() throws -> [Int64] {
    let sql = """
      SELECT id FROM image WHERE feed_id = $1 AND \(isDue) ORDER BY \(kind.checkColumn), id
      """
    return try db.rows(sql, feedID, filter.now.storedSeconds).map { try $0.value(0) }
  }

  /// How to ask about the stored pictures of images.
  static func checks(
    _ kind: PictureKind,
    imageIDs: [Int64],
    _ db: PostgresConnection
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

  /// How to make an image's thumbnail from its stored original; nil when it wants none, or has no right one.
  static func wantedThumbnail(
    madeFor imageID: Int64,
    _ db: PostgresConnection
  ) throws -> WantedPicture? {
    let sql = """
      SELECT id, date, position, original_address, date, NULL::bigint, NULL::text, NULL::text
      FROM image WHERE id = $1 AND is_hidden = 0 AND thumbnail_state = 0 AND original_state = 1
      """
    return try db.rows(sql, imageID).first.flatMap { try WantedPicture($0) }
  }
}

extension WantedPicture {
  /// Reads id, date, position, address, the date since when the picture is likely to be what it is, the date at which
  /// the stored one came or NULL, and its validators.
  ///
  /// Nil for an invalid address: this program did not write such a row.
  fileprivate init?(_ row: PostgresRow) throws {
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

/// What the pictures of an image are called in the store.
extension PictureKind {
  /// The column of `image` with the address that is asked for.
  var addressColumn: String { self == .thumbnail ? "thumbnail_address" : "original_address" }

  /// The column of `image` with the date from which on its server is asked about it.
  var checkColumn: String { self == .original ? "original_check_at" : "thumbnail_check_at" }

  /// Whether the one of an image is stored and right.
  var isStored: String {
    switch self {
    case .thumbnail: "thumbnail_state = \(ThumbnailState.stored.rawValue)"
    case .original: "original_state = \(OriginalState.stored.rawValue)"
    case .madeThumbnail: "thumbnail_state = \(ThumbnailState.made.rawValue)"
    }
  }

  /// The table with the validators of what is stored.
  fileprivate var table: String { self == .original ? "image_original" : "thumbnail" }

  /// Its column with the date at which the bytes came.
  fileprivate var arrivalColumn: String { self == .original ? "stored_at" : "fetched_at" }
}

/// The SQL about pictures that could not be had.
enum FailureQueries {
  /// Remembers failures; where a right picture is stored, its server is asked again with the next try.
  static func note(
    _ failures: [FailedPicture],
    _ kind: PictureKind,
    _ db: PostgresConnection
  ) throws {
    for failure in failures {
      let known = """
        SELECT tries FROM picture_failure
        WHERE image_id = $1 AND kind = $2 AND address = $3 AND class = $4
        """
      let row = try db.rows(
        known,
        failure.imageID,
        kind.rawValue,
        failure.address.text,
        failure.failureClass.rawValue
      ).first
      let tries: Int = try (row?.value(0) ?? 0) + 1
      let retry = failure.retryDate(tries: tries).storedSeconds
      // Not of an image that has been deleted meanwhile.
      let insertion = """
        INSERT INTO picture_failure(image_id, kind, address, class, reason, tries, failed_at, retry_at)
        SELECT id, $2, $3, $4, $5, $6, $7, $8 FROM image WHERE id = $1
        ON CONFLICT (image_id, kind) DO UPDATE SET address = excluded.address,
          class = excluded.class, reason = excluded.reason, tries = excluded.tries,
          failed_at = excluded.failed_at, retry_at = excluded.retry_at
        """
      try db.rows(
        insertion,
        failure.imageID,
        kind.rawValue,
        failure.address.text,
        failure.failureClass.rawValue,
        failure.reason,
        tries,
        failure.failed.storedSeconds,
        retry
      )
      let putOff = """
        UPDATE image SET \(kind.checkColumn) = $2
        WHERE id = $1 AND \(kind.isStored) AND \(kind.checkColumn) IS NOT NULL
        """
      try db.rows(putOff, failure.imageID, retry)
    }
  }

  /// Forgets the failures of pictures that were had.
  static func forget(
    _ imageIDs: [Int64],
    _ kind: PictureKind,
    _ db: PostgresConnection
  ) throws {
    if imageIDs.isEmpty { return }
    let sql = "DELETE FROM picture_failure WHERE image_id = ANY($1::bigint[]) AND kind = $2"
    try db.rows(sql, imageIDs, kind.rawValue)
  }

  /// Whether a failure is one of a picture that its image has still; of a made thumbnail only while the feed names
  /// none.
  private static let isCurrent = """
    is_hidden = 0 AND failure.address = CASE kind
      WHEN \(PictureKind.thumbnail.rawValue) THEN thumbnail_address
      WHEN \(PictureKind.original.rawValue) THEN original_address
      ELSE CASE WHEN thumbnail_address IS NULL THEN original_address END
    END
    """

  /// What is remembered of all feeds, by their ids, the most frequent reason first.
  static func groups(_ db: PostgresConnection) throws -> [Int64: [FailureGroup]] {
    let sql = """
      SELECT feed_id, kind, count(*), reason, min(retry_at)
      FROM picture_failure AS failure JOIN image ON image.id = image_id WHERE \(isCurrent)
      GROUP BY feed_id, kind, reason ORDER BY feed_id, count(*) DESC, reason COLLATE "C", kind
      """
    var groups: [Int64: [FailureGroup]] = [:]
    for (id, group) in try db.rows(sql).map({ row in
      try (row.value(0) as Int64, FailureGroup(row, at: 1))
    }) {
      if let group { groups[id, default: []].append(group) }
    }
    return groups
  }

  /// Gives images what is remembered of them.
  static func fill(_ images: inout [WebImage], _ db: PostgresConnection) throws {
    if images.isEmpty { return }
    let sql = """
      SELECT image_id, kind, reason, tries, failed_at, retry_at
      FROM picture_failure AS failure JOIN image ON image.id = image_id
      WHERE image_id = ANY($1::bigint[]) AND \(isCurrent) ORDER BY image_id, kind
      """
    var failures: [Int64: [PictureFailure]] = [:]
    for (id, failure) in try db.rows(sql, images.map(\.id)).map({ row in
      try (row.value(0) as Int64, PictureFailure(row))
    }) {
      if let failure { failures[id, default: []].append(failure) }
    }
    if failures.isEmpty { return }
    for index in images.indices { images[index].failures = failures[images[index].id] ?? [] }
  }
}

extension FailureGroup {
  /// Reads kind, number, reason and the date of the next try, from a column on; nil for an unknown kind.
  fileprivate init?(_ row: PostgresRow, at column: Int) throws {
    guard let kind = try PictureKind(rawValue: row.value(column)) else { return nil }
    try self.init(
      kind: kind,
      count: row.value(column + 1),
      reason: row.value(column + 2),
      retry: Date(storedSeconds: row.value(column + 3))
    )
  }
}

extension PictureFailure {
  /// Reads kind, reason, tries, and the dates of the last and the next try, from the second column on; nil for an
  /// unknown kind.
  fileprivate init?(_ row: PostgresRow) throws {
    guard let kind = try PictureKind(rawValue: row.value(1)) else { return nil }
    try self.init(
      kind: kind,
      reason: row.value(2),
      tries: row.value(3),
      failed: Date(storedSeconds: row.value(4)),
      retry: Date(storedSeconds: row.value(5))
    )
  }
}
