/// AVIF and HEIC: items, whose data are parts of the boxes `mdat` and `idat` (ISO/IEC 14496-12, section 8.11).
extension PlaceSearch {
  /// The most boxes and items of a file, and the most bytes of its metadata.
  private static let (boxLimit, itemLimit, metaBytes) = (1_000, 10_000, 4 << 20)
  /// The name of a box to which nothing refers (section 8.1.2).
  private static let unused = Array("free".utf8)

  mutating func searchISOMedia() throws(PlaceRemoval.Refusal) {
    var (meta, media): (Range<Int>?, [Range<Int>]) = (nil, [])
    var offset = 0
    for _ in 0..<Self.boxLimit where offset < length {
      let head = try bytes(offset..<min(offset + 16, length))
      let reader = ByteReader(head[...], start: offset)
      guard let box = ISOBox(at: offset, in: reader) else { throw .notUnderstood }
      let end = box.end ?? length
      guard box.body <= end, end <= length else { throw .notUnderstood }
      switch box.type {
      case "ftyp" where offset == 0: break
      case "mdat": media.append(box.body..<end)
      case "meta" where meta == nil: meta = box.body..<end
      // Films and sequences have places in other forms, and so does the short form of items.
      case "ftyp", "meta", "moov", "moof", "mini": throw .notUnderstood
      default: try remove(box, at: offset, to: end)
      }
      offset = end
    }
    guard offset == length, let meta else { throw .notUnderstood }
    try searchItems(meta, media)
  }

  /// Makes a box one that is not used.
  private mutating func remove(
    _ box: ISOBox,
    at offset: Int,
    to end: Int
  ) throws(PlaceRemoval.Refusal) {
    try replace(Array(box.type.utf8), with: Self.unused, at: offset + 4)
    try fill(box.body..<end)
  }

  /// The boxes of a range, which they fill.
  private func boxes(
    in range: Range<Int>,
    _ bytes: ByteReader
  ) throws(PlaceRemoval.Refusal) -> [(box: ISOBox, start: Int, range: Range<Int>)] {
    var (found, offset): ([(ISOBox, Int, Range<Int>)], Int) = ([], range.lowerBound)
    while offset < range.upperBound {
      guard let box = ISOBox(at: offset, in: bytes), let end = box.end, box.body <= end,
        end <= range.upperBound, found.count < Self.itemLimit,
        box.type.utf8.count == 4
      else { throw .notUnderstood }
      found.append((box, offset, box.body..<end))
      offset = end
    }
    return found
  }

  // MARK: The box with the items

  private mutating func searchItems(
    _ meta: Range<Int>,
    _ media: [Range<Int>]
  ) throws(PlaceRemoval.Refusal) {
    guard (4...Self.metaBytes).contains(meta.count) else { throw .notUnderstood }
    let content = try bytes(meta)
    let reader = ByteReader(content[...], start: meta.lowerBound)
    var single: [String: Range<Int>] = [:]
    for (box, start, range) in try boxes(in: meta.lowerBound + 4..<meta.upperBound, reader) {
      switch box.type {
      case "iinf", "iloc", "idat", "iprp", "pitm", "hdlr", "iref":
        guard single.updateValue(range, forKey: box.type) == nil else { throw .notUnderstood }
      case "grpl", "dinf": break
      default: try remove(box, at: start, to: range.upperBound)
      }
    }
    guard let information = single["iinf"], let locations = single["iloc"] else {
      throw .notUnderstood
    }
    if let properties = single["iprp"] { try searchProperties(properties, reader) }
    let kinds = try itemKinds(information, reader)
    // Otherwise its data would become zeros as those of an unknown item.
    guard let primary = single["pitm"], let version = reader.byte(at: primary.lowerBound),
      let id = reader.big(at: primary.lowerBound + 4, count: version == 0 ? 2 : 4),
      kinds[id] == .picture
    else { throw .notUnderstood }
    if let references = single["iref"] { try requirePictures(references, kinds, reader) }
    let parts = try itemParts(locations, single["idat"], media, reader)
    try searchData(kinds, parts, media + [single["idat"]].compactMap { $0 })
  }

  /// The properties that stay (ISO/IEC 23008-12, section 6.5; AVIF, section 2; those of other codecs).
  private static let properties: Set = [
    "ispe", "pixi", "colr", "pasp", "irot", "imir", "clap", "auxC", "hvcC", "av1C", "avcC", "lhvC",
    "vvcC", "uncC", "cmpd", "cmpC", "icef", "lsel", "rloc", "a1op", "a1lx", "clli", "mdcv", "cclv",
    "amve", "ndwt", "reve", "tols", "oinf", "prdi", "j2kH", "jpgC", "iscl", "crtt", "mdft",
  ]

