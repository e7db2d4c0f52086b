import Models

/// BMP: a file header, then one of several headers of growing length (Windows GDI,
/// BITMAPFILEHEADER, BITMAPCOREHEADER and BITMAPINFOHEADER).
enum BMPHeader: ImageHeaderParsing {
  /// The lengths of the headers there are: two letters alone would let text pass.
  private static let headerLengths: Set<Int> = [12, 16, 40, 52, 56, 64, 108, 124]

  static func format(of bytes: ByteReader) -> ImageFormat? {
    guard bytes.has("BM", at: 0), let length = bytes.little(at: 14, count: 4) else { return nil }
    return headerLengths.contains(length) ? .bmp : nil
  }

  /// The height is negative when the rows are stored from the top down.
  static func size(in bytes: ByteReader) -> PixelSize? {
    if bytes.little(at: 14, count: 4) == 12 {
      return PixelSize(
        width: bytes.little(at: 18, count: 2),
        height: bytes.little(at: 20, count: 2)
      )
    }
    return PixelSize(
      width: signed(bytes.little(at: 18, count: 4)),
      height: signed(bytes.little(at: 22, count: 4)).map { abs($0) }
    )
  }

  /// Whole when the file is as long as it declares; some writers declare nothing.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    guard let declared = sample.head.little(at: 2, count: 4),
      let pixels = sample.head.little(at: 10, count: 4), declared > pixels
    else { return .unknown }
    return declared <= sample.length ? .whole : .cut
  }

  private static func signed(_ value: Int?) -> Int? {
    value.map { Int(Int32(truncatingIfNeeded: $0)) }
  }
}
