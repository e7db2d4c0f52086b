import Models

/// JPEG 2000: a bare codestream, or boxes around one (ITU-T T.800, annexes A and I).
enum JPEG2000Header: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    isBare(bytes) || isBoxed(bytes) ? .jpeg2000 : nil
  }

  /// The size in the image header box (I.5.3.1) or in the marker segment SIZ (A.5.1).
  static func size(in bytes: ByteReader) -> PixelSize? {
    guard isBoxed(bytes) else {
      return PixelSize(
        width: difference(8, 16, in: bytes),
        height: difference(12, 20, in: bytes)
      )
    }
    let header = ISOBox.boxes(from: 0, to: bytes.end, in: bytes)
      .first { $0.type == "jp2h" }
    guard let header, let first = ISOBox(at: header.body, in: bytes),
      first.type == "ihdr"
    else { return nil }
    return PixelSize(
      width: bytes.big(at: first.body + 4, count: 4),
      height: bytes.big(at: first.body, count: 4)
    )
  }

  /// Whole when the marker EOC is at the end (A.4.4); else unknown, because some writers omit it.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    guard isBoxed(sample.head) else {
      let tail = sample.tail.withoutPadding
      return tail.has([0xFF, 0xD9], at: tail.end - 2) ? .whole : .unknown
    }
    let file = ISOBoxFile(sample)
    if file.completeness == .whole, !file.types.contains("jp2c") { return .cut }
    return file.completeness
  }

  /// The width or height: SIZ gives the far edge of the picture on its canvas, and the offset of the near one.
  private static func difference(_ size: Int, _ offset: Int, in bytes: ByteReader) -> Int? {
    guard let size = bytes.big(at: size, count: 4), let offset = bytes.big(at: offset, count: 4)
    else { return nil }
    return size - offset
  }

  /// Whether the file begins with a codestream: SOC, then SIZ.
  private static func isBare(_ bytes: ByteReader) -> Bool {
    bytes.has([0xFF, 0x4F, 0xFF, 0x51], at: 0)
  }

  private static func isBoxed(_ bytes: ByteReader) -> Bool {
    bytes.has([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], at: 0)
  }

  /// The kind of a valid file that libvips must not get; nil for others.
  ///
  /// libvips before 8.16 accesses memory wrongly if the picture has an offset on its canvas (A.5.1) or a palette
  /// (I.5.3.4), and its process ends. OpenJPEG also reads a palette beside the header box, and skips unknown markers
  /// before the segment SIZ, which has to be the first one.
  ///
  /// `reading` returns the bytes of a range of the file; nil when some are missing.
  static func undrawn(reading: (_ offset: Int, _ count: Int) -> [UInt8]?) -> UndrawnKind? {
    guard let start = reading(0, 12), isBoxed(ByteReader(start[...])) else {
      return isUndrawn(codestreamAt: 0, reading) ? .newerForm : nil
    }
    var offset = 0
    while let box = box(at: offset, reading) {
      if box.type == "jp2c" { return isUndrawn(codestreamAt: box.body, reading) ? .newerForm : nil }
      if box.type == "pclr" || box.type == "jp2h" && hasPalette(box, reading) { return .newerForm }
      guard let end = box.end else { return nil }
      offset = end
    }
    // OpenJPEG reads this box whatever its length is.
    return reading(offset + 4, 4) == Array("jp2c".utf8) ? .newerForm : nil
  }

  /// Whether a codestream has its picture at an offset, or another segment than SIZ first; false when it is cut.
  private static func isUndrawn(
    codestreamAt start: Int,
    _ reading: (_ offset: Int, _ count: Int) -> [UInt8]?
  ) -> Bool {
    guard let bytes = reading(start, 24).map({ ByteReader($0[...]) }) else { return false }
    return !isBare(bytes) || bytes.big(at: 16, count: 4) != 0 || bytes.big(at: 20, count: 4) != 0
  }

  private static func hasPalette(
    _ header: ISOBox,
    _ reading: (_ offset: Int, _ count: Int) -> [UInt8]?
  ) -> Bool {
    var offset = header.body
    while offset < header.end ?? .max, let box = box(at: offset, reading) {
      if box.type == "pclr" { return true }
      guard let end = box.end else { return false }
      offset = end
    }
    return false
  }

  /// Reads the header of a box, of 8 bytes or of 16.
  private static func box(
    at offset: Int,
    _ reading: (_ offset: Int, _ count: Int) -> [UInt8]?
  ) -> ISOBox? {
    guard let bytes = reading(offset, 16) ?? reading(offset, 8) else { return nil }
    return ISOBox(at: offset, in: ByteReader(bytes[...], start: offset))
  }
}
