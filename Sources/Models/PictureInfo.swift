/// What is known of a picture that is stored: its format by content, its size in bytes and pixels.
package struct PictureInfo: Sendable, Equatable {
  package var format: ImageFormat
  /// Length of the file in bytes.
  package var bytes: Int
  /// Width in pixels; nil where the header does not say.
  package var width: Int?
  /// Height in pixels; nil where the header does not say.
  package var height: Int?

  package init(format: ImageFormat, bytes: Int, width: Int?, height: Int?) {
    self.format = format
    self.bytes = bytes
    self.width = width
    self.height = height
  }
}
