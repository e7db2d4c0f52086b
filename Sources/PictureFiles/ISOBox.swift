import Models

/// A box of an ISO base media file (ISO/IEC 14496-12, section 4.2).
struct ISOBox {
  /// The four characters of its type.
  let type: String
  /// The offset of its content.
  let body: Int
  /// The offset after the box; nil for the last box of a file, which may leave its length open.
  let end: Int?

  /// Reads the header of a box; nil when the bytes do not include it or its length is invalid.
  init?(at offset: Int, in bytes: ByteReader) {
    guard let size = bytes.big(at: offset, count: 4), let type = bytes.name(at: offset + 4) else {
      return nil
    }
    self.type = type
    switch size {
    case 0:
      (body, end) = (offset + 8, nil)
    case 1:
      guard let large = Self.largeSize(at: offset + 8, in: bytes) else { return nil }
      (body, end) = (offset + 16, offset + large)
    case 2..<8:
      return nil
    default:
      (body, end) = (offset + 8, offset + size)
    }
  }

  /// Reads a 64-bit length; its first byte must be 0, because no file has 2⁵⁶ bytes.
  private static func largeSize(at offset: Int, in bytes: ByteReader) -> Int? {
    guard bytes.byte(at: offset) == 0, let size = bytes.big(at: offset + 1, count: 7), size >= 16
    else { return nil }
    return size
  }

  /// The consecutive boxes in a range, up to the first one that cannot be read.
  static func boxes(from start: Int, to end: Int, in bytes: ByteReader) -> [ISOBox] {
    var boxes: [ISOBox] = []
    var offset = start
    while offset < end, let box = ISOBox(at: offset, in: bytes) {
      boxes.append(box)
      offset = box.end ?? end
    }
    return boxes
  }
}

/// The top-level boxes of a file, and whether the last one ends at the end of the file.
struct ISOBoxFile {
  private(set) var types: Set<String> = []
  private(set) var completeness = ImageCompleteness.unknown

  init(_ sample: PictureSample) {
    var offset = 0
    while offset < sample.length {
      guard let box = Self.box(at: offset, in: sample) else { return }
      types.insert(box.type)
      guard let end = box.end else { return }
      offset = end
    }
    completeness = offset == sample.length ? .whole : .cut
  }

  private static func box(at offset: Int, in sample: PictureSample) -> ISOBox? {
    ISOBox(at: offset, in: sample.head) ?? ISOBox(at: offset, in: sample.tail)
  }
}

/// JPEG XL: a bare codestream, or boxes around one (ISO/IEC 18181-2, section 4; 18181-1, D.1).
enum JPEGXLHeader: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    isBare(bytes) || isBoxed(bytes) ? .jpegXL : nil
  }

  /// The size at the beginning of the codestream, before any rotation.
  ///
  /// A codestream in several boxes has a number of four bytes before each part (18181-2, 9.10).
  static func size(in bytes: ByteReader) -> PixelSize? {
    if isBare(bytes) { return size(at: 0, in: bytes) }
    let boxes = ISOBox.boxes(from: 0, to: bytes.end, in: bytes)
    guard let box = boxes.first(where: { pictures.contains($0.type) }) else { return nil }
    return size(at: box.type == "jxlp" ? box.body + 4 : box.body, in: bytes)
  }

  /// Reads a size header (18181-1, D.2), whose fields have one bit to 30, the least significant first.
  private static func size(at start: Int, in bytes: ByteReader) -> PixelSize? {
    guard bytes.has([0xFF, 0x0A], at: start) else { return nil }
    var bit = (start + 2) * 8
    func number(of count: Int) -> Int? {
      var value = 0
      for place in 0..<count {
        guard let byte = bytes.byte(at: bit / 8) else { return nil }
        value |= Int(byte >> UInt8(bit % 8) & 1) << place
        bit += 1
      }
      return value
    }
    func side(isSmall: Bool) -> Int? {
      if isSmall { return number(of: 5).map { ($0 + 1) * 8 } }
      return number(of: 2).flatMap { number(of: [9, 13, 18, 30][$0]) }.map { $0 + 1 }
    }
    guard let small = number(of: 1), let height = side(isSmall: small == 1),
      let ratio = number(of: 3)
    else { return nil }
    // The width as a share of the height; with the first, the width follows.
    let ratios = [(0, 1), (1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    let (part, whole) = ratios[ratio]
    let width = ratio == 0 ? side(isSmall: small == 1) : height * part / whole
    return PixelSize(width: width, height: height)
  }

  private static let pictures: Set = ["jxlc", "jxlp"]

  /// Whole when the last box ends at the end of the file and one of the boxes holds the picture.
  ///
  /// A bare codestream has no end marker.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    guard isBoxed(sample.head) else { return .unknown }
    let file = ISOBoxFile(sample)
    if file.completeness == .whole, file.types.isDisjoint(with: pictures) { return .cut }
    return file.completeness
  }

  private static func isBare(_ bytes: ByteReader) -> Bool { bytes.has([0xFF, 0x0A], at: 0) }

  private static func isBoxed(_ bytes: ByteReader) -> Bool {
    bytes.has([0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A], at: 0)
  }
}
