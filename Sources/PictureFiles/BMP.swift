import Models

/// BMP: a file header and a bitmap header of several lengths (Windows GDI, BITMAPFILEHEADER and others).
enum BMPHeader: ImageHeaderParsing {
  /// The lengths of all bitmap headers; without them, every text that begins with "BM" would count as a BMP.
  private static let headerLengths: Set<Int> = [12, 16, 40, 52, 56, 64, 108, 124]

  static func format(of bytes: ByteReader) -> ImageFormat? {
    guard bytes.has("BM", at: 0), let length = bytes.little(at: 14, count: 4) else { return nil }
    return headerLengths.contains(length) ? .bmp : nil
  }

  /// The size in pixels; the file's height is negative when its rows are stored from the top down.
  static func size(in bytes: ByteReader) -> PixelSize? {
    if bytes.little(at: 14, count: 4) == 12 {
      return PixelSize(
        width: bytes.little(at: 18, count: 2),
        height: bytes.little(at: 20, count: 2)
      )
    }
    return PixelSize(
      width: signed(bytes.little(at: 18, count: 4)),
      height: signed(bytes.little(at: 22, count: 4)).map { abs($0) }
    )
  }

  /// Whole when the file is at least as long as it declares; unknown when it declares no valid length.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    guard let declared = sample.head.little(at: 2, count: 4),
      let pixels = sample.head.little(at: 10, count: 4), declared > pixels
    else { return .unknown }
    return declared <= sample.length ? .whole : .cut
  }

  private static func signed(_ value: Int?) -> Int? {
    value.map { Int(Int32(truncatingIfNeeded: $0)) }
  }
}

/// Reads the pixels of a BMP: of a file, or of a picture in an icon, which has no file header
/// (Windows GDI, BITMAPINFOHEADER and its successors).
struct BMPReader {
  /// The bits of a pixel that hold one colour, and their conversion to a byte.
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
  /// The offset of the bitmap header.
  private let start: Int
  private let isIcon: Bool
  private let headerLength: Int
  private let width: Int
  /// The number of rows of pixels; an icon's header also counts the rows of its mask, which has as many.
  private let height: Int
  private let isTopDown: Bool
  /// Bits per pixel.
  private let bits: Int
  /// 0 for none, 1 for runs of bytes, 2 for runs of half bytes, 3 for colour masks, 6 for masks with alpha.
  private let compression: Int

  /// The offset of the pixels.
  private var pixelStart = 0
  /// Red, green and blue of each of 256 colours.
  private var palette: [UInt8] = []
  private var channels: [Channel] = []

  private var hasRuns: Bool { compression == 1 || compression == 2 }
  private var hasMasks: Bool { compression == 3 || compression == 6 }

  /// Reads the headers of a file.
  init(file: [UInt8], _ isPartial: Bool, _ limit: Int) throws(PlainPictureError) {
    try self.init(file, start: 14, isIcon: false, isPartial, limit)
  }

