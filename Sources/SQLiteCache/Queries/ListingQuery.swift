import GRDB
import LibraryFiles
import Models
import Store
import Workers

/// The SQL of a listing.
///
/// Every order ends in position and id. It has one index for the whole library and one for a feed, so that the cost of
/// a first page depends only on the length of the page. Only a search for rare words sorts its matches. `RandomListing`
/// makes the random order.
///
/// The second column of the result is the date that the order sorts by, or 0.
struct ListingQuery {
  /// A part of an order after a position.
  struct Part {
    var condition: String
    var arguments: StatementArguments
  }

  var sql: String
  var arguments: StatementArguments

  init(
    _ query: ImageQuery,
    halfRemoved: [Int64] = [],
    search: SearchExpression? = nil,
    part: Part? = nil
  ) {
    // The index of the order `feed` has hidden images, too.
    let isInIndex = query.order != .feed || !query.isWholeScope
    let filter = ListingFilter(
      query,
      halfRemoved: halfRemoved,
      search: search,
      isVisible: isInIndex ? ListingFilter.isVisible : RandomListing.isVisible
    )
    sql = """
      SELECT image.id, \(query.order.isByDate ? query.order.column : "0") FROM image
      WHERE \(filter.condition)\(part.map { " AND \($0.condition)" } ?? "")
      ORDER BY \(query.order.terms) LIMIT ? OFFSET ?
      """
    arguments =
      filter.arguments + (part?.arguments ?? [])
      + [query.limit.map { max($0, 0) } ?? -1, max(query.offset, 0)]
  }

  /// The parts of an order after a position: first the images with the same first sort key, then the others.
  ///
  /// Each part is one range of the order's index. With `OR`, SQLite would walk the first part from its beginning.
  static func parts(behind position: ImageCursor, of query: ImageQuery) -> [Part] {
    let key =
      query.order == .title
      ? (position.title ?? "").databaseValue : position.number.databaseValue
    let column = query.order.column
    let (isBehind, isBehindInRow) = query.order.comparisons
    let same = Part(
      condition: "\(column) = ? AND (position, image.id) \(isBehindInRow) (?, ?)",
      arguments: [key, position.position, position.imageID]
    )
    if query.order == .feed, query.feedID != nil { return [same] }
    return [same, Part(condition: "\(column) \(isBehind) ?", arguments: [key])]
  }
}

/// A listing in a random order: the ids of all matching images, shuffled only as far as needed.
struct RandomListing {
  /// Excludes hidden images with a separate list, which is usually empty.
  ///
  /// So the index of all images suffices, and SQLite does not read the row of each image.
  static let isVisible = """
    image.id NOT IN (
      SELECT id FROM image WHERE is_hidden = 1 UNION ALL SELECT id FROM image WHERE is_hidden = 2
    )
    """

  private let filter: ListingFilter
  private let query: ImageQuery

  init(_ query: ImageQuery, halfRemoved: [Int64] = [], search: SearchExpression? = nil) {
    filter = ListingFilter(
      query,
      halfRemoved: halfRemoved,
      search: search,
      isVisible: query.isWholeScope ? Self.isVisible : ListingFilter.isVisible
    )
    self.query = query
  }

  /// The query for the ids, in the order of the index.
  var idSQL: String { "SELECT image.id FROM image WHERE \(filter.condition)" }
  var idArguments: StatementArguments { filter.arguments }

  /// The ids that are wanted, in their order.
  func ids(_ db: Database) throws -> [Int64] {
    query.shuffled(try Int64.fetchAll(db, sql: idSQL, arguments: idArguments))
  }
}

extension ImageQuery {
  /// Whether it asks for all images of the library, or of a feed.
  fileprivate var isWholeScope: Bool {
    since == nil && listID == nil && manifestID == nil && search == nil && !isPinned
      && !hasTraits && part.search == nil
  }
}

/// The SQL condition for the images of a listing, in any order.
struct ListingFilter {
  let condition: String
  let arguments: StatementArguments

  /// The condition of most indexes, which contain no other images.
  static let isVisible = "is_hidden = 0"

  init(
    _ query: ImageQuery,
    halfRemoved: [Int64],
    search: SearchExpression?,
    isVisible: String = isVisible
  ) {
    var conditions = [isVisible]
    var arguments = StatementArguments()
    for feedID in query.feedIDs {
      conditions.append("feed_id = ?")
      arguments += [feedID]
    }
    if let listID = query.listID {
      conditions.append("+feed_id IN (\(ListQueries.feedsOfList("?")))")
      arguments += [listID]
    }
    if let manifestID = query.manifestID {
      conditions.append("image.id IN (SELECT image_id FROM member_image WHERE member_id = ?)")
      arguments += [manifestID]
    }
    if query.isPinned { conditions.append("image.id IN (SELECT image_id FROM pin)") }
    if let since = query.since {
      conditions.append("date >= ?")
      arguments += [since.storedSeconds]
    }
    if let search {
      let isForWalk = search.isCommon && query.limit != nil && query.order != .random
      conditions.append(search.sql(isForWalk: isForWalk))
      arguments += search.arguments
    }
    if query.hasTraits {
      conditions.append(Self.traits(of: query, isByIndex: search == nil))
    }
    if !halfRemoved.isEmpty {
      let ids = halfRemoved.map(String.init).joined(separator: ", ")
      conditions.append("feed_id NOT IN (\(ids))")
    }
    condition = conditions.joined(separator: " AND ")
    self.arguments = arguments
  }

  /// The conditions on originals, on shapes and on the dates of addition.
  ///
  /// The indexes of `newest` and `oldest` have these columns. A walk that looks for few images among many reads only an
  /// index and no row: a fifth of a second for a million images without a match. The other orders take the ids from
  /// these indexes first. The sign before a column keeps SQLite from using the index of another order.
  private static func traits(
    of query: ImageQuery,
    isByIndex: Bool
  ) -> String {
    var conditions: [String] = []
    if let isStored = query.isOriginalStored {
      conditions.append("original_state \(isStored ? "<>" : "=") 0")
    }
    if let shape = query.shape { conditions.append("shape = \(shape.rawValue)") }
    if let date = query.addedSince { conditions.append("+first_seen_at >= \(date.storedSeconds)") }
    let condition = conditions.joined(separator: " AND ")
    guard isByIndex, [.title, .added, .feed].contains(query.order) else { return condition }
    let index = query.feedID == nil ? "image_newest" : "image_feed_newest"
    let scope = query.feedID.map { "feed_id = \($0) AND " } ?? ""
    let ids =
      "SELECT id FROM image INDEXED BY \(index) WHERE is_hidden = 0 AND \(scope)\(condition)"
    return "+image.id IN (\(ids))"
  }
}
