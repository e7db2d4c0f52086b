package import Models

/// TIFF: a byte order and the offset of a directory of tags (TIFF 6.0, section 2).
enum TIFFHeader: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    let isTIFF = bytes.has([0x49, 0x49, 42, 0], at: 0) || bytes.has([0x4D, 0x4D, 0, 42], at: 0)
    // BigTIFF has the number 43, and longer offsets.
    let isBig = bytes.has([0x49, 0x49, 43, 0], at: 0) || bytes.has([0x4D, 0x4D, 0, 43], at: 0)
    return isTIFF || isBig ? .tiff : nil
  }

  static func size(in bytes: ByteReader) -> PixelSize? {
    TIFFFile { bytes.bytes(at: $0, count: $1).map(Array.init) }?.fullSize
  }

  /// Many writers put the directory behind the pixels, which is in the last bytes of a long file.
  static func size(of sample: PictureSample) -> PixelSize? {
    let (head, tail) = (sample.head, sample.tail)
    return TIFFFile {
      (head.bytes(at: $0, count: $1) ?? tail.bytes(at: $0, count: $1)).map(Array.init)
    }?.fullSize
  }

  /// Cut when the directory would begin after the end of the file; else unknown, because TIFF has no end marker.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    let header = TIFFFileHeader { sample.head.bytes(at: $0, count: $1).map(Array.init) }
    guard let header else { return .unknown }
    return header.directory >= sample.length ? .cut : .unknown
  }
}

/// The first bytes of a TIFF file: its byte order, and the offset of its first directory.
struct TIFFFileHeader {
  let isBigEndian: Bool
  /// Whether it is a BigTIFF, whose counts and offsets have 8 bytes.
  let isLong: Bool
  private(set) var directory = 0

  init?(reading: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    guard let start = reading(0, 8), let order = start.first else { return nil }
    isBigEndian = order == 0x4D
    isLong = start[isBigEndian ? 3 : 2] == 43
    guard let field = isLong ? reading(8, 8) : Array(start[4..<8]), let offset = number(field[...])
    else { return nil }
    directory = offset
  }

  /// An unsigned number; nil when it is 2⁵⁶ or more, which is too large for any offset or count.
  func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    let reader = ByteReader(bytes)
    guard bytes.count > 7 else {
      return isBigEndian
        ? reader.big(at: 0, count: bytes.count) : reader.little(at: 0, count: bytes.count)
    }
    let highest = isBigEndian ? bytes.first : bytes.last
    guard highest == 0 else { return nil }
    return isBigEndian ? reader.big(at: 1, count: 7) : reader.little(at: 0, count: 7)
  }
}

