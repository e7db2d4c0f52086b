import DecoderFrames
import Models
import PictureFiles

/// What the header of a picture says that matters for decoding it.
struct PictureHeader {
  var facts: FrameFacts
  /// Bytes that one decoded pixel takes.
  var pixelBytes: Int
  /// Whether it comes in passes of growing detail, so that all of it is held until the end.
  var isInterlaced: Bool
  /// Whether it is WebP of one lossy frame, which its decoder makes smaller row by row.
  var isLossyWebP: Bool
  /// The format that libvips reads: within an icon that of its picture.
  var loader: ImageFormat
  /// Bytes that the decoder of TIFF holds at once beside the rows.
  var stripBytesAtOnce = 0
  /// Whether it has half the colours in both directions, as most JPEG files have.
  var hasHalvedColours: Bool

  /// Takes what libvips says of a picture, and of WebP, which it was asked for smaller, the size
  /// that the file claims; `beginning` is that of the file.
  init(_ picture: borrowing Picture, claim: ImageHeader, beginning: [UInt8]) {
    let orientation = picture.number("orientation")
    let format = claim.format
    loader = format
    let claimedSize = format == .webP ? (claim.width, claim.height) : (nil, nil)
    facts = FrameFacts(
      format: format,
      width: claimedSize.0 ?? picture.width,
      height: claimedSize.1 ?? picture.height,
      orientation: (1...8).contains(orientation) ? orientation : 1,
      isAnimated: picture.number("n-pages") > 1,
      hasAlpha: picture.hasAlpha
    )
    // RIFF, a length, WEBP, and the name of the first chunk (RFC 9649, section 2.5).
    isLossyWebP = format == .webP && beginning.dropFirst(12).starts(with: "VP8 ".utf8)
    pixelBytes = picture.pixelBytes
    isInterlaced = picture.number("interlaced") == 1
    hasHalvedColours = picture.text("jpeg-chroma-subsample")?.hasPrefix("4:2:0") ?? false
  }

  /// How many times larger than a box the picture is, once it is turned.
  func shrink(toFit box: (width: Int, height: Int)) -> Double {
    let isOnItsSide = facts.orientation >= 5
    let (width, height) = isOnItsSide ? (facts.height, facts.width) : (facts.width, facts.height)
    return max(Double(width) / Double(box.width), Double(height) / Double(box.height), 1)
  }
}
