import GRDB
import Models

/// The SQL of a listing.
///
/// Every order ends in place and id, and has an index for the whole library and one for a feed, so
/// that a first page costs by its own length. Only a search sorts, by what it has found; the random
/// order is `RandomListing`'s.
struct ListingQuery {
  var sql: String
  var arguments: StatementArguments

  init(_ query: ImageQuery, halfRemoved: [Int64] = [], search: SearchExpression? = nil) {
    let filter = ListingFilter(query, halfRemoved: halfRemoved, search: search)
    sql = """
      SELECT image.id FROM image
      WHERE \(filter.condition)
      ORDER BY \(Self.terms(of: query.order)) LIMIT ? OFFSET ?
      """
    arguments =
      filter.arguments + [query.limit.map { max($0, 0) } ?? -1, max(query.offset, 0)]
  }

  private static func terms(of order: ImageQuery.Order) -> String {
    switch order {
    case .newest: "date DESC, place, image.id"
    case .oldest: "date, place DESC, image.id DESC"
    case .title: "title_key, place, image.id"
    case .added: "first_seen_at DESC, place, image.id"
    case .feed: "feed_id, place, image.id"
    // Any order will do: `RandomListing` makes its own.
    case .random: "image.id"
    }
  }
}