/// A directory of a TIFF file: how one of its pictures is stored (TIFF 6.0, section 8).
package struct TIFFDirectory {
  package enum Tag: Int {
    case subfile = 254
    case oldSubfile = 255
    case width = 256
    case height = 257
    case bits = 258
    case compression = 259
    case colours = 262
    case stripOffsets = 273
    case orientation = 274
    case samples = 277
    case stripRows = 278
    case stripBytes = 279
    case planes = 284
    case tileWidth = 322
    /// Offsets of directories below this one (TIFF, supplement 1).
    case subdirectories = 330
    case sampleTypes = 339
    /// A whole JPEG file, which directories of the old style and of cameras name (TIFF 6.0, section 22).
    case jpegOffset = 513
    case jpegBytes = 514
    case rawVersion = 50_706
  }

  private var fields: [Int: [Int]] = [:]
  /// The offset of the next directory; 0 for none.
  fileprivate private(set) var next = 0

  /// The most entries to read, which is more than any picture has.
  private static let entryLimit = 1_024
  /// The most values of a tag to read, which is more than a pixel has samples.
  private static let valueLimit = 16

  /// Reads the directory at an offset; nil when the bytes do not include it.
  fileprivate init?(
    at start: Int,
    _ header: TIFFFileHeader,
    reading: (_ offset: Int, _ count: Int) -> [UInt8]?
  ) {
    let (countBytes, entryBytes) = header.isLong ? (8, 20) : (2, 12)
    let field = reading(start, countBytes)
    guard let count = field.flatMap({ header.number($0[...]) }) else { return nil }
    for index in 0..<min(count, Self.entryLimit) {
      let offset = start + countBytes + index * entryBytes
      guard let entry = reading(offset, entryBytes) else { return }
      guard let number = header.number(entry[0..<2]), let tag = Tag(rawValue: number) else {
        continue
      }
      fields[tag.rawValue] = Self.values(in: entry, header, reading)
    }
    guard count <= Self.entryLimit else { return }
    let end = reading(start + countBytes + count * entryBytes, header.isLong ? 8 : 4)
    next = end.flatMap { header.number($0[...]) } ?? 0
  }

  /// The values of a tag; nil when the file does not have it.
  package func values(of tag: Tag) -> [Int]? { fields[tag.rawValue] }

  /// The numbers of an entry, of 1, 2, 4 or 8 bytes each; the entry itself holds them when they fit.
  private static func values(
    in entry: [UInt8],
    _ header: TIFFFileHeader,
    _ reading: (_ offset: Int, _ count: Int) -> [UInt8]?
  ) -> [Int]? {
    let room = header.isLong ? 12..<20 : 8..<12
    // libtiff accepts signed types for numbers, too (6, 8, 9 and 17).
    let sizes = [1: 1, 3: 2, 4: 4, 6: 1, 8: 2, 9: 4, 13: 4, 16: 8, 17: 8, 18: 8]
    guard let type = header.number(entry[2..<4]), let size = sizes[type],
      let count = header.number(entry[4..<room.lowerBound])
    else { return nil }
    let length = min(count, valueLimit) * size
    var bytes = Array(entry[room].prefix(length))
    if length > room.count || count > valueLimit {
      guard let offset = header.number(entry[room]), let found = reading(offset, length) else {
        return nil
      }
      bytes = found
    }
    return stride(from: 0, to: length, by: size).compactMap { header.number(bytes[$0..<$0 + size]) }
  }
}

extension TIFFDirectory {
  private static let jpeg = 7
  private static let oldJPEG = 6
  /// JPEG and JPEG 2000, whose decoders turn YCbCr into RGB.
  private static let decodersOfYCbCr: Set = [jpeg, 33_003, 33_005, 34_712]
  /// Grey with white or black as 0, RGB, palette, CMYK, YCbCr, and the logarithmic models.
  ///
  /// L*a*b* is missing because libvips 8.14 decodes its colours wrongly.
  private static let colourModels: Set = [0, 1, 2, 3, 5, 6, 32_844, 32_845]
  private static let logarithmic: Set = [32_844, 32_845]

  fileprivate func first(_ tag: Tag, else value: Int) -> Int { values(of: tag)?.first ?? value }

  /// Whether it is a smaller copy of another picture, or the mask of one.
  fileprivate var isReduced: Bool {
    first(.subfile, else: 0) & 0b101 != 0 || first(.oldSubfile, else: 1) == 2
  }

  /// Whether its samples are a sensor's: a mosaic of colours, or linear ones (DNG 1.6, section 4).
  fileprivate var isRawData: Bool { [32_803, 34_892].contains(first(.colours, else: 1)) }

  fileprivate var size: PixelSize? {
    PixelSize(width: values(of: .width)?.first, height: values(of: .height)?.first)
  }

  /// The range of the only strip, or of the JPEG file that the directory names.
  fileprivate var jpegRange: Range<Int>? {
    if let offset = values(of: .jpegOffset)?.first, let count = values(of: .jpegBytes)?.first {
      return Self.range(offset, count)
    }
    guard [Self.jpeg, Self.oldJPEG].contains(first(.compression, else: 1)),
      let offsets = values(of: .stripOffsets), let counts = values(of: .stripBytes),
      offsets.count == 1, counts.count == 1
    else { return nil }
    return Self.range(offsets[0], counts[0])
  }

