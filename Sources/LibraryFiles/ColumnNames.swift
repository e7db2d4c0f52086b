package import Models
import Workers

/// The names of columns for an image's pictures, which every store shares.
extension PictureKind {
  /// The column of `image` with the address of the picture.
  package var addressColumn: String {
    self == .thumbnail ? "thumbnail_address" : "original_address"
  }

  /// The column of `image` with the date from which its server may be asked about the picture.
  package var checkColumn: String {
    self == .original ? "original_check_at" : "thumbnail_check_at"
  }

  /// The condition that an image has a stored picture of this kind.
  package var isStored: String {
    switch self {
    case .thumbnail: "thumbnail_state = \(ThumbnailState.stored.rawValue)"
    case .original: "original_state = \(OriginalState.stored.rawValue)"
    case .madeThumbnail: "thumbnail_state = \(ThumbnailState.made.rawValue)"
    }
  }

  /// The table with the validators of stored pictures of this kind.
  package var table: String { self == .original ? "image_original" : "thumbnail" }

  /// The column of that table with the date at which the bytes arrived.
  package var arrivalColumn: String { self == .original ? "stored_at" : "fetched_at" }
}

/// The order of a listing in SQL.
extension ImageQuery.Order {
  /// The first column in the sort order.
  package var column: String {
    switch self {
    case .newest, .oldest: "date"
    case .title: "title_key"
    case .added: "first_seen_at"
    case .feed, .random: "feed_id"
    }
  }

  /// The column that the number in an `ImageCursor` refers to.
  package var numberColumn: String { self == .title ? "feed_id" : column }

  /// The terms of ORDER BY; the random order shuffles the images later, so any fixed order serves.
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

  /// The operators for images after a position in the order.
  ///
  /// The first compares the first column, the second position and id among images with an equal first column.
  package var comparisons: (column: String, rest: String) {
    (self == .newest || self == .added ? "<" : ">", self == .oldest ? "<" : ">")
  }
}
