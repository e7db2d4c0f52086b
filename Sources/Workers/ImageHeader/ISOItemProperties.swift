/// The properties of the items of a HEIF file (ISO/IEC 23008-12, section 9.3), as far as the size
/// of the picture takes them.
struct ISOItemProperties {
  private let bytes: ByteReader
  /// The item that is the picture; nil when the file does not say (ISO/IEC 14496-12, 8.11.4).
  private let primaryItem: Int?
  /// `ipco`: the properties themselves, which associations count from 1.
  private let properties: [ISOBox]
  /// `ipma`: which properties belong to which item.
  private let associations: ISOBox?

  init?(meta: ISOBox, in bytes: ByteReader) {
    // Version and flags come first in a full box.
    let boxes = ISOBox.boxes(from: meta.body + 4, to: meta.end ?? bytes.end, in: bytes)
    guard let iprp = Self.first("iprp", in: boxes) else { return nil }
    let parts = ISOBox.boxes(from: iprp.body, to: iprp.end ?? bytes.end, in: bytes)
    guard let ipco = Self.first("ipco", in: parts) else { return nil }
    self.bytes = bytes
    primaryItem = Self.first("pitm", in: boxes).flatMap { Self.itemID(of: $0, in: bytes) }
    properties = ISOBox.boxes(from: ipco.body, to: ipco.end ?? bytes.end, in: bytes)
    associations = Self.first("ipma", in: parts)
  }

  /// The extent of the primary item, else the first one there is.
  ///
  /// A picture put together from tiles has an extent for the tiles, too, and often first.
  var primarySize: PixelSize? {
    let own = primaryProperties.filter { properties.indices.contains($0 - 1) }
      .map { properties[$0 - 1] }
    return (own + properties).first { $0.type == ISOBox.type("ispe") }.flatMap(size)
  }

  /// Image spatial extents (section 6.5.3).
  private func size(_ ispe: ISOBox) -> PixelSize? {
    PixelSize(
      width: bytes.big(at: ispe.body + 4, count: 4),
      height: bytes.big(at: ispe.body + 8, count: 4)
    )
  }

  /// The numbers of the properties of the primary item.
  private var primaryProperties: [Int] {
    guard let ipma = associations, let primaryItem,
      let version = bytes.byte(at: ipma.body), let flags = bytes.byte(at: ipma.body + 3),
      let count = bytes.big(at: ipma.body + 4, count: 4)
    else { return [] }
    let idBytes = version < 1 ? 2 : 4
    let indexBytes = flags & 1 == 0 ? 1 : 2
    var offset = ipma.body + 8
    for _ in 0..<count {
      guard let item = bytes.big(at: offset, count: idBytes),
        let number = bytes.byte(at: offset + idBytes)
      else { return [] }
      let first = offset + idBytes + 1
      offset = first + Int(number) * indexBytes
      if item == primaryItem { return indices(from: first, to: offset, each: indexBytes) }
    }
    return []
  }

  /// Indices whose topmost bit says only whether the property is essential.
  private func indices(from start: Int, to end: Int, each width: Int) -> [Int] {
    let mask = width == 1 ? 0x7F : 0x7FFF
    return stride(from: start, to: end, by: width)
      .compactMap { bytes.big(at: $0, count: width).map { $0 & mask } }
  }

  private static func itemID(of pitm: ISOBox, in bytes: ByteReader) -> Int? {
    guard let version = bytes.byte(at: pitm.body) else { return nil }
    return bytes.big(at: pitm.body + 4, count: version == 0 ? 2 : 4)
  }

  private static func first(_ name: StaticString, in boxes: [ISOBox]) -> ISOBox? {
    boxes.first { $0.type == ISOBox.type(name) }
  }
}
