import Models

/// TIFF: a byte order, and the place of a directory of tags (TIFF 6.0, section 2).
enum TIFFHeader: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    let isTIFF = bytes.has([0x49, 0x49, 42, 0], at: 0) || bytes.has([0x4D, 0x4D, 0, 42], at: 0)
    // With 43 and longer offsets it is a BigTIFF, whose size is not looked for.
    let isBig = bytes.has([0x49, 0x49, 43, 0], at: 0) || bytes.has([0x4D, 0x4D, 0, 43], at: 0)
    return isTIFF || isBig ? .tiff : nil
  }

  /// ImageWidth and ImageLength of the first directory.
  static func size(in bytes: ByteReader) -> PixelSize? {
    guard let directory = directory(in: bytes),
      let count = number(at: directory, count: 2, in: bytes)
    else { return nil }
    let entries = (0..<count).map { directory + 2 + 12 * $0 }
    return PixelSize(
      width: value(of: 256, among: entries, in: bytes),
      height: value(of: 257, among: entries, in: bytes)
    )
  }

  /// There is no end marker; but a directory that should come later shows that the rest is missing.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    guard let directory = directory(in: sample.head) else { return .unknown }
    return directory >= sample.length ? .cut : .unknown
  }

  /// The place of the first directory; nil in a BigTIFF.
  private static func directory(in bytes: ByteReader) -> Int? {
    guard number(at: 2, count: 2, in: bytes) == 42 else { return nil }
    return number(at: 4, count: 4, in: bytes)
  }

  /// The value of a tag, which is a SHORT (3) or a LONG (4).
  private static func value(of tag: Int, among entries: [Int], in bytes: ByteReader) -> Int? {
    guard let entry = entries.first(where: { number(at: $0, count: 2, in: bytes) == tag }),
      let type = number(at: entry + 2, count: 2, in: bytes), type == 3 || type == 4
    else { return nil }
    return number(at: entry + 8, count: type == 3 ? 2 : 4, in: bytes)
  }

  private static func number(at offset: Int, count: Int, in bytes: ByteReader) -> Int? {
    bytes.byte(at: 0) == 0x4D
      ? bytes.big(at: offset, count: count) : bytes.little(at: offset, count: count)
  }
}
