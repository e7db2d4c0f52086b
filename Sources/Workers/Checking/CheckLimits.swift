/// The limits of a verification.
enum CheckLimits {
  /// Thumbnails read at a time: they are in memory together.
  static let thumbnailsPerPage = 64
  /// The pixels that a thumbnail is decoded to: few, since all of its bytes are read for them.
  static let box = PixelBox(width: 32, height: 32)
  /// Originals' rows read at a time.
  static let originalsPerPage = 256
}
