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
