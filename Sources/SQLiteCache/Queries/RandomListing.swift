import GRDB
import Models

/// A listing in a random order: the ids of all images that match, shuffled as far as they are wanted.
///
/// The ids of the library or of a feed come from an index alone.
struct RandomListing {
  /// Leaves out what is hidden, mostly nothing, by a list of its own: the index of all images need
  /// not be left to look at the row of each.
  private static let isVisible = "image.id NOT IN (SELECT id FROM image WHERE is_hidden = 1)"

  private let filter: ListingFilter
  private let query: ImageQuery

  init(_ query: ImageQuery, halfRemoved: [Int64] = [], search: SearchExpression? = nil) {
    let isWholeScope =
      query.since == nil && query.listID == nil && query.manifestID == nil && search == nil
      && !query.hasTraits
    filter = ListingFilter(
      query,
      halfRemoved: halfRemoved,
      search: search,
      isVisible: isWholeScope ? Self.isVisible : ListingFilter.isVisible
    )
    self.query = query
  }

  /// The question for the ids, in whatever order the index has.
  var idSQL: String { "SELECT image.id FROM image WHERE \(filter.condition)" }
  var idArguments: StatementArguments { filter.arguments }

  /// The ids that are wanted, in their order: the first steps of a Fisher–Yates shuffle.
  func ids(_ db: Database) throws -> [Int64] {
    var ids = try Int64.fetchAll(db, sql: idSQL, arguments: idArguments)
    var generator = SeededGenerator(seed: query.seed)
    let wanted = min(max(query.limit ?? ids.count, 0), ids.count)
    for index in 0..<wanted {
      ids.swapAt(index, Int.random(in: index..<ids.count, using: &generator))
    }
    return Array(ids.prefix(wanted))
  }
}
