package import Models
import Workers

/// The names of an image's pictures in the tables of every store.
extension PictureKind {
  /// The column of `image` with the address that is asked for.
  package var addressColumn: String {
    self == .thumbnail ? "thumbnail_address" : "original_address"
  }

  /// The column of `image` with the date from which on its server is asked about it.
  package var checkColumn: String {
    self == .original ? "original_check_at" : "thumbnail_check_at"
  }

  /// The condition that the one of an image is stored and right.
  package var isStored: String {
    switch self {
    case .thumbnail: "thumbnail_state = \(ThumbnailState.stored.rawValue)"
    case .original: "original_state = \(OriginalState.stored.rawValue)"
    case .madeThumbnail: "thumbnail_state = \(ThumbnailState.made.rawValue)"
    }
  }

  /// The table with the validators of the stored ones.
  package var table: String { self == .original ? "image_original" : "thumbnail" }

  /// Its column with the date at which the bytes came.
  package var arrivalColumn: String { self == .original ? "stored_at" : "fetched_at" }
}

/// The order of a listing in SQL.
extension ImageQuery.Order {
  /// The column that it sorts by first.
  package var column: String {
    switch self {
    case .newest, .oldest: "date"
    case .title: "title_key"
    case .added: "first_seen_at"
    case .feed, .random: "feed_id"
    }
  }

  /// The column of the number in an `ImageCursor`.
  package var numberColumn: String { self == .title ? "feed_id" : column }

  /// The terms that it sorts by; the random order shuffles what any order lists.
  package var terms: String {
    switch self {
    case .newest: "date DESC, position, image.id"
    case .oldest: "date, position DESC, image.id DESC"
    case .title: "title_key, position, image.id"
    case .added: "first_seen_at DESC, position, image.id"
    case .feed: "feed_id, position, image.id"
    case .random: "image.id"
    }
  }

  /// How the first column, and position and id among images that share it, compare behind a place in the order.
  package var comparisons: (column: String, rest: String) {
    (self == .newest || self == .added ? "<" : ">", self == .oldest ? "<" : ">")
  }
}
