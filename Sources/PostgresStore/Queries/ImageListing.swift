import LibraryFiles
import Models
import Store
import Workers

/// Reads the images that a query asks for.
///
/// Every order ends in position and id. It has an index for the whole library and one for a feed, so the cost of a
/// first page depends only on the page's length.
struct ImageListing {
  /// The number of images that are searched in the order of the query, before the index of words is used.
  private static let lookedThrough = 5_000

  private let query: ImageQuery
  /// The condition without that of the search.
  private let condition: String
  /// The condition of the searches of the request and of its client's part; nil without either.
  private let search: String?

  init(_ query: ImageQuery, _ db: Connection) throws {
    self.query = query
    var conditions = ["is_hidden = 0"]
    for feedID in query.feedIDs { conditions.append("feed_id = \(feedID)") }
    if let listID = query.listID {
      conditions.append("feed_id IN (\(ListQueries.feedsOfList(String(listID))))")
    }
    if let manifestID = query.manifestID {
      conditions.append(
        "image.id IN (SELECT image_id FROM member_image WHERE member_id = \(manifestID))"
      )
    }
    if query.isPinned { conditions.append("image.id IN (SELECT image_id FROM pin)") }
    if let since = query.since { conditions.append("date >= \(since.storedSeconds)") }
    if let date = query.addedSince { conditions.append("first_seen_at >= \(date.storedSeconds)") }
    if let isStored = query.isOriginalStored {
      conditions.append("original_state \(isStored ? "<>" : "=") 0")
    }
    if let shape = query.shape { conditions.append("shape = \(shape.rawValue)") }
    condition = conditions.joined(separator: " AND ")
    search = try SearchExpression.of(query, db)?.conditions.joined(separator: " AND ")
  }

  private var wholeCondition: String { condition + (search.map { " AND \($0)" } ?? "") }

  func ids(_ db: Connection) throws -> [Int64] {
    guard query.order == .random else { return try rows(db).map(\.id) }
    let sql = "SELECT image.id FROM image WHERE \(wholeCondition) ORDER BY image.id"
    return query.shuffled(try db.unpreparedRows(sql).map { try $0.value(0) })
  }

  /// All images that match, in no particular order.
  func unsortedIDs(_ db: Connection) throws -> [Int64] {
    let sql = "SELECT image.id FROM image WHERE \(wholeCondition)"
    return try db.unpreparedRows(sql).map { try $0.value(0) }
  }

  func timeline(_ db: Connection) throws -> Timeline {
    guard query.order.isByDate else {
      let ids = try ids(db)
      return Timeline(ids: ids, runs: ids.isEmpty ? [] : [.init(month: nil, count: ids.count)])
    }
    var timeline = Timeline()
    for row in try rows(db) {
      timeline.append(row.id, month: Timeline.month(ofSecond: row.date))
    }
    return timeline
  }

  /// The images in the order of the query, each with the date that it sorts by.
  private func rows(_ db: Connection) throws -> [(id: Int64, date: Int64)] {
    guard let position = query.after else {
      return try rows("", [], limit: query.limit, offset: query.offset, db)
    }
    let offset = max(query.offset, 0)
    // Images with the same first sort key come first, then the others; each part is one range of an index.
    let limit = query.limit.map { max($0, 0).adding(offset) }
    var found: [(id: Int64, date: Int64)] = []
    for part in parts(behind: position) {
      let left = limit.map { $0 - found.count }
      found += try rows(" AND \(part.condition)", part.values, limit: left, offset: 0, db)
    }
    return Array(found.dropFirst(offset))
  }

  private func rows(
    _ part: String,
    _ values: [any Parameter],
    limit: Int?,
    offset: Int,
    _ db: Connection
  ) throws -> [(id: Int64, date: Int64)] {
    let terms = query.order.terms
    func rows(from images: String) throws -> [(id: Int64, date: Int64)] {
      let date = query.order.isByDate ? query.order.column : "0::bigint"
      let sql = """
        SELECT image.id, \(date) FROM \(images) ORDER BY \(terms)
        LIMIT \(limit.map { String(max($0, 0)) } ?? "ALL") OFFSET \(max(offset, 0))
        """
      return try db.unpreparedRows(sql, with: values).map { try ($0.value(0), $0.value(1)) }
    }
    guard let search, let limit else {
      return try rows(from: "image WHERE \(wholeCondition)\(part)")
    }
    // The server cannot tell how frequent the beginning of a word is. Reading in the order of the query quickly finds a
    // frequent one. The index of words finds a rare one.
    let first = """
      (SELECT * FROM image WHERE \(condition)\(part) ORDER BY \(terms) LIMIT \(Self.lookedThrough))
        AS image WHERE \(search)
      """
    let found = try rows(from: first)
    if found.count >= limit { return found }
    return try rows(
      from: "(SELECT * FROM image WHERE \(wholeCondition)\(part) OFFSET 0) AS image"
    )
  }

  /// The parts of the order behind a position.
  private func parts(
    behind position: ImageCursor
  ) -> [(condition: String, values: [any Parameter])] {
    let key: any Parameter =
      query.order == .title ? position.title ?? "" : position.number
    let column = query.order.column
    let (isBehind, isBehindInRow) = query.order.comparisons
    let same = (
      condition: "\(column) = $1 AND (position, image.id) \(isBehindInRow) ($2, $3)",
      values: [key, position.position, position.imageID]
    )
    if query.order == .feed, query.feedID != nil { return [same] }
    return [same, (condition: "\(column) \(isBehind) $1", values: [key])]
  }

  /// The position behind an image; nil when it is missing.
  static func position(
    behind imageID: Int64,
    in order: ImageQuery.Order,
    _ db: Connection
  ) throws -> ImageCursor? {
    let sql = """
      SELECT \(order.numberColumn), title_key, position FROM image WHERE id = $1 AND is_hidden = 0
      """
    return try db.rows(sql, imageID).first.map { row in
      try ImageCursor(
        number: row.value(0),
        title: order == .title ? row.value(1) : nil,
        position: row.value(2),
        imageID: imageID
      )
    }
  }
}
