import LibraryFiles
package import Models
import Workers

/// The SQL of a listing.
///
/// Every order ends in position and id. It has one index for the whole library and one for a feed, so that the cost of
/// a first page depends only on the length of the page. Only a search for rare words sorts its matches, and `taken` sorts
/// those of a part of the library (`TakenOrder`).
///
/// The second column of the result is the date that the order sorts by, or 0.
package struct ListingQuery {
  /// A range of the order's index behind a position.
  package enum Part {
    /// The images with the same first sort key.
    case same(ImageCursor)
    /// The images with a later one.
    case later(ImageCursor)
    /// The images with a moment, in the order `taken`, or a range of them.
    indirect case dated(Part?)
    /// The images without one, or a range of them in the order `newest`.
    indirect case undated(Part?)
  }

  /// How PostgreSQL finds the images of a search.
  enum Way {
    case planned
    /// Looks for the words in the first images of the order.
    case amongFirst(Int)
    /// Sorts the images that the index of words finds.
    case byWords
  }

  package private(set) var sql = ""
  package private(set) var values: [any Parameter] = []

  package init(
    _ query: ImageQuery,
    halfRemoved: [Int64] = [],
    search: SearchExpression? = nil,
    part: Part? = nil,
    _ dialect: Dialect
  ) {
    self.init(query, halfRemoved: halfRemoved, search: search, part: part, .planned, dialect)
  }

  init(
    _ query: ImageQuery,
    halfRemoved: [Int64],
    search: SearchExpression?,
    part: Part?,
    _ way: Way,
    _ dialect: Dialect
  ) {
    var isVisible = query.isVisible
    // SQLite would look for all visible images, and make an index of them.
    if case .dated = part { isVisible = dialect.unindexed(isVisible) }
    var filter = ListingFilter(query, halfRemoved: halfRemoved, isVisible: isVisible, dialect)
    if let part { filter.add(part, of: query.order) }
    var terms = query.order.terms
    let images: String
    switch (part, way) {
    case (.dated, _):
      images = "\(TakenOrder.dated(dialect)) AND \(filter.condition)"
      terms = "\(TakenOrder.moment) DESC, position, image.id"
    case (.undated, _):
      images = "image WHERE \(filter.condition) AND \(TakenOrder.isUndated)"
      terms = ImageQuery.Order.newest.terms
    case (_, .planned):
      filter.add(search, of: query)
      images = "image WHERE \(filter.condition)"
    case (_, .amongFirst(let count)):
      let first = "image WHERE \(filter.condition) ORDER BY \(query.order.terms) LIMIT \(count)"
      images = "(SELECT * FROM \(first)) AS image WHERE \(search?.sql() ?? "true")"
    case (_, .byWords):
      filter.add(search, of: query)
      images = "(SELECT * FROM image WHERE \(filter.condition) OFFSET 0) AS image"
    }
    let limit = filter.bind(query.limit.map { max($0, 0) } ?? dialect.noLimit)
    let offset = filter.bind(max(query.offset, 0))
    sql = """
      SELECT image.id, \(query.order.isByDate ? query.order.column : "0") FROM \(images)
      ORDER BY \(terms) LIMIT \(limit) OFFSET \(offset)
      """
    values = filter.values
  }

  /// The parts of an order behind a position.
  ///
  /// Each part is one range of the order's index. With `OR`, SQLite would walk the first part from its beginning.
  package static func parts(behind position: ImageCursor, of query: ImageQuery) -> [Part] {
    if query.order == .feed, query.feedID != nil { return [.same(position)] }
    return [.same(position), .later(position)]
  }
}

extension Dialect {
  /// The value for LIMIT that means no limit.
  fileprivate var noLimit: Int? {
    switch self {
    case .sqlite: -1
    case .postgres: nil
    }
  }
}

extension ImageQuery {
  /// Whether it asks for all images of the library, or of a feed.
  var isWholeScope: Bool {
    since == nil && listID == nil && manifestID == nil && search == nil && !isPinned
      && !hasTraits && part.search == nil
  }

  /// The condition on visible images of an ordered listing: the index of the order `feed` has hidden images, too.
  fileprivate var isVisible: String {
    order == .feed && isWholeScope ? ListingFilter.isNotHidden : ListingFilter.isVisible
  }
}

