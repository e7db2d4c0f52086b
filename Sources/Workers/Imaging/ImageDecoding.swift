package import Models

/// Decodes untrusted pictures, so that a bad picture does not affect any other.
///
/// If a picture cannot be decoded, only its own call fails.
package protocol ImageDecoding: Sendable {
  /// Reads the facts about a picture from its header.
  func inspect(_ picture: PictureSource) async throws(ImagingError) -> PictureFacts

  /// Makes a thumbnail for the store: upright, in sRGB and without metadata.
  ///
  /// An animated picture is represented by its first frame.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - longestSide: The longest side in pixels; a smaller picture keeps its size.
  /// - Returns: WebP if parts of it are transparent or it is as small as an icon, else JPEG.
  /// - Throws: the reason why the thumbnail cannot be made.
  func thumbnail(
    of picture: PictureSource,
    longestSide: Int
  ) async throws(ImagingError) -> MadeThumbnail

  /// Decodes a picture into pixels, upright and in sRGB.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - box: The box into which the picture has to fit; a smaller picture keeps its size.
  ///   - extent: Whether a part of the picture is enough.
  /// - Returns: The pixels.
  /// - Throws: the reason why the picture cannot be decoded.
  func pixels(
    of picture: PictureSource,
    fitting box: PixelSize,
    extent: PictureExtent
  ) async throws(ImagingError) -> DecodedPixels
}

/// Makes pictures of other sizes and formats from stored pictures, which may be untrusted.
package protocol PictureRendering: Sendable {
  /// Renders a picture in sRGB and without metadata; an animated picture is represented by its first frame.
  ///
  /// - Parameters:
  ///   - picture: The whole picture.
  ///   - rendering: The rendering, whose region has to be within the picture.
  /// - Returns: The file, in the encoding that `rendering` names.
  /// - Throws: the reason why the picture cannot be rendered.
  func rendered(
    _ picture: PictureSource,
    _ rendering: Rendering
  ) async throws(ImagingError) -> [UInt8]

  /// Computes the colours that are shown until a picture arrives.
  ///
  /// - Returns: The bytes of a `ColourGrid`; transparent parts count as white.
  /// - Throws: the reason why the picture cannot be decoded.
  func colourGrid(of picture: PictureSource) async throws(ImagingError) -> [UInt8]
}

/// Reads what cameras have written into pictures, which may be untrusted.
package protocol DetailsDecoding: Sendable {
  /// - Throws: the reason why the picture cannot be read.
  func details(of picture: PictureSource) async throws(ImagingError) -> PictureDetails
}

/// The source of a picture's bytes.
package enum PictureSource: Sendable, Equatable {
  case bytes([UInt8])
  /// A file by its path; it may still grow.
  case file(path: String)
  case opened(OpenedFile)
}

/// A size in pixels, such as the room for a picture; both sides are at least 1.
package struct PixelSize: Sendable, Equatable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

extension PixelSize {
  /// The sides of an original as it is shown, next to its thumbnail.
  ///
  /// The sides of an original are those in its header, before the turn by its EXIF (version 2.32, tag 274). A thumbnail
  /// is upright; its sides are rounded.
  package func upright(beside thumbnail: PixelSize?) -> PixelSize {
    guard let thumbnail, thumbnail.height > 0, height > 0,
      (width > height) != (thumbnail.width > thumbnail.height)
    else { return self }
    let share =
      Double(thumbnail.width) / Double(thumbnail.height) * (Double(width) / Double(height))
    return abs(share - 1) < 0.03 ? PixelSize(width: height, height: width) : self
  }
}

/// The part of a picture that has to exist.
package enum PictureExtent: Sendable, Equatable {
  /// The whole picture; a picture that ends too early is an error.
  case whole
  /// The part that has arrived; the rest is grey, or less sharp.
  ///
  /// A format that cannot be decoded in part is an error until the picture is whole.
  case asFarAsItCame
}

/// A picture as pixels in sRGB.
package struct DecodedPixels: Sendable, Equatable {
  package var width: Int
  package var height: Int
  /// Four bytes per pixel: red, green, blue and alpha (not premultiplied), row by row from the top.
  package var rgba: [UInt8]
  /// The facts about the picture from which the pixels were made.
  package var source: PictureFacts

  package init(width: Int, height: Int, rgba: [UInt8], source: PictureFacts) {
    self.width = width
    self.height = height
    self.rgba = rgba
    self.source = source
  }
}

/// A thumbnail that the decoder made.
package struct MadeThumbnail: Sendable, Equatable {
  /// The format, size and length of the thumbnail.
  package var info: PictureInfo
  package var bytes: [UInt8]
  /// The facts about the picture from which it was made.
  package var source: PictureFacts

  package init(info: PictureInfo, bytes: [UInt8], source: PictureFacts) {
    self.info = info
    self.bytes = bytes
    self.source = source
  }
}

extension ImageDecoding {
  /// Checks that pictures can be decoded, by inspecting the smallest possible one.
  ///
  /// - Throws: the reason why pictures cannot be decoded; fetching them is useless then.
  package func prepare() async throws(ImagingError) { _ = try await inspect(.bytes(smallestGIF)) }
}

/// One transparent pixel (GIF89a, with a table of two colours).
private let smallestGIF: [UInt8] = [
  0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x01, 0x00, 0x01, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00,
  0xFF, 0xFF, 0xFF, 0x21, 0xF9, 0x04, 0x01, 0x00, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00, 0x00, 0x00,
  0x01, 0x00, 0x01, 0x00, 0x00, 0x02, 0x02, 0x44, 0x01, 0x00, 0x3B,
]
