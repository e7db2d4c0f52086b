package import Workers

extension PixelSize {
  /// The same as the room for a picture.
  package var box: PixelBox { PixelBox(width: width, height: height) }
}
