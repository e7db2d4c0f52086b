import Models

/// JPEG XL: a bare codestream, or boxes around one (ISO/IEC 18181-2, section 4; 18181-1, D.1).
///
/// The size is packed into bits whose meaning depends on one another, and is left out.
enum JPEGXLHeader: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    isBare(bytes) || isBoxed(bytes) ? .jpegXL : nil
  }

  static func size(in bytes: ByteReader) -> PixelSize? { nil }

  /// A bare codestream has no end marker; boxes end where the file ends, one of them the picture.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    guard isBoxed(sample.head) else { return .unknown }
    let walk = ISOBoxWalk(sample)
    let pictures: Set = [ISOBox.type("jxlc"), ISOBox.type("jxlp")]
    if walk.completeness == .whole, walk.types.isDisjoint(with: pictures) { return .cut }
    return walk.completeness
  }

  private static func isBare(_ bytes: ByteReader) -> Bool { bytes.has([0xFF, 0x0A], at: 0) }

  private static func isBoxed(_ bytes: ByteReader) -> Bool {
    bytes.has([0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A], at: 0)
  }
}
