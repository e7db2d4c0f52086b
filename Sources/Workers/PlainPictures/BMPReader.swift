/// BMP, with its file header or, in icons, without (Windows GDI, BITMAPINFOHEADER and its kin).
struct BMPReader {
  /// How a part of a pixel's bits becomes a byte.
  private struct Channel {
    let mask: Int

    func value(of pixel: Int) -> UInt8 {
      guard mask != 0 else { return 0 }
      let shift = mask.trailingZeroBitCount
      let most = mask >> shift
      return UInt8(truncatingIfNeeded: ((pixel & mask) >> shift * 255 + most / 2) / most)
    }
  }

  private let bytes: [UInt8]
  private let isPartial: Bool
  private let limit: Int
  /// Where the header of the picture begins.
  private let start: Int
  private let isIcon: Bool
  private let headerLength: Int
  private let width: Int
  /// Of the pixels: in an icon half of what the header says, for a mask follows.
  private let height: Int
  private let isTopDown: Bool
  private let bits: Int
  private let packing: Int

  /// Where the pixels begin.
  private var pixelStart = 0
  private var palette: [UInt8] = []
  private var channels: [Channel] = []

  /// A file.
  init(file: [UInt8], _ isPartial: Bool, _ limit: Int) throws(PlainPictureError) {
    try self.init(file, start: 14, isIcon: false, isPartial, limit)
  }

  init(
    _ bytes: [UInt8],
    start: Int,
    isIcon: Bool,
    _ isPartial: Bool,
    _ limit: Int
  ) throws(PlainPictureError) {
    let reader = ByteReader(bytes[...])
    func number(_ place: Int, _ count: Int) throws(PlainPictureError) -> Int {
      guard let number = reader.little(at: start + place, count: count) else {
        throw .damaged("it ends within its header")
      }
      return number
    }
    (self.bytes, self.isPartial, self.limit) = (bytes, isPartial, limit)
    (self.start, self.isIcon) = (start, isIcon)
    headerLength = try number(0, 4)
    let isOld = headerLength == 12
    width = isOld ? try number(4, 2) : try number(4, 4)
    let tall = Int(Int32(truncatingIfNeeded: isOld ? try number(6, 2) : try number(8, 4)))
    height = abs(tall) / (isIcon ? 2 : 1)
    isTopDown = tall < 0
    bits = try number(isOld ? 10 : 14, 2)
    packing = headerLength >= 20 ? try number(16, 4) : 0
    try readColours(reader)
  }

  func picture() throws(PlainPictureError) -> PlainPicture {
    let hasAlpha = isIcon || channels.count == 4
    var picture = try PlainPicture(
      width: width,
      height: height,
      bands: hasAlpha ? 4 : 3,
      limit: limit
    )
    if packing == 1 || packing == 2 {
      try unpackRuns(into: &picture)
    } else {
      try readRows(into: &picture)
    }
    guard hasAlpha else { return picture }
    if picture.isInvisible || channels.count < 4 {
      let mask = isIcon ? maskStart : nil
      picture.setAlpha { pixel in mask.map { isMasked(pixel, $0) } ?? false }
    }
    return picture
  }

  // MARK: Colours

  private mutating func readColours(_ reader: ByteReader) throws(PlainPictureError) {
    let isIndexed = [1, 4, 8].contains(bits)
    switch (packing, bits) {
    case (0, 1), (0, 4), (0, 8), (0, 16), (0, 24), (0, 32), (1, 8), (2, 4): break
    case (3, 16), (3, 32), (6, 16), (6, 32): break
    default: throw .packed
    }
    var place = start + headerLength
    if bits == 16 || bits == 32 {
      let masks = masks(reader, behind: place)
      channels = masks.map(Channel.init)
      if packing == 3 || packing == 6, headerLength == 40 { place += packing == 3 ? 12 : 16 }
    }
    let entryBytes = headerLength == 12 ? 3 : 4
    let declared = headerLength >= 36 ? reader.little(at: start + 32, count: 4) ?? 0 : 0
    let count = isIndexed ? (1...(1 << bits)).contains(declared) ? declared : 1 << bits : 0
    palette = [UInt8](repeating: 0, count: 3 * 256)
    for index in 0..<count {
      guard let entry = reader.bytes(at: place + index * entryBytes, count: 3) else { break }
      for band in 0..<3 { palette[3 * index + band] = entry[entry.startIndex + 2 - band] }
    }
    place += entryBytes * (isIndexed ? count : min(declared, 256))
    pixelStart = isIcon ? place : reader.little(at: 10, count: 4) ?? place
  }

  /// Which bits are red, green, blue and, where there is any, alpha.
  private func masks(_ reader: ByteReader, behind place: Int) -> [Int] {
    guard packing == 3 || packing == 6 else {
      if bits == 16 { return [0x7C00, 0x3E0, 0x1F] }
      return [0xFF_0000, 0xFF00, 0xFF] + (isIcon ? [0xFF00_0000] : [])
    }
    // From 52 bytes on they are a part of the header; before, they follow it.
    let first = headerLength >= 52 ? start + 40 : place
    let hasAlpha = packing == 6 || headerLength >= 56
    let masks = (0..<(hasAlpha ? 4 : 3)).map { reader.little(at: first + 4 * $0, count: 4) ?? 0 }
    return masks.last == 0 ? Array(masks.prefix(3)) : masks
  }

