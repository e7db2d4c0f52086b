/// A box of an ISO base media file (ISO/IEC 14496-12, section 4.2).
struct ISOBox {
  /// The four characters of its type, as a big-endian number.
  let type: Int
  /// Where its content begins.
  let body: Int
  /// Where it ends; nil for the last box of a file, which may leave its length open.
  let end: Int?

  /// Reads the header of a box; nil when it is not among the bytes or makes no sense.
  init?(at offset: Int, in bytes: ByteReader) {
    guard let size = bytes.big(at: offset, count: 4),
      let type = bytes.big(at: offset + 4, count: 4)
    else { return nil }
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

  /// A length in 64 bits, of which the first byte must be 0: no file has 2⁵⁶ bytes.
  private static func largeSize(at offset: Int, in bytes: ByteReader) -> Int? {
    guard bytes.byte(at: offset) == 0, let size = bytes.big(at: offset + 1, count: 7), size >= 16
    else { return nil }
    return size
  }

  /// The number that stands for a type.
  static func type(_ name: StaticString) -> Int {
    name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
  }

  /// The boxes that follow one another in a range, as far as they can be read.
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