/// The SQL condition for the images of a listing, in any order, with the values of its parameters.
package struct ListingFilter {
  package private(set) var condition: String
  package private(set) var values: [any Parameter] = []
  private let dialect: Dialect

  /// The condition of most indexes, which contain no other images.
  static let isVisible = "is_hidden = 0"

  /// Excludes hidden images with a separate list, which is usually empty.
  ///
  /// So the index of all images suffices, and SQLite does not read the row of each image.
  static let isNotHidden = """
    image.id NOT IN (
      SELECT id FROM image WHERE is_hidden = 1 UNION ALL SELECT id FROM image WHERE is_hidden = 2
    )
    """

  /// The condition for all images that match, without an order.
  package init(
    _ query: ImageQuery,
    halfRemoved: [Int64] = [],
    search: SearchExpression? = nil,
    _ dialect: Dialect
  ) {
    let isVisible = query.isWholeScope ? Self.isNotHidden : Self.isVisible
    self.init(query, halfRemoved: halfRemoved, isVisible: isVisible, dialect)
    if let search { add(search.sql()) }
  }

  /// The condition without the search.
  fileprivate init(
    _ query: ImageQuery,
    halfRemoved: [Int64],
    isVisible: String,
    _ dialect: Dialect
  ) {
    self.dialect = dialect
    condition = dialect.isVisible(isVisible)
    for feedID in query.feedIDs { add("feed_id = \(bind(feedID))") }
    if let listID = query.listID {
      add("\(dialect.unindexed("feed_id")) IN (\(ListQueries.feedsOfList(bind(listID))))")
    }
    if let manifestID = query.manifestID {
      let images = "SELECT image_id FROM member_image WHERE member_id = \(bind(manifestID))"
      add("image.id IN (\(images))")
    }
    if query.isPinned { add("image.id IN (SELECT image_id FROM pin)") }
    if let since = query.since { add("date >= \(bind(since.storedSeconds))") }
    if query.hasTraits { addTraits(of: query) }
    if !halfRemoved.isEmpty {
      add("feed_id NOT IN (\(halfRemoved.map(String.init).joined(separator: ", ")))")
    }
  }

  private mutating func add(_ condition: String) { self.condition += " AND \(condition)" }

  /// Adds a value, and returns its parameter.
  fileprivate mutating func bind(_ value: any Parameter) -> String {
    values.append(value)
    return "$\(values.count)"
  }

  fileprivate mutating func add(_ search: SearchExpression?, of query: ImageQuery) {
    guard let search else { return }
    add(search.sql(isForWalk: search.isCommon && query.limit != nil && query.order != .random))
  }

  fileprivate mutating func add(
    _ part: ListingQuery.Part,
    of order: ImageQuery.Order,
    by column: String? = nil
  ) {
    let column = column ?? order.column
    func key(_ position: ImageCursor) -> any Parameter {
      order == .title ? position.title ?? "" : position.number
    }
    let (isBehind, isBehindInRow) = order.comparisons
    switch part {
    case .same(let position):
      add("\(column) = \(bind(key(position)))")
      let place = "(\(bind(position.position)), \(bind(position.imageID)))"
      add("(position, image.id) \(isBehindInRow) \(place)")
    case .later(let position): add("\(column) \(isBehind) \(bind(key(position)))")
    case .dated(let range): if let range { add(range, of: order, by: TakenOrder.moment) }
    case .undated(let range): if let range { add(range, of: .newest) }
    }
  }

  /// The conditions on originals, on shapes and on the dates of addition.
  ///
  /// SQLite's indexes of `newest` and `oldest` have these columns. A walk that looks for few images among many reads
  /// only an index and no row: a fifth of a second for a million images without a match. The other orders take the ids
  /// from these indexes first. SQLite must not use the index of another order.
  private mutating func addTraits(of query: ImageQuery) {
    var conditions: [String] = []
    if let isStored = query.isOriginalStored {
      conditions.append("original_state \(isStored ? "<>" : "=") 0")
    }
    if let shape = query.shape { conditions.append("shape = \(shape.rawValue)") }
    if let date = query.addedSince {
      conditions.append("\(dialect.unindexed("first_seen_at")) >= \(date.storedSeconds)")
    }
    let condition = conditions.joined(separator: " AND ")
    let hasSearch = query.search != nil || query.part.search != nil
    guard case .sqlite = dialect, !hasSearch, [.title, .added, .feed].contains(query.order) else {
      return add(condition)
    }
    let hint = dialect.hint(query.feedID == nil ? "image_newest" : "image_feed_newest")
    let scope = query.feedID.map { "feed_id = \($0) AND " } ?? ""
    add("+image.id IN (SELECT id FROM image \(hint) WHERE is_hidden = 0 AND \(scope)\(condition))")
  }
}

extension Dialect {
  /// The condition on visible images; PostgreSQL's indexes have no others, except for `image_feed`.
  fileprivate func isVisible(_ condition: String) -> String {
    switch self {
    case .sqlite: condition
    case .postgres: ListingFilter.isVisible
    }
  }
}
