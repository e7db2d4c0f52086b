internal import CVips
import DecoderFrames
import Models
import PictureFiles

/// The facts in a picture's header that affect how it is decoded.
struct PictureHeader {
  var facts: PictureFacts
  /// Bytes of one decoded pixel.
  var pixelBytes: Int
  /// Whether the picture is stored in passes of increasing detail, so that the decoder holds all of it.
  var isInterlaced: Bool
  /// Whether the picture is a WebP of one lossy frame, which its decoder scales row by row.
  var isLossyWebP: Bool
  /// The format that libvips reads; for an icon or raw data, the format of the picture in it.
  var loader: ImageFormat
  /// The bytes that the decoder of TIFF holds at once in addition to the rows.
  let stripBytesAtOnce: Int
  /// The number of frames or pages.
  let frames: Int
  /// Whether the colours have half the resolution in both directions, as in most JPEG files.
  var hasHalvedColours: Bool

  /// Takes the facts from libvips.
  ///
  /// The size of a WebP comes from its claim, because the plan makes libvips load it at a smaller size.
  ///
  /// - Parameters:
  ///   - picture: The opened picture.
  ///   - reading: How it was opened.
  ///   - claim: The format and size that the file's first bytes claim.
  ///   - beginning: The file's first bytes.
  init(
    _ picture: borrowing Picture,
    _ reading: PictureReading,
    claim: ImageHeader,
    beginning: [UInt8]
  ) {
    let orientation = picture.number("orientation")
    let format = claim.format
    loader = reading.loader
    stripBytesAtOnce = reading.stripBytesAtOnce
    frames = picture.number("n-pages")
    let claimedSize = format == .webP ? (claim.width, claim.height) : (nil, nil)
    facts = PictureFacts(
      format: format,
      width: claimedSize.0 ?? picture.width,
      height: claimedSize.1 ?? picture.height,
      orientation: (1...8).contains(orientation) ? orientation : 1,
      isAnimated: frames > 1,
      hasAlpha: picture.hasAlpha,
      substitute: reading.substitute
    )
    // RIFF, a length, WEBP, and the name of the first chunk (RFC 9649, section 2.5).
    isLossyWebP = format == .webP && beginning.dropFirst(12).starts(with: "VP8 ".utf8)
    pixelBytes = picture.pixelBytes
    isInterlaced = picture.number("interlaced") == 1
    hasHalvedColours = picture.text("jpeg-chroma-subsample")?.hasPrefix("4:2:0") ?? false
  }

  /// How many times larger than a box the picture is after rotation; at least 1.
  func shrink(toFit box: (width: Int, height: Int)) -> Double {
    let isOnItsSide = facts.orientation >= 5
    let (width, height) = isOnItsSide ? (facts.height, facts.width) : (facts.width, facts.height)
    return max(Double(width) / Double(box.width), Double(height) / Double(box.height), 1)
  }
}

/// The options for loading a picture.
struct LoadPlan {
  var format: ImageFormat
  /// 1, 2, 4 or 8: the factor by which the decoder of JPEG shrinks each side.
  var shrink = 1
  /// At most 1: the factor by which the decoder of WebP scales each side.
  var scale = 1.0
  /// The kind of error that ends the decoding.
  var failOn = VIPS_FAIL_ON_TRUNCATED
  /// The page of a file with several pictures, and the number of a TIFF directory below it; nil for the usual one.
  var place: (page: Int, subdirectory: Int?)?

  init(format: ImageFormat) { self.format = format }

  /// A plan for reading only the header, even when the end of the file is missing.
  ///
  /// The loader of WebP allocates the picture at once, so the plan asks for a small one.
  init(_ claim: ImageHeader) {
    self.init(format: claim.format)
    failOn = VIPS_FAIL_ON_NONE
    guard format == .webP, let width = claim.width, let height = claim.height else { return }
    scale = min(1, 1_024 / Double(max(width, height, 1)))
  }

  /// The least factor by which the decoder's result must exceed the needed size.
  ///
  /// From this factor on, shrinking in two steps looks the same as shrinking in one step.
  private static let reserve = 1.5

