import Models

/// WebP: a RIFF file whose first chunk tells the kind (RFC 9649, sections 2.4 to 2.7).
enum WebPHeader: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    bytes.has("RIFF", at: 0) && bytes.has("WEBP", at: 8) ? .webP : nil
  }

  static func size(in bytes: ByteReader) -> PixelSize? {
    if bytes.has("VP8X", at: 12) { return extendedSize(in: bytes) }
    if bytes.has("VP8L", at: 12) { return losslessSize(in: bytes) }
    if bytes.has("VP8 ", at: 12) { return lossySize(in: bytes) }
    return nil
  }

  /// Whole when the file is as long as the RIFF header says.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    guard let declared = sample.head.little(at: 4, count: 4) else { return .cut }
    return declared + 8 <= sample.length ? .whole : .cut
  }

  /// The canvas, each side less one in 24 bits (section 2.7).
  private static func extendedSize(in bytes: ByteReader) -> PixelSize? {
    PixelSize(
      width: bytes.little(at: 24, count: 3).map { $0 + 1 },
      height: bytes.little(at: 27, count: 3).map { $0 + 1 }
    )
  }

  /// Each side less one in 14 bits, behind a signature byte (section 3.4).
  private static func losslessSize(in bytes: ByteReader) -> PixelSize? {
    guard bytes.byte(at: 20) == 0x2F, let bits = bytes.little(at: 21, count: 4) else { return nil }
    return PixelSize(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1)
  }

  /// A key frame's start code, then each side in 14 bits (RFC 6386, section 9.1).
  private static func lossySize(in bytes: ByteReader) -> PixelSize? {
    guard bytes.has([0x9D, 0x01, 0x2A], at: 23) else { return nil }
    return PixelSize(
      width: bytes.little(at: 26, count: 2).map { $0 & 0x3FFF },
      height: bytes.little(at: 28, count: 2).map { $0 & 0x3FFF }
    )
  }
}