  private static func range(_ offset: Int, _ count: Int) -> Range<Int>? {
    let (end, overflows) = offset.addingReportingOverflow(count)
    return overflows || count <= 0 ? nil : offset..<end
  }

  /// The reason why libvips would decode the picture wrongly; nil when it decodes the picture correctly.
  package var undrawn: UndrawnKind? {
    let (compression, colours) = (first(.compression, else: 1), first(.colours, else: 1))
    if compression == Self.oldJPEG { return .oldJPEG }
    if !Self.colourModels.contains(colours) { return .colourModel }
    if colours == 6, !Self.decodersOfYCbCr.contains(compression) { return .colourModel }
    let isPlanar = first(.planes, else: 1) == 2 && first(.samples, else: 1) > 1
    if isPlanar, values(of: .tileWidth) != nil { return .planarTiles }
    return Self.logarithmic.contains(colours) ? nil : undrawnSamples(colours)
  }

  /// Checks the samples: libvips decodes unsigned samples of up to 16 bits, but signed and longer
  /// ones only in grey and RGB.
  ///
  /// Signed samples of 16 and 32 bits are measurements, of which no tag says which value is white.
  private func undrawnSamples(_ colours: Int) -> UndrawnKind? {
    let (bits, types) = (Set(values(of: .bits) ?? [1]), Set(values(of: .sampleTypes) ?? [1]))
    if types.contains(3) { return .floatSamples }
    guard bits.count == 1, types.count == 1, let length = bits.first, let type = types.first else {
      return .oddSamples
    }
    switch (type, length) {
    case (1, 1), (1, 2), (1, 4), (1, 8), (1, 16), (4, 8), (4, 16): return nil
    case (1, 32), (2, 8): return colours == 1 || colours == 2 ? nil : .oddSamples
    default: return .oddSamples
    }
  }

  /// The bytes of the strips that libvips reads at once: one strip for each colour, when the
  /// colours have separate strips; 0 for other files.
  package var stripBytesAtOnce: Int {
    guard first(.planes, else: 1) == 2, values(of: .tileWidth) == nil else { return 0 }
    let (width, height) = (first(.width, else: 0), first(.height, else: 0))
    let rows = min(first(.stripRows, else: height), height)
    // In a valid file, both numbers have two bytes.
    let samples = min(first(.samples, else: 1), 65_535)
    let bytes = (samples + 1) * ((min(first(.bits, else: 1), 65_535) + 7) / 8)
    let (area, overflows) = width.multipliedReportingOverflow(by: rows)
    let (total, overflowsToo) = area.multipliedReportingOverflow(by: bytes)
    return overflows || overflowsToo ? .max : total
  }
}

