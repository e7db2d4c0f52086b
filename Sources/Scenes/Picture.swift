import Models
package import Workers

/// Decoded pixels, ready for a display to encode.
package struct Picture: Sendable, Equatable {
  /// In pixels, at least 1.
  package let width: Int
  package let height: Int
  /// Four bytes a pixel, row by row from the top: red, green, blue, opacity (unassociated).
  package let bytes: [UInt8]

  /// Takes the pixels; nil unless their number matches the size.
  package init?(width: Int, height: Int, bytes: [UInt8]) {
    guard width > 0, height > 0 else { return nil }
    let (pixels, isTooLarge) = width.multipliedReportingOverflow(by: height)
    guard !isTooLarge, bytes.count / 4 == pixels, bytes.count % 4 == 0 else { return nil }
    self.width = width
    self.height = height
    self.bytes = bytes
  }
}

extension Picture {
  /// Takes the result of a decoder; nil unless the number of its pixels matches its size.
  package init?(_ pixels: DecodedPixels) {
    self.init(width: pixels.width, height: pixels.height, bytes: pixels.rgba)
  }
}

/// A picture that a display draws, and its full size.
package struct DisplayedPicture: Equatable, Sendable {
  package var picture: Picture
  /// Width and height of the original in pixels, which a drawing does not exceed; nil to fill the room.
  package var fullSize: PixelSize?

  package init(picture: Picture, fullSize: PixelSize? = nil) {
    self.picture = picture
    self.fullSize = fullSize
  }

  /// Takes the result of a decoder; nil unless the number of its pixels matches its size.
  init?(_ pixels: DecodedPixels) {
    guard let picture = Picture(pixels) else { return nil }
    let (width, height) = pixels.source.upright
    self.init(picture: picture, fullSize: PixelSize(known: width, height))
  }
}

extension PixelSize {
  /// Nil unless both sides are known and above zero.
  package init?(known width: Int?, _ height: Int?) {
    guard let width, let height, width > 0, height > 0 else { return nil }
    self.init(width: width, height: height)
  }
}

/// A stored picture that a display shows from its file.
package struct DisplayedFile: Equatable, Sendable {
  /// The SHA-256 of the file, as 64 hexadecimal digits.
  package var hash: String
  /// In pixels; nil when the file does not state them.
  package var width: Int?
  package var height: Int?

  /// Nil when the hash is unknown.
  init?(_ info: PictureInfo?) {
    guard let info, let hash = info.hash else { return nil }
    self.hash = hash.hexadecimal
    width = info.width
    height = info.height
  }

  init(_ original: StoredOriginal) {
    hash = original.sha256
    width = original.info.width
    height = original.info.height
  }
}
