import GRDB
import LibraryFiles
import Models
import Workers

/// The SQL of a listing.
///
/// Every order ends in place and id, and has an index for the whole library and one for a feed, so
/// that a first page costs by its own length. Only a search for rare words sorts, by what it has found; the random
/// order is `RandomListing`'s.
///
/// The second column is the date that the order sorts by, or 0.
struct ListingQuery {
  /// A part of an order behind a position.
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
    // The index of this order has hidden images, too.
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

  /// What of an order is behind a position: first the images that have its first sort key, too, then the others.
  ///
  /// Each is one range of the order's index; with `OR` SQLite would walk the first part from its beginning.
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

/// A listing in a random order: the ids of all images that match, shuffled as far as they are wanted.
///
/// The ids of the library or of a feed come from an index alone.
struct RandomListing {
  /// Leaves out what is hidden, mostly nothing, by a list of its own: the index of all images need
  /// not be left to look at the row of each.
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

  /// The question for the ids, in whatever order the index has.
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
      && !hasTraits
  }
}

/// The SQL of which images a listing has, whatever its order.
struct ListingFilter {
  let condition: String
  let arguments: StatementArguments

  /// What most indexes are made for: they have no other images.
  static let isVisible = "is_hidden = 0"

  init(
    _ query: ImageQuery,
    halfRemoved: [Int64],
    search: SearchExpression?,
    isVisible: String = isVisible
  ) {
    var conditions = [isVisible]
    var arguments = StatementArguments()
    if let feedID = query.feedID {
      conditions.append("feed_id = ?")
      arguments += [feedID]
    }
    if let listID = query.listID {
      conditions.append("+feed_id IN (\(ListQueries.feedsOfListSQL))")
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

  /// What pictures are like, and when they came.
  ///
  /// The indexes of `newest` and `oldest` have these columns, so that a walk in search of few among many
  /// reads an index and no row: a fifth of a second for a million where none matches. The other orders take
  /// the ids from there first. The sign before a column keeps the index of another order from being taken.
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
