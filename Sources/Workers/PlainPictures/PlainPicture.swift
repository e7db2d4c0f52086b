package import Models

/// Why a plain picture is not read.
package enum PlainPictureError: Error, Sendable, Equatable {
  /// It ends too early, or its header makes no sense.
  case damaged(String)
  /// Its pixels are packed in a way that is not read.
  case packed
  /// Its pixels would take so many bytes.
  case tooLarge(bytes: Int)
}

/// The pixels of BMP, ICO and PNM, formats so plain that reading them takes no library.
///
/// What comes from strangers is read in the decoder process alone. Every access is checked: no bytes
/// can make it read or write elsewhere, and it takes no more memory than it is allowed.
package struct PlainPicture: Sendable, Equatable {
  package let width: Int
  package let height: Int
  /// 1 grey; 3 red, green and blue; 4 with alpha.
  package let bands: Int
  /// Row by row from the top, one byte a band.
  package private(set) var pixels: [UInt8]

  /// What a file holds: pixels, or in an icon a PNG file.
  package enum Content: Sendable, Equatable {
    case pixels(PlainPicture)
    case png([UInt8])
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, or as much as there is of it.
  ///   - format: BMP, ICO or PNM.
  ///   - isPartial: Whether what is missing stays black.
  ///   - limit: The most bytes that the pixels may take.
  /// - Returns: Its pixels, or the PNG file within it.
  /// - Throws: why there are none.
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

  /// A picture that is black, or transparent, everywhere.
  ///
  /// - Throws: when its sides are none or it would take too much.
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

  /// Whether a picture with alpha is transparent everywhere, as writers leave it that know no alpha.
  var isInvisible: Bool {
    guard bands == 4 else { return false }
    return stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 0 }
  }

  /// Makes all of it opaque but for the pixels that are to be hidden, counted from the top left.
  mutating func setAlpha(hiding isHidden: (Int) -> Bool) {
    for pixel in 0..<width * height { pixels[4 * pixel + 3] = isHidden(pixel) ? 0 : 255 }
  }
}