/// The pictures of a TIFF file, and the one that counts.
package struct TIFFFile {
  /// The picture of a file that is drawn.
  package enum Choice {
    /// The picture of a directory: the number of a page, of a directory below it, and whether it stands for a
    /// camera's raw data.
    case directory(TIFFDirectory, page: Int, subdirectory: Int?, isPreview: Bool)
    /// A JPEG file in the file, its orientation (tag 274), and whether it stands for a camera's raw data.
    case jpeg(Range<Int>, orientation: Int, isPreview: Bool)
    /// None: the file has only a camera's raw data.
    case rawData
  }

  private struct Entry {
    let directory: TIFFDirectory
    let page: Int
    var subdirectory: Int?
  }

  private var entries: [Entry] = []

  /// The most pages to look at, and the most directories below one.
  private static let pageLimit = 32

  /// Reads the directories, of which all but the first matter only if that is not the full picture.
  ///
  /// - Parameter reading: Returns the bytes of a range of the file; nil when some are missing.
  package init?(reading: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    guard let header = TIFFFileHeader(reading: reading),
      let first = TIFFDirectory(at: header.directory, header, reading: reading)
    else { return nil }
    entries = [Entry(directory: first, page: 0)]
    guard
      first.isReduced || first.isRawData || first.undrawn == .oldJPEG
        || first.values(of: .rawVersion) != nil
    else { return }
    var (page, directory, seen) = (0, first, Set([header.directory]))
    while true {
      for (index, offset) in (directory.values(of: .subdirectories) ?? []).enumerated() {
        guard let below = TIFFDirectory(at: offset, header, reading: reading) else { continue }
        entries.append(Entry(directory: below, page: page, subdirectory: index))
      }
      guard directory.next > 0, page < Self.pageLimit, seen.insert(directory.next).inserted,
        let next = TIFFDirectory(at: directory.next, header, reading: reading)
      else { return }
      page += 1
      directory = next
      entries.append(Entry(directory: next, page: page))
    }
  }

  /// The size of the largest picture that is not a smaller copy, raw data included.
  var fullSize: PixelSize? {
    let full = entries.filter { !$0.directory.isReduced }.compactMap(\.directory.size)
    return full.max { Self.area($0) < Self.area($1) } ?? entries.first?.directory.size
  }

  private static func area(_ size: PixelSize?) -> Double {
    size.map { Double($0.width) * Double($0.height) } ?? 0
  }

  /// Finds the picture that counts.
  ///
  /// - Parameter reading: Returns the bytes of a range of the file; nil when some are missing.
  /// - Returns: The full picture, or the largest preview of raw data.
  package func choice(reading: (_ offset: Int, _ count: Int) -> [UInt8]?) -> Choice {
    let first = entries[0]
    let isRaw = entries.contains { $0.directory.isRawData }
    if entries.count == 1, !isRaw, first.directory.undrawn != .oldJPEG { return Self.choice(first) }
    let drawable = entries.filter {
      !$0.directory.isRawData && $0.directory.undrawn == nil && (isRaw || !$0.directory.isReduced)
    }
    let best = drawable.max { Self.area($0.directory.size) < Self.area($1.directory.size) }
    let jpegs = entries.filter { isRaw || !$0.directory.isReduced }
      .compactMap { Self.jpeg(of: $0.directory, reading) }
    let jpeg = jpegs.max { Self.area($0.size) < Self.area($1.size) }
    if let jpeg, Self.area(jpeg.size) > Self.area(best?.directory.size) {
      let orientation = first.directory.first(.orientation, else: 1)
      return .jpeg(jpeg.range, orientation: orientation, isPreview: isRaw)
    }
    if let best { return Self.choice(best, isPreview: isRaw) }
    return isRaw ? .rawData : Self.choice(first)
  }

  private static func choice(_ entry: Entry, isPreview: Bool = false) -> Choice {
    let (directory, page, subdirectory) = (entry.directory, entry.page, entry.subdirectory)
    return .directory(directory, page: page, subdirectory: subdirectory, isPreview: isPreview)
  }

  /// The JPEG file of a directory, if libraries draw it: a strip may lack tables, or be without loss.
  private static func jpeg(
    of directory: TIFFDirectory,
    _ reading: (_ offset: Int, _ count: Int) -> [UInt8]?
  ) -> (range: Range<Int>, size: PixelSize)? {
    guard let range = directory.jpegRange, reading(range.upperBound - 1, 1) != nil,
      let head = reading(range.lowerBound, min(range.count, 65_536))
    else { return nil }
    let bytes = ByteReader(head[...])
    guard JPEGHeader.format(of: bytes) == .jpeg, JPEGHeader.undrawn(in: bytes) == nil,
      JPEGHeader.hasTables(in: bytes), let size = JPEGHeader.size(in: bytes)
    else { return nil }
    return (range, size)
  }
}
