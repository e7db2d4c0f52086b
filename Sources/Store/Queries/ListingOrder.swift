import Models

/// The order of a listing in SQL.
extension ImageQuery.Order {
  /// The first column in the sort order, or the term in its place.
  var column: String {
    switch self {
    case .newest, .oldest: "date"
    case .title: "title_key"
    case .added: "first_seen_at"
    case .taken: TakenOrder.key
    case .feed, .random: "feed_id"
    }
  }

  /// The column that the number in an `ImageCursor` refers to.
  var numberColumn: String { self == .title ? "feed_id" : column }

  /// The terms of ORDER BY; the random order shuffles the images later, so any fixed order serves.
  var terms: String {
    switch self {
    case .newest: "date DESC, position, image.id"
    case .oldest: "date, position DESC, image.id DESC"
    case .title: "title_key, position, image.id"
    case .added: "first_seen_at DESC, position, image.id"
    case .taken: "\(TakenOrder.key) DESC, position, image.id"
    case .feed: "feed_id, position, image.id"
    case .random: "image.id"
    }
  }

  /// The operators for images after a position in the order.
  ///
  /// The first compares the first column, the second position and id among images with an equal first column.
  var comparisons: (column: String, rest: String) {
    ([.newest, .added, .taken].contains(self) ? "<" : ">", self == .oldest ? "<" : ">")
  }
}
