/// The limits of a verification.
enum CheckLimits {
  /// Thumbnails read at a time: they are in memory together.
  static let thumbnailsPerPage = 64
  /// Originals' rows read at a time.
  static let originalsPerPage = 256
}
