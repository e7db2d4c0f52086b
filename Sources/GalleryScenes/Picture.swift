internal import Scenes
internal import Workers

/// A size in pixels, such as the room for a picture; both sides are at least 1.
public struct PixelSize: Sendable, Equatable {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  /// Makes a size.
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}

/// A decoded picture, upright and in sRGB, which fits into the room of the request and is never larger than the file's.
public struct Picture: Sendable, Equatable {
  /// The size of the picture.
  public let size: PixelSize
  /// Four bytes a pixel, row by row from the top: red, green, blue, opacity, which the colours are not multiplied by.
  public let bytes: [UInt8]

  /// Makes a picture of pixels, for tests of displays.
  ///
  /// - Parameters:
  ///   - size: The size of the picture.
  ///   - bytes: Four bytes for each pixel of this size; other numbers of bytes are a mistake of the program.
  public init(size: PixelSize, bytes: [UInt8]) {
    precondition(
      bytes.count == 4 * size.width * size.height,
      "a picture has four bytes for each pixel"
    )
    (self.size, self.bytes) = (size, bytes)
  }

  init(_ picture: Scenes.Picture) {
    size = PixelSize(width: picture.width, height: picture.height)
    bytes = picture.bytes
  }

  init?(_ pixels: DecodedPixels?) {
    guard let picture = pixels.flatMap({ Scenes.Picture($0) }) else { return nil }
    self.init(picture)
  }
}

extension Workers.PixelSize {
  init(_ size: PixelSize) { self.init(width: size.width, height: size.height) }
}
