import Models

/// ICO: a directory of pictures, each a PNG file or a BMP without its file header.
enum ICOHeader: ImageHeaderParsing {
  /// A picture in the directory.
  private struct Entry {
    let width: Int
    let height: Int
    let bits: Int
    /// The offsets of the picture's file.
    let range: Range<Int>

    /// Reads an entry; nil when its fields contradict one another.
    ///
    /// The icon's signature has only four bytes, which other files may begin with as well.
    init?(at start: Int, behind directory: Int, in bytes: ByteReader) {
      guard let width = bytes.byte(at: start), let height = bytes.byte(at: start + 1),
        bytes.byte(at: start + 3) == 0, let planes = bytes.little(at: start + 4, count: 2),
        let bits = bytes.little(at: start + 6, count: 2), planes <= 1,
        [0, 1, 4, 8, 16, 24, 32].contains(bits),
        let count = bytes.little(at: start + 8, count: 4), count >= 12,
        let offset = bytes.little(at: start + 12, count: 4), offset >= directory
      else { return nil }
      // Each field has one byte, in which 0 means 256.
      self.width = width == 0 ? 256 : Int(width)
      self.height = height == 0 ? 256 : Int(height)
      self.bits = bits
      range = offset..<offset + count
    }
  }

  private static func entries(in bytes: ByteReader) -> [Entry]? {
    guard bytes.has([0, 0, 1, 0], at: 0), let count = bytes.little(at: 4, count: 2), count > 0
    else { return nil }
    let end = 6 + 16 * count
    let offsets = stride(from: 6, to: min(end, bytes.end), by: 16)
    let entries = offsets.compactMap { Entry(at: $0, behind: end, in: bytes) }
    return entries.count == count ? entries : nil
  }

  static func format(of bytes: ByteReader) -> ImageFormat? {
    entries(in: bytes) == nil ? nil : .ico
  }

  /// The offsets of the largest picture; of equally large ones, the one with the most bits per pixel.
  static func largest(in bytes: ByteReader) -> Range<Int>? { largestEntry(in: bytes)?.range }

  private static func largestEntry(in bytes: ByteReader) -> Entry? {
    entries(in: bytes)?
      .max { ($0.width * $0.height, $0.bits) < ($1.width * $1.height, $1.bits) }
  }

  /// The size of the largest picture.
  static func size(in bytes: ByteReader) -> PixelSize? {
    let largest = largestEntry(in: bytes)
    return PixelSize(width: largest?.width, height: largest?.height)
  }

  /// Whole when the file is at least as long as the directory requires.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    let end = entries(in: sample.head)?.map(\.range.upperBound).max() ?? 0
    return end <= sample.length ? .whole : .cut
  }
}

/// Reads the largest picture of an icon.
enum ICOReader {
  static func content(
    _ bytes: [UInt8],
    _ isPartial: Bool,
    _ limit: Int
  ) throws(PlainPictureError) -> PlainPicture.Content {
    let reader = ByteReader(bytes[...])
    guard let range = ICOHeader.largest(in: reader) else { throw .damaged("it holds no picture") }
    let rest = reader.bytes(at: range.lowerBound, count: max(0, bytes.count - range.lowerBound))
    guard let picture = rest?.prefix(range.count), !picture.isEmpty else {
      throw .damaged("it ends before its picture")
    }
    let part = Array(picture)
    if PNGHeader.format(of: ByteReader(part[...])) != nil { return .png(part) }
    return .pixels(try BMPReader(part, start: 0, isIcon: true, isPartial, limit).picture())
  }
}
