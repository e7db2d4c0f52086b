import GRDB
import Models

/// A listing in a random order: the ids of all images that match, shuffled as far as they are
/// wanted, and then the images by their ids.
///
/// The ids come from an index alone where no words are searched for, and are all that is kept in
/// memory: eight bytes an image.
struct RandomListing {
  private let filter: ListingFilter
  private let query: ImageQuery

  init(_ query: ImageQuery, halfRemoved: [Int64] = [], search: String? = nil) {
    filter = ListingFilter(query, halfRemoved: halfRemoved, search: search)
    self.query = query
  }

  /// The question for the ids, in whatever order the index has.
  var idSQL: String { "SELECT image.id FROM image WHERE \(filter.condition)" }
  var idArguments: StatementArguments { filter.arguments }

  /// The ids that are wanted, in their order: the first steps of a Fisher–Yates shuffle.
  func ids(_ db: Database) throws -> ArraySlice<Int64> {
    var ids = try Int64.fetchAll(db, sql: idSQL, arguments: idArguments)
    var generator = SeededGenerator(seed: query.seed)
    let wanted = min(max(query.limit ?? ids.count, 0), ids.count)
    for index in 0..<wanted {
      ids.swapAt(index, Int.random(in: index..<ids.count, using: &generator))
    }
    return ids.prefix(wanted)
  }

  /// The rows of images by their ids, in the order of these.
  static func rows(_ ids: ArraySlice<Int64>, _ db: Database) throws -> [Row] {
    let list = ids.map(String.init).joined(separator: ", ")
    let sql = "SELECT \(ImageRow.columns) FROM image WHERE id IN (\(list))"
    var rows: [Int64: Row] = [:]
    for row in try Row.fetchAll(db, sql: sql) { rows[row[0]] = row }
    return ids.compactMap { rows[$0] }
  }
}
