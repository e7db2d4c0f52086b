import GRDB
import Models

/// The SQL of a listing.
///
/// Every order ends in place and id, and has an index for the whole library and one for a feed, so
/// that a first page costs by its own length. Only a search sorts, by what it has found.
struct ListingQuery {
  var sql: String
  var arguments: StatementArguments

  init(_ query: ImageQuery, halfRemoved: [Int64] = [], search: String? = nil) {
    var conditions = ["is_hidden = 0"]
    var arguments = StatementArguments()
    if let feedID = query.feedID {
      conditions.append("feed_id = ?")
      arguments += [feedID]
    }
    if !halfRemoved.isEmpty {
      let ids = halfRemoved.map(String.init).joined(separator: ", ")
      conditions.append("feed_id NOT IN (\(ids))")
    }
    if let search {
      conditions.append("image.id IN (SELECT rowid FROM image_search WHERE image_search MATCH ?)")
      arguments += [search]
    }
    sql = """
      SELECT \(ImageRow.columns) FROM image
      WHERE \(conditions.joined(separator: " AND "))
      ORDER BY \(Self.terms(of: query.order)) LIMIT ? OFFSET ?
      """
    self.arguments = arguments + [query.limit.map { max($0, 0) } ?? -1, max(query.offset, 0)]
  }

  private static func terms(of order: ImageQuery.Order) -> String {
    switch order {
    case .newest: "date DESC, place, image.id"
    case .oldest: "date, place DESC, image.id DESC"
    case .title: "title_key, place, image.id"
    case .added: "first_seen_at DESC, place, image.id"
    case .feed: "feed_id, place, image.id"
    }
  }
}
