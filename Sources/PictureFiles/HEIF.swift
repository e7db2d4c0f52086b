import Models

/// AVIF and HEIC: boxes, of which `ftyp` names the format and `meta` holds the properties of each
/// item (ISO/IEC 23008-12, sections 6.5.3 and 10.2; AVIF, section 6).
enum ISOMediaHeader: ImageHeaderParsing {
  private static let brands: [String: ImageFormat] = [
    "avif": .avif, "avis": .avif, "heic": .heic, "heix": .heic, "heim": .heic, "heis": .heic,
    "hevc": .heic, "hevx": .heic, "hevm": .heic, "hevs": .heic,
  ]

  /// Whether the file has its items in the short form, the box `mini` (ISO/IEC 23008-12:2025).
  ///
  /// Its major brand is `mif3`, and the brand of its codec takes the place of the minor version.
  static func isShort(_ bytes: ByteReader) -> Bool {
    bytes.has("ftyp", at: 4) && bytes.has("mif3", at: 8)
  }

  /// The format of the first known brand: the major brand, else a compatible one.
  static func format(of bytes: ByteReader) -> ImageFormat? {
    brands(of: bytes).lazy.compactMap { brands[$0] }.first
  }

  /// Whether the file is a still picture of any codec, such as uncompressed, JPEG or VVC (ISO/IEC
  /// 23008-12, section 10).
  static func isHEIF(_ bytes: ByteReader) -> Bool {
    let stills = ["mif1", "mif2", "mif3", "unif"]
    return brands(of: bytes).contains(where: stills.contains)
  }

  /// The major brand and the compatible ones.
  private static func brands(of bytes: ByteReader) -> [String] {
    guard bytes.has("ftyp", at: 4), let end = ISOBox(at: 0, in: bytes)?.end else { return [] }
    // The minor version lies between the major brand and the compatible ones.
    let first = isShort(bytes) ? [8, 12] : [8]
    return (first + Array(stride(from: 16, to: min(end, bytes.end), by: 4)))
      .compactMap(bytes.name)
  }

  static func size(in bytes: ByteReader) -> PixelSize? { items(in: bytes)?.primarySize }

  static func items(in bytes: ByteReader) -> ISOItemProperties? {
    meta(in: bytes).flatMap { ISOItemProperties(meta: $0, in: bytes) }
  }

  /// The box with the items and their properties.
  static func meta(in bytes: ByteReader) -> ISOBox? {
    ISOBox.boxes(from: 0, to: bytes.end, in: bytes).first { $0.type == "meta" }
  }

  /// Whole when the last box ends at the end of the file and one of the boxes holds the picture.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    let file = ISOBoxFile(sample)
    if file.completeness == .whole, file.types.isDisjoint(with: ["mdat", "mini"]) {
      return holdsPictureInMeta(sample.head) ? .whole : .cut
    }
    return file.completeness
  }

  /// Whether `meta` itself holds the picture, as it may for small pictures (ISO/IEC 14496-12, section 8.11.11).
  private static func holdsPictureInMeta(_ bytes: ByteReader) -> Bool {
    guard let meta = meta(in: bytes) else { return false }
    return ISOBox.boxes(from: meta.body + 4, to: meta.end ?? bytes.end, in: bytes)
      .contains { $0.type == "idat" }
  }
}

/// The properties of a HEIF file's items (ISO/IEC 23008-12, section 9.3).
///
/// The reader needs them for the size, and for the rotation of the alpha plane.
struct ISOItemProperties {
  private let bytes: ByteReader
  /// `pitm`, the item to show; nil when the file does not name it (ISO/IEC 14496-12, 8.11.4).
  private let primaryItem: Int?
  /// `ipco`, the properties, which associations number starting from 1.
  private let properties: [ISOBox]
  /// `ipma`, the numbers of each item's properties.
  private let associations: ISOBox?
  /// `iref`, the references between items (ISO/IEC 14496-12, section 8.11.12).
  private let references: ISOBox?
  /// `grpl`, the groups of items (ISO/IEC 14496-12, section 8.18.2).
  private let groups: [ISOBox]

  init?(meta: ISOBox, in bytes: ByteReader) {
    // A full box begins with its version and flags.
    let boxes = ISOBox.boxes(from: meta.body + 4, to: meta.end ?? bytes.end, in: bytes)
    guard let iprp = Self.first("iprp", in: boxes) else { return nil }
    let parts = ISOBox.boxes(from: iprp.body, to: iprp.end ?? bytes.end, in: bytes)
    guard let ipco = Self.first("ipco", in: parts) else { return nil }
    self.bytes = bytes
    primaryItem = Self.first("pitm", in: boxes).flatMap { Self.itemID(of: $0, in: bytes) }
    properties = ISOBox.boxes(from: ipco.body, to: ipco.end ?? bytes.end, in: bytes)
    associations = Self.first("ipma", in: parts)
    references = Self.first("iref", in: boxes)
    groups = boxes.filter { $0.type == "grpl" }
  }