  private mutating func searchProperties(
    _ range: Range<Int>,
    _ bytes: ByteReader
  ) throws(PlaceRemoval.Refusal) {
    for (box, _, range) in try boxes(in: range, bytes) {
      switch box.type {
      case "ipma": break
      case "ipco":
        for (box, start, range) in try boxes(in: range, bytes)
        where !Self.properties.contains(box.type) {
          // A box that is not used keeps the numbers of the properties behind it.
          try remove(box, at: start, to: range.upperBound)
        }
      default: throw .notUnderstood
      }
    }
  }

  private enum ItemKind {
    case picture, exif, text, other
  }

  /// The types of items that are pictures, or are made of them.
  private static let pictures: Set = [
    "hvc1", "hvc2", "hev1", "hev2", "hvt1", "lhv1", "av01", "avc1", "evc1", "vvc1", "unci", "mski",
    "grid", "iovl", "iden", "tmap", "sato",
  ]

  /// The kinds of the items, by their numbers (ISO/IEC 14496-12, section 8.11.6).
  private func itemKinds(
    _ range: Range<Int>,
    _ bytes: ByteReader
  ) throws(PlaceRemoval.Refusal) -> [Int: ItemKind] {
    guard let version = bytes.byte(at: range.lowerBound) else { throw .notUnderstood }
    let start = range.lowerBound + (version == 0 ? 6 : 8)
    guard start <= range.upperBound else { throw .notUnderstood }
    var kinds: [Int: ItemKind] = [:]
    for (box, _, range) in try boxes(in: start..<range.upperBound, bytes) {
      guard box.type == "infe", let version = bytes.byte(at: range.lowerBound),
        version == 2 || version == 3
      else { throw .notUnderstood }
      let field = range.lowerBound + 4
      let width = version == 2 ? 2 : 4
      guard let id = bytes.big(at: field, count: width), kinds[id] == nil,
        bytes.big(at: field + width, count: 2) == 0,
        let type = bytes.name(at: field + width + 2), field + width + 6 <= range.upperBound
      else { throw .notUnderstood }
      switch type {
      case _ where Self.pictures.contains(type): kinds[id] = .picture
      case "Exif": kinds[id] = .exif
      case "mime":
        let rest = bytes.bytes(
          at: field + width + 6,
          count: range.upperBound - field - width - 6
        )
        kinds[id] = Self.isXMP(rest) ? .text : .other
      // It is a picture, and a file with metadata of its own.
      case "jpeg", "j2k1": throw .notUnderstood
      default: kinds[id] = .other
      }
    }
    return kinds
  }

  /// Refuses a file whose pictures consist of items of unknown types, such as the tiles of a grid or an alpha plane.
  ///
  /// Without the data of these, they would look different (ISO/IEC 14496-12, section 8.11.12).
  private func requirePictures(
    _ range: Range<Int>,
    _ kinds: [Int: ItemKind],
    _ bytes: ByteReader
  ) throws(PlaceRemoval.Refusal) {
    guard range.count >= 4, let version = bytes.byte(at: range.lowerBound), version < 2 else {
      throw .notUnderstood
    }
    let width = version == 0 ? 2 : 4
    // A description and a small version of a picture are not needed to draw it.
    for (box, _, range) in try boxes(in: range.lowerBound + 4..<range.upperBound, bytes)
    where box.type != "cdsc" && box.type != "thmb" {
      let list = range.lowerBound + width + 2
      guard let item = bytes.big(at: range.lowerBound, count: width),
        let count = bytes.big(at: range.lowerBound + width, count: 2),
        count * width <= range.upperBound - list
      else { throw .notUnderstood }
      let others = (0..<count).map { bytes.big(at: list + $0 * width, count: width) }
      for id in others + [item] {
        guard let id, kinds[id] ?? .picture == .picture else { throw .notUnderstood }
      }
    }
  }

  /// Whether an item is XMP that is not compressed, by its name, its media type and its coding, each with a zero.
  private static func isXMP(_ texts: ArraySlice<UInt8>?) -> Bool {
    let texts = texts?.split(separator: 0, omittingEmptySubsequences: false) ?? []
    return texts.count > 1 && texts[1].elementsEqual("application/rdf+xml".utf8)
      && texts.dropFirst(2).allSatisfy(\.isEmpty)
  }

  /// A part of an item's data.
  private struct ItemPart {
    let item: Int
    let range: Range<Int>
  }

