import GRDB
import Models

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
    if let manifestID = query.manifestID {
      conditions.append("image.id IN (SELECT image_id FROM member_image WHERE member_id = ?)")
      arguments += [manifestID]
    }
    if let since = query.since {
      conditions.append("date >= ?")
      arguments += [since.storedSeconds]
    }
    if !halfRemoved.isEmpty {
      let ids = halfRemoved.map(String.init).joined(separator: ", ")
      conditions.append("feed_id NOT IN (\(ids))")
    }
    if let search {
      conditions.append(search.sql)
      arguments += search.arguments
    }
    condition = conditions.joined(separator: " AND ")
    self.arguments = arguments
  }
}
