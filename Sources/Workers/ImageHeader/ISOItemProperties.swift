/// The properties of the items of a HEIF file (ISO/IEC 23008-12, section 9.3), as far as the size
/// of the picture takes them, and whether its transparency is turned as it is.
struct ISOItemProperties {
  private let bytes: ByteReader
  /// The item that is the picture; nil when the file does not say (ISO/IEC 14496-12, 8.11.4).
  private let primaryItem: Int?
  /// `ipco`: the properties themselves, which associations count from 1.
  private let properties: [ISOBox]
  /// `ipma`: which properties belong to which item.
  private let associations: ISOBox?
  /// `iref`: which items serve others (ISO/IEC 14496-12, section 8.11.12).
  private let references: ISOBox?

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
    references = Self.first("iref", in: boxes)
  }

  /// The extent of the primary item, else the first one there is.
  ///
  /// A picture put together from tiles has an extent for the tiles, too, and often first.
  var primarySize: PixelSize? {
    let own = primaryItem.map(properties(of:)) ?? []
    return (own + properties).first { $0.type == ISOBox.type("ispe") }.flatMap(size)
  }

  /// Image spatial extents (section 6.5.3).
  private func size(_ ispe: ISOBox) -> PixelSize? {
    PixelSize(
      width: bytes.big(at: ispe.body + 4, count: 4),
      height: bytes.big(at: ispe.body + 8, count: 4)
    )
  }

  /// Whether the picture has an item with its transparency whose turning, mirroring and cropping are
  /// not the picture's own (section 6.5.9 to 6.5.12): decoders leave out such transparency.
  var hasDifferingAlpha: Bool {
    guard let primaryItem else { return false }
    return auxiliaryItems(of: primaryItem).contains { item in
      properties(of: item).contains(where: isAlpha)
        && transformations(of: item) != transformations(of: primaryItem)
    }
  }

  private func transformations(of item: Int) -> [[UInt8]] {
    let types = [ISOBox.type("irot"), ISOBox.type("imir"), ISOBox.type("clap")]
    return properties(of: item).filter { types.contains($0.type) }
      .map { big(of: $0.type) + Array(content(of: $0)) }
  }

  private func big(of type: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: type >> (8 * $0)) }
  }

  private func content(of box: ISOBox) -> ArraySlice<UInt8> {
    bytes.bytes(at: box.body, count: max(0, (box.end ?? bytes.end) - box.body)) ?? []
  }

  /// Says by a name that it is of transparency (section 6.5.8; MIAF, section 7.3.5.2).
  private func isAlpha(_ property: ISOBox) -> Bool {
    guard property.type == ISOBox.type("auxC") else { return false }
    let name = content(of: property).dropFirst(4).prefix { $0 != 0 }
    return ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"]
      .contains { name.elementsEqual($0.utf8) }
  }

  /// The items that serve one as auxiliary pictures: numbers of 2 or 4 bytes, by the version.
  private func auxiliaryItems(of item: Int) -> [Int] {
    guard let references, let version = bytes.byte(at: references.body) else { return [] }
    let idBytes = version == 0 ? 2 : 4
    let end = references.end ?? bytes.end
    return ISOBox.boxes(from: references.body + 4, to: end, in: bytes)
      .filter { $0.type == ISOBox.type("auxl") }
      .compactMap { reference in
        guard let from = bytes.big(at: reference.body, count: idBytes),
          let count = bytes.big(at: reference.body + idBytes, count: 2)
        else { return nil }
        let first = reference.body + idBytes + 2
        let last = min(first + count * idBytes, reference.end ?? bytes.end)
        let targets = stride(from: first, to: last, by: idBytes)
        return targets.contains { bytes.big(at: $0, count: idBytes) == item } ? from : nil
      }
  }

  private func properties(of item: Int) -> [ISOBox] {
    propertyNumbers(of: item).filter { properties.indices.contains($0 - 1) }
      .map { properties[$0 - 1] }
  }

  private func propertyNumbers(of wanted: Int) -> [Int] {
    guard let ipma = associations, let version = bytes.byte(at: ipma.body),
      let flags = bytes.byte(at: ipma.body + 3),
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
      if item == wanted { return indices(from: first, to: offset, each: indexBytes) }
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