  // MARK: Rows

  private var rowBytes: Int { (width * bits + 31) / 32 * 4 }

  private func readRows(into picture: inout PlainPicture) throws(PlainPictureError) {
    for row in 0..<height {
      let place = pixelStart + row * rowBytes
      // The last row need not be filled up.
      guard place >= 0, place + (width * bits + 7) / 8 <= bytes.count else {
        if isPartial { return }
        throw .damaged("it ends before its last row")
      }
      readRow(at: place, offset: offset(ofRow: row, in: picture), into: &picture)
    }
  }

  /// Where a row of the file lies in the picture.
  private func offset(ofRow row: Int, in picture: PlainPicture) -> Int {
    (isTopDown ? row : height - 1 - row) * width * picture.bands
  }

  private func readRow(at place: Int, offset: Int, into picture: inout PlainPicture) {
    let bands = picture.bands
    for x in 0..<width {
      let target = offset + x * bands
      switch bits {
      case 24:
        let source = place + 3 * x
        picture.set(target, bytes[source + 2], bytes[source + 1], bytes[source])
      case 16, 32:
        setPacked(pixel(at: place + x * bits / 8), target, in: &picture)
      default:
        let byte = Int(bytes[place + x * bits / 8])
        let shift = 8 - bits - x * bits % 8
        setIndexed(byte >> shift & (1 << bits - 1), target, in: &picture)
      }
    }
  }

  private func pixel(at place: Int) -> Int {
    let low = Int(bytes[place]) | Int(bytes[place + 1]) << 8
    return bits == 16 ? low : low | Int(bytes[place + 2]) << 16 | Int(bytes[place + 3]) << 24
  }

  private func setPacked(_ pixel: Int, _ target: Int, in picture: inout PlainPicture) {
    picture.set(
      target,
      channels[0].value(of: pixel),
      channels[1].value(of: pixel),
      channels[2].value(of: pixel)
    )
    if channels.count == 4 { picture.set(target + 3, channels[3].value(of: pixel)) }
  }

  private func setIndexed(_ index: Int, _ target: Int, in picture: inout PlainPicture) {
    picture.set(target, palette[3 * index], palette[3 * index + 1], palette[3 * index + 2])
  }

  // MARK: Runs

  /// Runs of one or two indices, and escapes: end of row, end of picture, a step, indices as they are.
  private func unpackRuns(into picture: inout PlainPicture) throws(PlainPictureError) {
    var (place, x, row) = (max(0, pixelStart), 0, 0)
    while row < height {
      guard place + 1 < bytes.count else {
        if isPartial { return }
        throw .damaged("it ends before its last row")
      }
      let (count, value) = (Int(bytes[place]), Int(bytes[place + 1]))
      place += 2
      switch (count, value) {
      case (0, 0): (x, row) = (0, row + 1)
      case (0, 1): return
      case (0, 2):
        guard place + 1 < bytes.count else { continue }
        (x, row) = (x + Int(bytes[place]), row + Int(bytes[place + 1]))
        place += 2
      case (0, _):
        for index in 0..<value {
          let source = place + index * bits / 8
          guard source < bytes.count else { break }
          set(Int(bytes[source]), index, &x, row, in: &picture)
        }
        place += (value * bits + 15) / 16 * 2
      default:
        for index in 0..<count { set(value, index, &x, row, in: &picture) }
      }
    }
  }

  /// Sets the pixel whose index is in a byte, alone or as one of two in turn, and steps on.
  private func set(
    _ byte: Int,
    _ turn: Int,
    _ x: inout Int,
    _ row: Int,
    in picture: inout PlainPicture
  ) {
    guard x < width else { return }
    let index = bits == 8 ? byte : turn % 2 == 0 ? byte >> 4 : byte & 15
    setIndexed(index, offset(ofRow: row, in: picture) + x * picture.bands, in: &picture)
    x += 1
  }

  // MARK: The mask of an icon

  /// Nil where the file ends before it.
  private var maskStart: Int? {
    let place = pixelStart + rowBytes * height
    return place + (width + 31) / 32 * 4 * height <= bytes.count ? place : nil
  }

  private func isMasked(_ pixel: Int, _ mask: Int) -> Bool {
    let (x, y) = (pixel % width, height - 1 - pixel / width)
    return bytes[mask + y * ((width + 31) / 32 * 4) + x / 8] >> (7 - x % 8) & 1 == 1
  }
}

/// ICO: the largest of its pictures.
enum ICOReader {
  static func content(
    _ bytes: [UInt8],
    _ isPartial: Bool,
    _ limit: Int
  ) throws(PlainPictureError) -> PlainPicture.Content {
    let reader = ByteReader(bytes[...])
    guard let place = ICOHeader.largest(in: reader) else { throw .damaged("it holds no picture") }
    let rest = reader.bytes(at: place.lowerBound, count: max(0, bytes.count - place.lowerBound))
    guard let picture = rest?.prefix(place.count), !picture.isEmpty else {
      throw .damaged("it ends before its picture")
    }
    let part = Array(picture)
    if PNGHeader.format(of: ByteReader(part[...])) != nil { return .png(part) }
    return .pixels(try BMPReader(part, start: 0, isIcon: true, isPartial, limit).picture())
  }
}
