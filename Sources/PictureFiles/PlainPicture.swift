package import Models

/// Why a plain picture cannot be read.
package enum PlainPictureError: Error, Sendable, Equatable {
  /// The file ends too early, or its header is invalid; the reason is a clause about the file.
  case damaged(String)
  /// The pixels have a compression or depth that the readers do not support.
  case packed
  /// The pixels would need this many bytes, which exceeds the limit.
  case tooLarge(bytes: Int)
}

/// The pixels of a BMP, ICO or PNM file: formats simple enough to read without a library.
///
/// Only the decoder process reads untrusted pictures. Every access is bounds-checked, and the
/// pixels take no more memory than the limit.
package struct PlainPicture: Sendable, Equatable {
  package let width: Int
  package let height: Int
  /// 1 for grey; 3 for red, green and blue; 4 with alpha.
  package let bands: Int
  /// The rows from the top down, with one byte for each band.
  package private(set) var pixels: [UInt8]

  /// The content of a file: pixels, or the PNG file within an icon.
  package enum Content: Sendable, Equatable {
    case pixels(PlainPicture)
    case png([UInt8])
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, or the part of it that has arrived.
  ///   - format: BMP, ICO or PNM.
  ///   - isPartial: Whether missing pixels stay black; otherwise they are an error.
  ///   - limit: The most bytes that the pixels may take.
  /// - Returns: The pixels, or the PNG file within an icon.
  /// - Throws: `PlainPictureError` when the file cannot be read.
  package static func read(
    _ bytes: [UInt8],
    as format: ImageFormat,
    isPartial: Bool,
    limit: Int
  ) throws(PlainPictureError) -> Content {
    switch format {
    case .bmp: .pixels(try BMPReader(file: bytes, isPartial, limit).picture())
    case .pnm: .pixels(try PNMReader.picture(bytes, isPartial, limit))
    case .ico: try ICOReader.content(bytes, isPartial, limit)
    default: throw .packed
    }
  }

  /// Makes a picture that is black, and transparent if it has alpha.
  ///
  /// - Throws: `PlainPictureError` when a side is out of range or the pixels exceed the limit.
  init(width: Int, height: Int, bands: Int, limit: Int) throws(PlainPictureError) {
    guard (1...Self.side).contains(width), (1...Self.side).contains(height) else {
      throw .damaged("its sides are \(width) and \(height) pixels")
    }
    guard width * height * bands <= limit else { throw .tooLarge(bytes: width * height * bands) }
    self.width = width
    self.height = height
    self.bands = bands
    pixels = [UInt8](repeating: 0, count: width * height * bands)
  }

  private static let side = 1 << 24

  mutating func set(_ offset: Int, _ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    pixels[offset] = red
    pixels[offset + 1] = green
    pixels[offset + 2] = blue
  }

  mutating func set(_ offset: Int, _ value: UInt8) { pixels[offset] = value }

  /// Whether the alpha of all pixels is 0, as in files by writers that do not support alpha.
  var isInvisible: Bool {
    guard bands == 4 else { return false }
    return stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 0 }
  }

  /// Makes the picture opaque, except for the pixels to hide, which are numbered from the top left.
  mutating func setAlpha(hiding isHidden: (Int) -> Bool) {
    for pixel in 0..<width * height { pixels[4 * pixel + 3] = isHidden(pixel) ? 0 : 255 }
  }
}
