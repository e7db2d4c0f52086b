import Models
import Workers

/// What the pictures of an image are called in the store.
extension PictureKind {
  /// The column of `image` with the address that is asked for.
  var addressColumn: String {
    switch self {
    case .thumbnail: "thumbnail_address"
    case .original, .madeThumbnail: "original_address"
    }
  }

  /// The column of `image` with the date from which on its server is asked about it.
  var checkColumn: String {
    switch self {
    case .thumbnail, .madeThumbnail: "thumbnail_check_at"
    case .original: "original_check_at"
    }
  }

  /// Whether the one of an image is stored and right.
  var isStored: String {
    switch self {
    case .thumbnail: "thumbnail_state = \(ThumbnailState.stored.rawValue)"
    case .original: "original_state = \(OriginalState.stored.rawValue)"
    case .madeThumbnail: "thumbnail_state = \(ThumbnailState.made.rawValue)"
    }
  }

  /// The table with the validators of what is stored.
  var table: String {
    switch self {
    case .thumbnail, .madeThumbnail: "thumbnail"
    case .original: "image_original"
    }
  }

  /// Its column with the date at which the bytes came.
  var arrivalColumn: String {
    switch self {
    case .thumbnail, .madeThumbnail: "fetched_at"
    case .original: "stored_at"
    }
  }
}