  /// Reads the bitmap header at an offset.
  init(
    _ bytes: [UInt8],
    start: Int,
    isIcon: Bool,
    _ isPartial: Bool,
    _ limit: Int
  ) throws(PlainPictureError) {
    let reader = ByteReader(bytes[...])
    func number(_ offset: Int, _ count: Int) throws(PlainPictureError) -> Int {
      guard let number = reader.little(at: start + offset, count: count) else {
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
    compression = headerLength >= 20 ? try number(16, 4) : 0
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
    if hasRuns {
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
    switch (compression, bits) {
    case (0, 1), (0, 4), (0, 8), (0, 16), (0, 24), (0, 32), (1, 8), (2, 4): break
    case (3, 16), (3, 32), (6, 16), (6, 32): break
    default: throw .packed
    }
    var offset = start + headerLength
    if bits == 16 || bits == 32 {
      channels = masks(reader, behindHeader: offset).map(Channel.init)
      if hasMasks, headerLength == 40 { offset += compression == 3 ? 12 : 16 }
    }
    offset += readPalette(reader, at: offset)
    pixelStart = isIcon ? offset : reader.little(at: 10, count: 4) ?? offset
  }

  /// - Returns: The length of the palette in bytes.
  private mutating func readPalette(_ reader: ByteReader, at offset: Int) -> Int {
    let isIndexed = [1, 4, 8].contains(bits)
    let entryBytes = headerLength == 12 ? 3 : 4
    let declared = headerLength >= 36 ? reader.little(at: start + 32, count: 4) ?? 0 : 0
    let count = isIndexed ? (1...(1 << bits)).contains(declared) ? declared : 1 << bits : 0
    palette = [UInt8](repeating: 0, count: 3 * 256)
    for index in 0..<count {
      guard let entry = reader.bytes(at: offset + index * entryBytes, count: 3) else { break }
      for band in 0..<3 { palette[3 * index + band] = entry[entry.startIndex + 2 - band] }
    }
    return entryBytes * (isIndexed ? count : min(declared, 256))
  }

  /// The masks of red, green, blue and, if the picture has it, alpha.
  private func masks(_ reader: ByteReader, behindHeader end: Int) -> [Int] {
    guard hasMasks else {
      if bits == 16 { return [0x7C00, 0x3E0, 0x1F] }
      return [0xFF_0000, 0xFF00, 0xFF] + (isIcon ? [0xFF00_0000] : [])
    }
    // Headers of 52 bytes or more include the masks; a shorter header precedes them.
    let first = headerLength >= 52 ? start + 40 : end
    let hasAlpha = compression == 6 || headerLength >= 56
    let masks = (0..<(hasAlpha ? 4 : 3)).map { reader.little(at: first + 4 * $0, count: 4) ?? 0 }
    return masks.last == 0 ? Array(masks.prefix(3)) : masks
  }

  // MARK: Rows

  private var rowBytes: Int { (width * bits + 31) / 32 * 4 }

  private func readRows(into picture: inout PlainPicture) throws(PlainPictureError) {
    for row in 0..<height {
      let start = pixelStart + row * rowBytes
      // The padding of the last row may be missing.
      guard start >= 0, start + (width * bits + 7) / 8 <= bytes.count else {
        if isPartial { return }
        throw .damaged("it ends before its last row")
      }
      readRow(at: start, to: offset(ofRow: row, in: picture), of: &picture)
    }
  }

  /// The offset, within the picture's pixels, of a row of the file.
  private func offset(ofRow row: Int, in picture: PlainPicture) -> Int {
    (isTopDown ? row : height - 1 - row) * width * picture.bands
  }

  private func readRow(at start: Int, to offset: Int, of picture: inout PlainPicture) {
    let bands = picture.bands
    for x in 0..<width {
      let target = offset + x * bands
      switch bits {
      case 24:
        let source = start + 3 * x
        picture.set(target, bytes[source + 2], bytes[source + 1], bytes[source])
      case 16, 32:
        setPacked(pixel(at: start + x * bits / 8), target, in: &picture)
      default:
        let byte = Int(bytes[start + x * bits / 8])
        let shift = 8 - bits - x * bits % 8
        setIndexed(byte >> shift & (1 << bits - 1), target, in: &picture)
      }
    }
  }

  private func pixel(at offset: Int) -> Int {
    let low = Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    return bits == 16 ? low : low | Int(bytes[offset + 2]) << 16 | Int(bytes[offset + 3]) << 24
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

  /// Unpacks runs of palette indices, and the escapes between the runs.
  ///
  /// A run repeats one index or alternates two. An escape ends a row or the picture, moves the
  /// position, or precedes single indices.
  private func unpackRuns(into picture: inout PlainPicture) throws(PlainPictureError) {
    var (offset, x, row) = (max(0, pixelStart), 0, 0)
    while row < height {
      guard offset + 1 < bytes.count else {
        if isPartial { return }
        throw .damaged("it ends before its last row")
      }
      let (count, value) = (Int(bytes[offset]), Int(bytes[offset + 1]))
      offset += 2
      switch (count, value) {
      case (0, 0): (x, row) = (0, row + 1)
      case (0, 1): return
      case (0, 2):
        guard offset + 1 < bytes.count else { continue }
        (x, row) = (x + Int(bytes[offset]), row + Int(bytes[offset + 1]))
        offset += 2
      case (0, _):
        for index in 0..<value {
          let source = offset + index * bits / 8
          guard source < bytes.count else { break }
          set(Int(bytes[source]), index, &x, row, in: &picture)
        }
        offset += (value * bits + 15) / 16 * 2
      default:
        for index in 0..<count { set(value, index, &x, row, in: &picture) }
      }
    }
  }

  /// Sets the next pixel of a row from a byte that holds one palette index, or two that alternate.
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

  /// The offset of the mask; nil when the file does not contain all of it.
  private var maskStart: Int? {
    let start = pixelStart + rowBytes * height
    return start + (width + 31) / 32 * 4 * height <= bytes.count ? start : nil
  }

  /// Whether the mask hides a pixel; pixels are numbered from the top left.
  private func isMasked(_ pixel: Int, _ mask: Int) -> Bool {
    let (x, y) = (pixel % width, height - 1 - pixel / width)
    return bytes[mask + y * ((width + 31) / 32 * 4) + x / 8] >> (7 - x % 8) & 1 == 1
  }
}
