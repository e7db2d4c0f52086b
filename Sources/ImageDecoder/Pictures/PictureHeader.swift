import DecoderFrames
import Models

/// What the header of a picture says that matters for decoding it.
struct PictureHeader {
  var facts: FrameFacts
  /// Bytes that one decoded pixel takes.
  var pixelBytes: Int
  /// Whether it comes in passes of growing detail, so that all of it is held until the end.
  var isInterlaced: Bool
  /// Whether it has half the colours in both directions, as most JPEG files have.
  var hasHalvedColours: Bool

  init(_ picture: borrowing Picture, format: ImageFormat) {
    let orientation = picture.number("orientation")
    facts = FrameFacts(
      format: format,
      width: picture.width,
      height: picture.height,
      orientation: (1...8).contains(orientation) ? orientation : 1,
      isAnimated: picture.number("n-pages") > 1,
      hasAlpha: picture.hasAlpha
    )
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
