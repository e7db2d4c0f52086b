import Models

/// PNG: a signature, then chunks of which IHDR is the first and IEND the last (PNG, third edition,
/// sections 5.2, 11.2.1 and 11.2.4).
enum PNGHeader: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) ? .png : nil
  }

  static func size(in bytes: ByteReader) -> PixelSize? {
    guard bytes.has("IHDR", at: 12) else { return nil }
    return PixelSize(
      width: bytes.big(at: 16, count: 4),
      height: bytes.big(at: 20, count: 4)
    )
  }

  /// Whole when the IEND chunk is there, with its checksum; bytes behind it are let pass.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
    return sample.tail.lastOffset(of: end) == nil ? .cut : .whole
  }
}