  /// The extent of the primary item, else the first extent in the file.
  ///
  /// A picture made of tiles has an extent for the tiles as well, which often comes first.
  var primarySize: PixelSize? {
    let own = primaryItem.map(properties(of:)) ?? []
    return (own + properties).first { $0.type == "ispe" }.flatMap(size)
  }

  /// Image spatial extents (section 6.5.3).
  private func size(_ ispe: ISOBox) -> PixelSize? {
    PixelSize(
      width: bytes.big(at: ispe.body + 4, count: 4),
      height: bytes.big(at: ispe.body + 8, count: 4)
    )
  }

  /// Whether the alpha plane is rotated, mirrored or cropped differently from the primary item.
  ///
  /// Decoders ignore such an alpha plane (sections 6.5.9 to 6.5.12).
  var hasDifferingAlpha: Bool {
    guard let primaryItem else { return false }
    return auxiliaryItems(of: primaryItem).contains { item in
      properties(of: item).contains(where: isAlpha)
        && transformations(of: item) != transformations(of: primaryItem)
    }
  }

  private func transformations(of item: Int) -> [[UInt8]] {
    let types = ["irot", "imir", "clap"]
    return properties(of: item).filter { types.contains($0.type) }
      .map { Array($0.type.utf8) + content(of: $0) }
  }

  private func content(of box: ISOBox) -> ArraySlice<UInt8> {
    bytes.bytes(at: box.body, count: max(0, (box.end ?? bytes.end) - box.body)) ?? []
  }

  /// Whether a property marks its item as an alpha plane (section 6.5.8; MIAF, section 7.3.5.2).
  private func isAlpha(_ property: ISOBox) -> Bool {
    guard property.type == "auxC" else { return false }
    let name = content(of: property).dropFirst(4).prefix { $0 != 0 }
    return ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"]
      .contains { name.elementsEqual($0.utf8) }
  }

  /// The auxiliary pictures of an item.
  private func auxiliaryItems(of item: Int) -> [Int] {
    references(named: "auxl").filter { $0.targets.contains(item) }.map(\.from)
  }

  /// Whether the primary item's colours have been multiplied by its alpha (MIAF, section 7.3.5.2).
  var isPremultiplied: Bool {
    guard let primaryItem else { return false }
    return references(named: "prem").contains { $0.from == primaryItem }
  }

  /// The offsets of the names of references from metadata to more than one item.
  var sharedDescriptions: [Int] {
    references(named: "cdsc").filter { $0.targets.count > 1 }.map(\.nameOffset)
      .filter { bytes.has("cdsc", at: $0) }
  }

  /// The offsets of the names of boxes with groups of items, one of which is a pyramid.
  var pyramidGroups: [Int] {
    groups.filter { group in
      ISOBox.boxes(from: group.body, to: group.end ?? bytes.end, in: bytes)
        .contains { $0.type == "pymd" }
    }
    .map { $0.body - 4 }.filter { bytes.has("grpl", at: $0) }
  }

  /// The contents of the primary item's colour information of a type (ISO/IEC 14496-12, section 12.1.5).
  func colours(ofType type: StaticString) -> ISOBox? {
    primaryItem.map(properties(of:))?.first { $0.type == "colr" && bytes.has(type, at: $0.body) }
  }

  private struct Reference {
    let nameOffset: Int
    let from: Int
    let targets: [Int]
  }

  /// The references of a type; the ids of items have 2 or 4 bytes, depending on the version.
  private func references(named type: String) -> [Reference] {
    guard let references, let version = bytes.byte(at: references.body) else { return [] }
    let idBytes = version == 0 ? 2 : 4
    let end = references.end ?? bytes.end
    return ISOBox.boxes(from: references.body + 4, to: end, in: bytes)
      .filter { $0.type == type }
      .compactMap { reference in
        guard let from = bytes.big(at: reference.body, count: idBytes),
          let count = bytes.big(at: reference.body + idBytes, count: 2)
        else { return nil }
        let first = reference.body + idBytes + 2
        let last = min(first + count * idBytes, reference.end ?? bytes.end)
        let targets = stride(from: first, to: last, by: idBytes)
          .compactMap { bytes.big(at: $0, count: idBytes) }
        return Reference(nameOffset: reference.body - 4, from: from, targets: targets)
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

  /// Reads property numbers, without the top bit, which marks a property as essential.
  private func indices(from start: Int, to end: Int, each width: Int) -> [Int] {
    let mask = width == 1 ? 0x7F : 0x7FFF
    return stride(from: start, to: end, by: width)
      .compactMap { bytes.big(at: $0, count: width).map { $0 & mask } }
  }

  private static func itemID(of pitm: ISOBox, in bytes: ByteReader) -> Int? {
    guard let version = bytes.byte(at: pitm.body) else { return nil }
    return bytes.big(at: pitm.body + 4, count: version == 0 ? 2 : 4)
  }

  private static func first(_ name: String, in boxes: [ISOBox]) -> ISOBox? {
    boxes.first { $0.type == name }
  }
}
