import DecoderFrames
import Models
import PictureFiles

/// What is decoded at all, by what a picture's header claims.
enum DecodingLimits {
  /// Pixels of a picture: what can be read from top to bottom in the time there is for it.
  static let pixels = 500_000_000
  /// Bytes that the decoder of a picture may hold at once; the rest of the memory is for making it
  /// smaller.
  static let decodedBytes = 288 << 20

  /// Makes sure that what the first bytes of a file claim can be decoded, before libvips looks at it:
  /// the library of AVIF and HEIC makes up its own mind of what is too large, in words of its own.
  static func check(_ claim: ImageHeader) throws(Refusal) {
    guard let width = claim.width, let height = claim.height else { return }
    let (count, overflows) = width.multipliedReportingOverflow(by: height)
    guard !overflows, count <= pixels else {
      throw .tooManyPixels(width: width, height: height, limit: pixels)
    }
    guard [.avif, .heic].contains(claim.format), 6 * count > decodedBytes else { return }
    throw .tooManyDecodedBytes(6 * count, limit: decodedBytes)
  }

  /// Makes sure that a picture can be decoded as planned, before that begins.
  ///
  /// - Parameters:
  ///   - header: What the picture claims to be.
  ///   - plan: How it is to be loaded.
  ///   - fileBytes: The length of its file.
  /// - Throws: the limit that it is beyond.
  static func check(_ header: PictureHeader, plan: LoadPlan, fileBytes: Int) throws(Refusal) {
    let facts = header.facts
    let (count, overflows) = facts.width.multipliedReportingOverflow(by: facts.height)
    guard !overflows, count <= pixels else {
      throw .tooManyPixels(width: facts.width, height: facts.height, limit: pixels)
    }
    let needed = heldBytes(header, plan: plan, pixels: count, fileBytes: fileBytes)
    guard needed <= decodedBytes else { throw .tooManyDecodedBytes(needed, limit: decodedBytes) }
  }

  /// What a decoder holds at once.
  ///
  /// Those of JPEG, PNG and TIFF give row after row, unless the file has its details in several
  /// passes; the others give whole pictures, and read whole files.
  private static func heldBytes(
    _ header: PictureHeader,
    plan: LoadPlan,
    pixels: Int,
    fileBytes: Int
  ) -> Int {
    let rows = header.facts.width * header.pixelBytes * rowsAtOnce
    switch plan.format {
    case .jpeg where header.isInterlaced:
      // Two bytes for each coefficient of each colour.
      return pixels * (header.hasHalvedColours ? 3 : 2 * header.pixelBytes)
    case .png where header.isInterlaced: return pixels * header.pixelBytes
    // Where each colour has strips of its own, all of them are read at once.
    case .tiff: return max(rows, header.stripBytesAtOnce)
    case .jpeg, .png: return rows
    // The canvas, what is under it, and what is given on.
    case .gif: return 12 * pixels + fileBytes
    case .webP:
      let made = Int(Double(4 * pixels) * plan.scale * plan.scale)
      return (header.isLossyWebP ? rows : 4 * pixels) + made + fileBytes
    // Planes as they were coded, and the pixels that they become.
    case .avif, .heic: return (3 + header.pixelBytes) * pixels + fileBytes
    // Read already, or never.
    case .bmp, .ico, .pnm, .jpeg2000, .jpegXL, .svg: return 0
    }
  }

  /// Rows of a picture that are in memory at once while it is made smaller.
  private static let rowsAtOnce = 128
}
