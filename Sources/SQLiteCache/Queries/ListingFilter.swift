import GRDB
import Models
import Workers

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
    if let since = query.since {
      conditions.append("date >= ?")
      arguments += [since.storedSeconds]
    }
    if let search {
      conditions.append(search.sql)
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