  /// A plan that makes the format's decoder do as much of the shrinking as possible.
  ///
  /// - Parameters:
  ///   - header: The picture's header.
  ///   - shrink: How many times larger than needed the picture is.
  ///   - failOn: The kind of error that ends the decoding.
  init(_ header: PictureHeader, shrink: Double, failOn: VipsFailOn) {
    format = header.loader
    self.failOn = failOn
    switch format {
    case .jpeg: self.shrink = [8, 4, 2].first { Double($0) * Self.reserve <= shrink } ?? 1
    case .webP where !header.facts.isAnimated: scale = min(1, Self.reserve / shrink)
    case .svg: scale = 1 / shrink
    default: break
    }
  }
}

/// The limits on size and memory, which are checked before a picture is decoded.
enum DecodingLimits {
  /// The most pixels of a picture: as many as the decoder can read in the time for one picture.
  static let pixels = 500_000_000
  /// The most bytes that a format's decoder may hold; shrinking needs the rest of the memory.
  static let decodedBytes = 288 << 20

  /// Checks the size that the first bytes claim, before libvips opens the picture.
  ///
  /// The library for AVIF and HEIC has its own limits and messages. This check runs before it.
  static func check(_ claim: ImageHeader) throws(Refusal) {
    guard let width = claim.width, let height = claim.height else { return }
    let count = try checkedPixels(width, height)
    guard [.avif, .heic].contains(claim.format), 6 * count > decodedBytes else { return }
    throw .tooManyDecodedBytes(6 * count, limit: decodedBytes)
  }

  /// Checks that decoding a picture stays within the limits.
  ///
  /// - Parameters:
  ///   - header: The picture's header.
  ///   - plan: The options for loading it.
  ///   - fileBytes: The length of its file in bytes.
  /// - Throws: The refusal with the limit that would be exceeded.
  static func check(_ header: PictureHeader, plan: LoadPlan, fileBytes: Int) throws(Refusal) {
    let count = try checkedPixels(header.facts.width, header.facts.height)
    let needed = heldBytes(header, plan: plan, pixels: count, fileBytes: fileBytes)
    guard needed <= decodedBytes else { throw .tooManyDecodedBytes(needed, limit: decodedBytes) }
  }

  private static func checkedPixels(_ width: Int, _ height: Int) throws(Refusal) -> Int {
    let (count, overflows) = width.multipliedReportingOverflow(by: height)
    guard !overflows, count <= pixels else {
      throw .tooManyPixels(width: width, height: height, limit: pixels)
    }
    return count
  }

  /// The most bytes that the format's decoder holds at once.
  ///
  /// The decoders of JPEG, PNG and TIFF deliver row by row, unless the file is interlaced. The
  /// others hold the whole picture and the whole file.
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
    // If each colour has separate strips, libvips reads one strip of each at once.
    case .tiff: return max(rows, header.stripBytesAtOnce)
    case .jpeg, .png: return rows
    // The canvas, the canvas before the current frame, and the result.
    case .gif: return 12 * pixels + fileBytes
    case .webP:
      let made = Int(Double(4 * pixels) * plan.scale * plan.scale)
      return (header.isLossyWebP ? rows : 4 * pixels) + made + fileBytes
    // The planes of the codec, and the pixels made from them.
    case .avif, .heic: return (3 + header.pixelBytes) * pixels + fileBytes
    // The pixels, and those that the codec works on as numbers of 32 bits.
    case .jpegXL, .jpeg2000: return (12 + header.pixelBytes) * pixels + fileBytes
    // The canvas, of which libvips draws squares, and shapes of the file.
    case .svg: return min(4 * pixels, canvasBytes) + 8 * fileBytes
    // A reader of this project decodes it.
    case .bmp, .ico, .pnm: return 0
    }
  }

  /// The bytes of a row of squares of an SVG's canvas, at most.
  private static let canvasBytes = 128 << 20
  /// The rows of a picture that are in memory at once while libvips shrinks it.
  private static let rowsAtOnce = 128
}
