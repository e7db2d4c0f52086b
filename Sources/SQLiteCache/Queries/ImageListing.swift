import GRDB
import LibraryFiles
import Models
import Workers

/// Reads the ids of the images that a query selects.
struct ImageListing {
  private let query: ImageQuery
  private let halfRemoved: [Int64]
  private let search: SearchExpression?

  init(_ query: ImageQuery, _ db: Database) throws {
    self.query = query
    halfRemoved = try FeedTitles(db).halfRemoved
    search = try SearchExpression.of(query, db)
  }

  func ids(_ db: Database) throws -> [Int64] {
    if query.order == .random {
      return try RandomListing(query, halfRemoved: halfRemoved, search: search).ids(db)
    }
    var ids: [Int64] = []
    try forEach(db) { id, _ in ids.append(id) }
    return ids
  }

  /// All images that match, in no particular order.
  func unsortedIDs(_ db: Database) throws -> [Int64] {
    let listing = RandomListing(query, halfRemoved: halfRemoved, search: search)
    return try Int64.fetchAll(db, sql: listing.idSQL, arguments: listing.idArguments)
  }

  func timeline(_ db: Database) throws -> Timeline {
    guard query.order.isByDate else {
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
  private func forEach(_ db: Database, _ body: (Int64, Int64) -> Void) throws {
    guard let position = query.after else { return try forEach(of: query, nil, db, body) }
    var (part, skipped) = (query, max(query.offset, 0))
    part.offset = 0
    part.limit = query.limit.map { max($0, 0).adding(skipped) }
    for range in ListingQuery.parts(behind: position, of: query) where part.limit != 0 {
      try forEach(of: part, range, db) { id, date in
        part.limit? -= 1
        if skipped > 0 { skipped -= 1 } else { body(id, date) }
      }
    }
  }

  private func forEach(
    of query: ImageQuery,
    _ part: ListingQuery.Part?,
    _ db: Database,
    _ body: (Int64, Int64) -> Void
  ) throws {
    let listing = ListingQuery(query, halfRemoved: halfRemoved, search: search, part: part)
    try db.makeStatement(sql: listing.sql).forEachPair(listing.arguments, body)
  }

  /// The cursor that points behind an image; nil when the image is missing.
  static func position(
    behind imageID: Int64,
    in order: ImageQuery.Order,
    _ db: Database
  ) throws -> ImageCursor? {
    let sql = """
      SELECT \(order.numberColumn), title_key, position FROM image WHERE id = ? AND is_hidden = 0
      """
    let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [imageID])
    return try row.map { row in
      try ImageCursor(
        number: row.value(0),
        title: order == .title ? row.value(1) : nil,
        position: row.value(2),
        imageID: imageID
      )
    }
  }
}
