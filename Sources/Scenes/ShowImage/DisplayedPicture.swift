import Models
import Workers

/// A picture that a display draws, and how large it really is.
package struct DisplayedPicture: Equatable, Sendable {
  package var picture: Picture
  /// Width and height of the original in pixels: nothing is drawn larger; nil to fill the room.
  package var fullSize: FullSize?

  package struct FullSize: Equatable, Sendable {
    package var width: Int
    package var height: Int

    /// Nil for a size that no picture has.
    package init?(width: Int, height: Int) {
      guard width > 0, height > 0 else { return nil }
      self.width = width
      self.height = height
    }
  }

  package init(picture: Picture, fullSize: FullSize? = nil) {
    self.picture = picture
    self.fullSize = fullSize
  }

  /// Takes what a decoder made, and the size of what it was made from; nil for what is no picture.
  init?(_ pixels: DecodedPixels) {
    guard let picture = Picture(pixels) else { return nil }
    let (width, height) = pixels.source.upright
    self.init(picture: picture, fullSize: FullSize(width: width, height: height))
  }
}
