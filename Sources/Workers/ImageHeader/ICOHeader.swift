import Models

/// ICO: a directory of pictures, each a PNG file or a BMP without its file header.
enum ICOHeader: ImageHeaderParsing {
  /// A picture of the directory.
  private struct Entry {
    let width: Int
    let height: Int
    let bits: Int
    /// Where its file lies.
    let place: Range<Int>

    /// Nil when the fields of an entry do not agree with one another: four bytes alone would let
    /// other files pass.
    init?(at place: Int, behind directory: Int, in bytes: ByteReader) {
      guard let width = bytes.byte(at: place), let height = bytes.byte(at: place + 1),
        bytes.byte(at: place + 3) == 0, let planes = bytes.little(at: place + 4, count: 2),
        let bits = bytes.little(at: place + 6, count: 2), planes <= 1,
        [0, 1, 4, 8, 16, 24, 32].contains(bits),
        let count = bytes.little(at: place + 8, count: 4), count >= 12,
        let offset = bytes.little(at: place + 12, count: 4), offset >= directory
      else { return nil }
      // 256 does not fit, and is written as 0.
      self.width = width == 0 ? 256 : Int(width)
      self.height = height == 0 ? 256 : Int(height)
      self.bits = bits
      self.place = offset..<offset + count
    }
  }

  private static func entries(in bytes: ByteReader) -> [Entry]? {
    guard bytes.has([0, 0, 1, 0], at: 0), let count = bytes.little(at: 4, count: 2), count > 0
    else { return nil }
    let end = 6 + 16 * count
    let places = stride(from: 6, to: min(end, bytes.end), by: 16)
    let entries = places.compactMap { Entry(at: $0, behind: end, in: bytes) }
    return entries.count == count ? entries : nil
  }

  static func format(of bytes: ByteReader) -> ImageFormat? {
    entries(in: bytes) == nil ? nil : .ico
  }

  /// The place of the largest picture, of several that of the most colours.
  static func largest(in bytes: ByteReader) -> Range<Int>? { largestEntry(in: bytes)?.place }

  private static func largestEntry(in bytes: ByteReader) -> Entry? {
    entries(in: bytes)?
      .max { ($0.width * $0.height, $0.bits) < ($1.width * $1.height, $1.bits) }
  }

  /// That of the largest picture.
  static func size(in bytes: ByteReader) -> PixelSize? {
    let largest = largestEntry(in: bytes)
    return PixelSize(width: largest?.width, height: largest?.height)
  }

  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    let end = entries(in: sample.head)?.map(\.place.upperBound).max() ?? 0
    return end <= sample.length ? .whole : .cut
  }
}
