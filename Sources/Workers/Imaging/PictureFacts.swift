package import Models

/// What the decoder found a picture to be.
package struct PictureFacts: Sendable, Equatable {
  /// Told by its content.
  package var format: ImageFormat
  /// Width in pixels as stored, before it is turned.
  package var width: Int
  /// Height in pixels as stored, before it is turned.
  package var height: Int
  /// How it is to be turned, 1 to 8 (EXIF 2.32, section 4.6.4, tag 274); 1 is upright.
  package var orientation: Int
  /// Width and height in pixels once it is turned.
  package var upright: (width: Int, height: Int) {
    orientation >= 5 ? (height, width) : (width, height)
  }
  /// Whether it has several frames or pages.
  package var isAnimated: Bool
  /// Whether parts of it may be transparent.
  package var hasAlpha: Bool

  package init(
    format: ImageFormat,
    width: Int,
    height: Int,
    orientation: Int,
    isAnimated: Bool,
    hasAlpha: Bool
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.orientation = orientation
    self.isAnimated = isAnimated
    self.hasAlpha = hasAlpha
  }
}