  /// Where the data of the items are (section 8.11.3): within the boxes for data.
  private func itemParts(
    _ range: Range<Int>,
    _ itemData: Range<Int>?,
    _ media: [Range<Int>],
    _ bytes: ByteReader
  ) throws(PlaceRemoval.Refusal) -> [ItemPart] {
    var table = ItemTable(bytes: bytes, offset: range.lowerBound, end: range.upperBound)
    guard let version = table.next(1), version <= 2, table.next(3) != nil,
      let sizes = table.next(1), let moreSizes = table.next(1),
      let count = table.next(version < 2 ? 2 : 4), count <= Self.itemLimit
    else { throw .notUnderstood }
    let indexBytes = version == 0 ? 0 : moreSizes & 15
    var parts: [ItemPart] = []
    for _ in 0..<count {
      guard let item = table.next(version < 2 ? 2 : 4),
        let method = version == 0 ? 0 : table.next(2), method < 2, table.next(2) == 0,
        let base = table.next(moreSizes >> 4), let extents = table.next(2),
        parts.count + extents <= Self.itemLimit
      else { throw .notUnderstood }
      // From the beginning of the file, or of the box `idat`.
      let boxes = method == 0 ? media : [itemData].compactMap { $0 }
      let origin = method == 0 ? 0 : itemData?.lowerBound ?? 0
      for _ in 0..<extents {
        guard table.next(indexBytes) != nil, let offset = table.next(sizes >> 4),
          let length = table.next(sizes & 15), length > 0
        else { throw .notUnderstood }
        let start = origin + base + offset
        guard boxes.contains(where: { $0.lowerBound <= start && start + length <= $0.upperBound })
        else { throw .notUnderstood }
        parts.append(ItemPart(item: item, range: start..<start + length))
      }
    }
    guard table.offset == range.upperBound else { throw .notUnderstood }
    return parts
  }

  // MARK: Data

  /// Searches the data of items for places, and removes the data of no item.
  private mutating func searchData(
    _ kinds: [Int: ItemKind],
    _ parts: [ItemPart],
    _ boxes: [Range<Int>]
  ) throws(PlaceRemoval.Refusal) {
    let counts = Dictionary(grouping: parts, by: \.item).mapValues(\.count)
    // Their data may count as those of another item.
    guard kinds.allSatisfy({ $0.value == .picture || counts[$0.key] != nil }) else {
      throw .notUnderstood
    }
    var ordered: [(range: Range<Int>, isPicture: Bool)] = []
    for part in parts {
      let kind = kinds[part.item] ?? .other
      ordered.append((part.range, kind == .picture))
      switch kind {
      case .picture: break
      case .exif where counts[part.item] == 1: try searchItem(exif: part.range)
      case .text where counts[part.item] == 1: try searchText(part.range)
      default: try fill(part.range)
      }
    }
    ordered.sort { $0.range.lowerBound < $1.range.lowerBound }
    for box in boxes { try fillGaps(of: box, between: ordered) }
  }

  /// The orientation of such a picture is one of its properties, so EXIF that is not understood is not needed.
  private mutating func searchItem(exif range: Range<Int>) throws(PlaceRemoval.Refusal) {
    let old = try bytes(range)
    // The offset of the TIFF header behind this number (ISO/IEC 23008-12, annex A.2.1).
    guard let skipped = ByteReader(old[...]).big(at: 0, count: 4), skipped == 0 || skipped == 6,
      old.count > 4 + skipped, let exif = EXIFWithoutPlace.bytes(of: Array(old[4...]))
    else { return try fill(range) }
    try replace(old, with: old[..<4] + exif, at: range.lowerBound)
  }

  /// Fills the bytes of a box that are of no item; only pictures may share theirs.
  private mutating func fillGaps(
    of box: Range<Int>,
    between parts: [(range: Range<Int>, isPicture: Bool)]
  ) throws(PlaceRemoval.Refusal) {
    var (end, isPicture) = (box.lowerBound, true)
    for part in parts where box.contains(part.range.lowerBound) {
      if part.range.lowerBound < end {
        guard isPicture, part.isPicture else { throw .notUnderstood }
      } else {
        try fill(end..<part.range.lowerBound)
        isPicture = true
      }
      isPicture = isPicture && part.isPicture
      end = max(end, part.range.upperBound)
    }
    try fill(end..<box.upperBound)
  }
}

/// Numbers of a table one after another.
private struct ItemTable {
  let bytes: ByteReader
  var offset: Int
  let end: Int

  /// The next number of so many bytes, 0 for none; nil behind the end, and for one of 2⁵⁶ or more.
  mutating func next(_ count: Int) -> Int? {
    guard [0, 1, 2, 3, 4, 8].contains(count), count <= end - offset else { return nil }
    defer { offset += count }
    guard count == 8 else { return bytes.big(at: offset, count: count) }
    guard bytes.byte(at: offset) == 0 else { return nil }
    return bytes.big(at: offset + 1, count: 7)
  }
}
