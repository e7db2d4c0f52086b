import Models

/// PNG: a signature, then chunks from IHDR to IEND (PNG, third edition, sections 5.2, 11.2.1 and
/// 11.2.4).
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

  /// Whole when the tail holds the IEND chunk with its checksum; bytes may follow it.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
    return sample.tail.lastOffset(of: end) == nil ? .cut : .whole
  }
}

/// GIF: a header, the logical screen, blocks and a trailer (GIF89a, sections 17, 18 and 27).
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

  /// The place of the first frame on the logical screen, in pixels; nil if the bytes do not reach it.
  static func firstFrame(in bytes: ByteReader) -> (x: Int, y: Int, width: Int, height: Int)? {
    guard let flags = bytes.byte(at: 10) else { return nil }
    var offset = 13 + (flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1))
    // An extension has a label and blocks, of which the last is empty (section 23).
    while bytes.byte(at: offset) == 0x21 {
      offset += 2
      while let length = bytes.byte(at: offset), length > 0 { offset += 1 + Int(length) }
      offset += 1
    }
    // An image descriptor (section 20).
    guard bytes.byte(at: offset) == 0x2C else { return nil }
    let numbers = (0..<4).compactMap { bytes.little(at: offset + 1 + 2 * $0, count: 2) }
    return numbers.count == 4 ? (numbers[0], numbers[1], numbers[2], numbers[3]) : nil
  }

  /// Whole when the file ends with the end of a block and the trailer, except for padding.
  ///
  /// The trailer is a single byte, and a cut file may end with that byte by chance.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    let tail = sample.tail.withoutPadding
    return tail.has([0x00, 0x3B], at: tail.end - 2) ? .whole : .cut
  }
}

/// WebP: a RIFF file whose first chunk names the variant (RFC 9649, sections 2.4 to 2.7).
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

  /// Whole when the file is at least as long as the RIFF header declares.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    guard let declared = sample.head.little(at: 4, count: 4) else { return .cut }
    return declared + 8 <= sample.length ? .whole : .cut
  }

  /// The canvas: each side minus one, in 24 bits (section 2.7).
  private static func extendedSize(in bytes: ByteReader) -> PixelSize? {
    PixelSize(
      width: bytes.little(at: 24, count: 3).map { $0 + 1 },
      height: bytes.little(at: 27, count: 3).map { $0 + 1 }
    )
  }

  /// Each side minus one, in 14 bits after a signature byte (section 3.4).
  private static func losslessSize(in bytes: ByteReader) -> PixelSize? {
    guard bytes.byte(at: 20) == 0x2F, let bits = bytes.little(at: 21, count: 4) else { return nil }
    return PixelSize(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1)
  }

  /// Each side in 14 bits, after the start code of a key frame (RFC 6386, section 9.1).
  private static func lossySize(in bytes: ByteReader) -> PixelSize? {
    guard bytes.has([0x9D, 0x01, 0x2A], at: 23) else { return nil }
    return PixelSize(
      width: bytes.little(at: 26, count: 2).map { $0 & 0x3FFF },
      height: bytes.little(at: 28, count: 2).map { $0 & 0x3FFF }
    )
  }

  /// The flag of transparency in an extended file (section 2.7).
  static let alphaFlag: UInt8 = 0x10

  /// Whether the first picture of an extended file has alpha, by its own data; `reading` returns the bytes of a range
  /// of the file, and nil when some are missing.
  static func firstPictureIsTransparent(
    _ reading: (_ offset: Int, _ count: Int) -> [UInt8]?
  ) -> Bool {
    var offset = 12
    for _ in 0..<chunkLimit {
      guard let head = reading(offset, 8),
        let length = ByteReader(head[...]).little(at: 4, count: 4)
      else { return false }
      switch String(decoding: head.prefix(4), as: UTF8.self) {
      // A frame begins with its place and duration; its chunks follow (section 2.7.1.1).
      case "ANMF": offset += 8 + 16
      case "ALPH": return true
      case "VP8L":
        // The bit after the two sides (section 3.4).
        guard let bits = reading(offset + 8, 5), bits[0] == 0x2F else { return false }
        return bits[4] & 0x10 != 0
      case "VP8 ": return false
      default: offset += 8 + length + length % 2
      }
    }
    return false
  }

  /// The most chunks to look at before the first picture.
  private static let chunkLimit = 64

  /// The chunks that tell of a picture and are not its pixels, and their flags (section 2.7).
  private static let metadata: [String: UInt8] = ["ICCP": 0x20, "EXIF": 0x08, "XMP ": 0x04]

  /// The file without EXIF, XMP and profile; nil for a file that has none of them, or is not well formed.
  static func withoutMetadata(_ file: [UInt8]) -> [UInt8]? {
    let bytes = ByteReader(file[...])
    guard format(of: bytes) == .webP, bytes.has("VP8X", at: 12),
      bytes.little(at: 16, count: 4) == 10
    else { return nil }
    var (kept, offset) = (Array(file.prefix(12)), 12)
    while let name = bytes.name(at: offset), let length = bytes.little(at: offset + 4, count: 4) {
      let end = offset + 8 + length + length % 2
      guard let chunk = bytes.bytes(at: offset, count: end - offset) else { return nil }
      if metadata[name] == nil { kept += chunk }
      offset = end
    }
    guard offset == file.count, kept.count < file.count else { return nil }
    kept[20] &= ~metadata.values.reduce(0, |)
    let length = kept.count - 8
    for index in 0..<4 { kept[4 + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    return kept
  }
}
