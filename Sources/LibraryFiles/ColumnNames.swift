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
