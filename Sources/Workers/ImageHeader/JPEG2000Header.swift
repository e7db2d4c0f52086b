import Models

/// JPEG 2000: a bare codestream, or boxes around one (ITU-T T.800, annexes A and I).
enum JPEG2000Header: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    isBare(bytes) || isBoxed(bytes) ? .jpeg2000 : nil
  }

  /// The image header box (I.5.3.1), or the marker segment SIZ (A.5.1), where a size less its offset.
  static func size(in bytes: ByteReader) -> PixelSize? {
    guard isBoxed(bytes) else {
      return PixelSize(
        width: difference(8, 16, in: bytes),
        height: difference(12, 20, in: bytes)
      )
    }
    let header = ISOBox.boxes(from: 0, to: bytes.end, in: bytes)
      .first { $0.type == ISOBox.type("jp2h") }
    guard let header, let first = ISOBox(at: header.body, in: bytes),
      first.type == ISOBox.type("ihdr")
    else { return nil }
    return PixelSize(
      width: bytes.big(at: first.body + 4, count: 4),
      height: bytes.big(at: first.body, count: 4)
    )
  }

  /// Whole with the marker EOC at the end (A.4.4), which some writers leave out.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    guard isBoxed(sample.head) else {
      let tail = sample.tail.withoutPadding
      return tail.has([0xFF, 0xD9], at: tail.end - 2) ? .whole : .unknown
    }
    let walk = ISOBoxWalk(sample)
    if walk.completeness == .whole, !walk.types.contains(ISOBox.type("jp2c")) { return .cut }
    return walk.completeness
  }

  private static func difference(_ size: Int, _ offset: Int, in bytes: ByteReader) -> Int? {
    guard let size = bytes.big(at: size, count: 4), let offset = bytes.big(at: offset, count: 4)
    else { return nil }
    return size - offset
  }

  /// SOC, and SIZ directly behind it.
  private static func isBare(_ bytes: ByteReader) -> Bool {
    bytes.has([0xFF, 0x4F, 0xFF, 0x51], at: 0)
  }

  private static func isBoxed(_ bytes: ByteReader) -> Bool {
    bytes.has([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], at: 0)
  }
}
