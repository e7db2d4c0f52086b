import Models

/// GIF: a header, the logical screen, blocks, a trailer (GIF89a, sections 17, 18 and 27).
enum GIFHeader: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) ? .gif : nil
  }

  static func size(in bytes: ByteReader) -> PixelSize? {
    PixelSize(
      width: bytes.little(at: 6, count: 2),
      height: bytes.little(at: 8, count: 2)
    )
  }

  /// Whole when the file ends, padding aside, with a block's end and the trailer behind it.
  ///
  /// The trailer alone is one byte, which any cut may fall behind by chance.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    let tail = sample.tail.withoutPadding
    return tail.has([0x00, 0x3B], at: tail.end - 2) ? .whole : .cut
  }
}
