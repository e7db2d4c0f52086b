package import Models

/// A picture as pixels in sRGB.
package struct DecodedPixels: Sendable, Equatable {
  package var width: Int
  package var height: Int
  /// Four bytes a pixel, red, green, blue and alpha (not multiplied in), row by row from the top.
  package var rgba: [UInt8]
  /// Of the picture they were made from.
  package var source: PictureFacts

  package init(width: Int, height: Int, rgba: [UInt8], source: PictureFacts) {
    self.width = width
    self.height = height
    self.rgba = rgba
    self.source = source
  }
}
