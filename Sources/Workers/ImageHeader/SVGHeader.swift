import Models

/// SVG: an XML document whose root is `svg` (SVG 2, section 5.1).
///
/// Its size may be given in many units, or not at all, and is left out.
enum SVGHeader: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    MarkupRoot(bytes)?.name == "svg" ? .svg : nil
  }

  static func size(in bytes: ByteReader) -> PixelSize? { nil }

  /// Whole when the last end tag is the root's; comments and space may follow it.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    let tail = sample.tail
    guard let tag = tail.lastOffset(of: Array("</".utf8)),
      tail.firstOffset(of: UInt8(ascii: ">"), from: tag) != nil,
      MarkupRoot.localName(at: tag + 2, in: tail) == "svg"
    else { return .cut }
    return .whole
  }
}
