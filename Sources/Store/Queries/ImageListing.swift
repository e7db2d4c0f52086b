import LibraryFiles
package import Models
package import Workers

/// Reads the ids of the images that a query selects.
package struct ImageListing {
  /// The number of images that PostgreSQL looks through in the order of the query, before it uses the index of words.
  private static let lookedThrough = 5_000

  private let query: ImageQuery
  private let isByDate: Bool
  private let halfRemoved: [Int64]
  private let search: SearchExpression?

  /// - Throws: when the search has no words or too many, or when the library cannot be read.
  package init(_ query: ImageQuery, _ db: Connection) throws {
    let hasOrder = try query.order != .taken || DetailQueries.areKept(db)
    self.query = hasOrder ? query : query.withoutMoments
    isByDate = query.order.isByDate
    halfRemoved = try FeedReferences.halfRemoved(db)
    search = try SearchExpression.of(query, db)
  }

  package func ids(_ db: Connection) throws -> [Int64] {
    if query.order == .random { return query.shuffled(try unsortedIDs(db)) }
    var ids: [Int64] = []
    try forEach(db) { id, _ in ids.append(id) }
    return ids
  }

  /// All images that match, in an order that depends only on the library.
  package func unsortedIDs(_ db: Connection) throws -> [Int64] {
    let filter = ListingFilter(query, halfRemoved: halfRemoved, search: search, db.dialect)
    var ids: [Int64] = []
    let sql = "SELECT image.id FROM image WHERE \(filter.condition)"
    try db.forEachRow(sql, with: Values(filter.values), isKept: false) { row in
      ids.append(try row.value(0))
      return true
    }
    // SQLite reads them in the order of an index, and PostgreSQL in that of its pages.
    if case .postgres = db.dialect { ids.sort() }
    return ids
  }

  package func timeline(_ db: Connection) throws -> Timeline {
    guard isByDate else {
      let ids = try ids(db)
      return Timeline(ids: ids, runs: ids.isEmpty ? [] : [.init(month: nil, count: ids.count)])
    }
    var timeline = Timeline()
    try forEach(db) { id, date in
      timeline.append(id, month: Timeline.month(ofSecond: date))
    }
    return timeline
  }

  /// Calls `body` with each image in the order of the query, and with the date that the order sorts by.
  private func forEach(_ db: Connection, _ body: (Int64, Int64) -> Void) throws {
    let ranges = query.ranges
    if ranges.count == 1, ranges[0] == nil { return try forEach(of: query, nil, db, body) }
    var (part, skipped) = (query, max(query.offset, 0))
    part.offset = 0
    part.limit = query.limit.map { max($0, 0).adding(skipped) }
    for range in ranges where part.limit != 0 {
      try forEach(of: part, range, db) { id, date in
        part.limit? -= 1
        if skipped > 0 { skipped -= 1 } else { body(id, date) }
      }
    }
  }

  private func forEach(
    of query: ImageQuery,
    _ part: ListingQuery.Part?,
    _ db: Connection,
    _ body: (Int64, Int64) -> Void
  ) throws {
    guard case .postgres = db.dialect, search != nil, query.order != .taken,
      let limit = query.limit
    else {
      return try forEach(of: query, part, .planned, db, body)
    }
    // The server cannot tell how frequent the beginning of a word is. Reading in the order of the query quickly finds a
    // frequent one. The index of words finds a rare one.
    var found: [(Int64, Int64)] = []
    try forEach(of: query, part, .amongFirst(Self.lookedThrough), db) { found.append(($0, $1)) }
    if found.count < limit { return try forEach(of: query, part, .byWords, db, body) }
    for (id, date) in found { body(id, date) }
  }

  private func forEach(
    of query: ImageQuery,
    _ part: ListingQuery.Part?,
    _ way: ListingQuery.Way,
    _ db: Connection,
    _ body: (Int64, Int64) -> Void
  ) throws {
    let listing = ListingQuery(
      query,
      halfRemoved: halfRemoved,
      search: search,
      part: part,
      way,
      db.dialect
    )
    try db.forEachRow(listing.sql, with: Values(listing.values), isKept: false) { row in
      body(try row.value(0), try row.value(1))
      return true
    }
  }

  /// The cursor that points behind an image; nil when the image is missing.
  package static func position(
    behind imageID: Int64,
    in order: ImageQuery.Order,
    _ db: Connection
  ) throws -> ImageCursor? {
    let hasOrder = try order != .taken || DetailQueries.areKept(db)
    let number = hasOrder ? order.numberColumn : TakenOrder.undatedKey
    let sql = """
      SELECT \(number), title_key, position FROM image WHERE id = $1 AND is_hidden = 0
      """
    return try db.row(sql, imageID) { row in
      try ImageCursor(
        number: row.value(0),
        title: order == .title ? row.value(1) : nil,
        position: row.value(2),
        imageID: imageID
      )
    }
  }
}
