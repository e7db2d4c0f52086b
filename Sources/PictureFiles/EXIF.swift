package import Models

/// Reads what a camera has written about a picture as EXIF, whose form is that of TIFF (EXIF 2.32, section 4.6).
extension PictureDetails {
  /// Reads the bytes of EXIF, with or without the mark `Exif` before them, and what packets of XMP add to it.
  package init(exif bytes: [UInt8], xmp packets: [[UInt8]] = []) {
    let mark: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
    let start = bytes.starts(with: mark) ? mark.count : 0
    let reader = ByteReader(bytes[start...])
    self.init(packets: packets) { reader.bytes(at: $0, count: $1).map(Array.init) }
  }

  /// Reads the tags of a TIFF file, which are the same.
  ///
  /// - Parameter reading: Returns the bytes of a range of the file; nil when some are missing.
  package init(tiff reading: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    self.init(packets: [], reading)
  }

  private init(packets: [[UInt8]], _ reading: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    self.init()
    var dates = PictureDates()
    withoutActuallyEscaping(reading) { reading in
      guard var tags = EXIFTags(reading: reading) else { return }
      readDirectories(&tags, &dates)
    }
    self = sound
    for packet in packets { complete(fromXMP: packet, &dates) }
    taken = dates.taken
  }

  private mutating func readDirectories(_ tags: inout EXIFTags, _ dates: inout PictureDates) {
    let first = tags.directory(at: tags.header.directory)
    let (maker, model) = (first.text(0x010F), first.text(0x0110))
    camera = Self.camera(maker: maker.flatMap(Self.text), model: model.flatMap(Self.text))
    if let offset = first.numbers(0x8769)?.first {
      readPhotograph(tags.directory(at: offset), &dates)
    }
    if let offset = first.numbers(0x8825)?.first {
      place = PicturePlace(tags.directory(at: offset))
    }
    // XMP is tag 700 in TIFF files.
    if let packet = first.bytes(0x02BC) { complete(fromXMP: packet, &dates) }
  }

  private mutating func readPhotograph(
    _ tags: EXIFTags.Directory,
    _ dates: inout PictureDates
  ) {
    lens = tags.text(0xA434)
    exposure = tags.scaled(0x829A, by: 1_000_000_000)
    aperture = tags.scaled(0x829D, by: 100)
    focalLength = tags.scaled(0x920A, by: 100)
    sensitivity = Self.sensitivity(tags)
    func date(_ text: String, _ fraction: Int, _ offset: Int) -> DateTaken? {
      DateTaken(day: text, fraction: tags.text(fraction), offset: tags.text(offset))
    }
    dates.noteOriginal(tags.text(0x9003)) { date($0, 0x9291, 0x9011) }
    dates.noteDigitized(tags.text(0x9004)) { date($0, 0x9292, 0x9012) }
  }

  /// A sensitivity of 65,535 and more is in another tag (section 4.6.5, PhotographicSensitivity).
  private static func sensitivity(_ tags: EXIFTags.Directory) -> Int64? {
    guard let short = tags.numbers(0x8827)?.first else { return nil }
    if short < 65_535 { return Int64(short) }
    return [0x8832, 0x8831, 0x8833].lazy.compactMap { tags.numbers($0)?.first }.first
      .map(Int64.init)
  }
}

/// What a file says of the time of a picture, from which the time of taking it is chosen.
///
/// The first of these counts: DateTimeOriginal of EXIF, and of XMP; `photoshop:DateCreated`; DateTimeDigitized of EXIF,
/// and of XMP; `xmp:CreateDate`. It is the order of the "Guidelines for Handling Image Metadata" of the Metadata Working
/// Group (version 2.0, "Date/Time"), which tell the original date from that of the digital file. The latter stands for
/// it because cameras write both alike, and some programs only this one.
///
/// A scan of an old picture was made much later. So if a file says something of the original date that is no whole time,
/// such as a year, no other date stands for it.
struct PictureDates {
  private var original: DateTaken?
  private var digitized: DateTaken?
  private var saysOriginal = false

  var taken: DateTaken? { original ?? (saysOriginal ? nil : digitized) }

  /// Notes an original date unless there is one.
  ///
  /// Zeros and blanks say that it is not known.
  mutating func noteOriginal(_ text: String?, _ reading: (String) -> DateTaken?) {
    guard let text else { return }
    original = original ?? reading(text)
    saysOriginal = saysOriginal || text.utf8.contains { (0x31...0x39).contains($0) }
  }

  /// Notes a date of the digital file unless there is one.
  mutating func noteDigitized(_ text: String?, _ reading: (String) -> DateTaken?) {
    digitized = digitized ?? text.flatMap(reading)
  }
}

extension PicturePlace {
  /// Reads the tags of GPS; nil unless they name the hemispheres, or if the device says that they are void.
  fileprivate init?(_ tags: EXIFTags.Directory) {
    guard tags.text(9) != "V",
      let latitude = Self.degrees(tags.fractions(2), tags.text(1), "N", "S"),
      let longitude = Self.degrees(tags.fractions(4), tags.text(3), "E", "W")
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  private static func degrees(
    _ parts: [(Int, Int)]?,
    _ direction: String?,
    _ positive: String,
    _ negative: String
  ) -> Int64? {
    guard let parts, parts.count == 3, let direction, [positive, negative].contains(direction)
    else {
      return nil
    }
    let values = parts.map { Double($0.0) / Double($0.1) }
    return degrees(values[0], values[1], values[2], isNegative: direction == negative)
  }

  /// Millionths of a degree; nil for minutes or seconds of more than 60.
  static func degrees(
    _ degrees: Double,
    _ minutes: Double,
    _ seconds: Double,
    isNegative: Bool
  ) -> Int64? {
    guard (0...180).contains(degrees), (0...60).contains(minutes), (0...60).contains(seconds) else {
      return nil
    }
    let sum = Int64(saturating: ((degrees + minutes / 60 + seconds / 3_600) * 1e6).rounded())
    return isNegative ? -sum : sum
  }
}

/// The directories of EXIF, of which only a bounded part is read: a hostile file may have any counts and offsets.
struct EXIFTags {
  /// The tags of a directory, by their numbers; the first of several with the same number counts.
  struct Directory {
    fileprivate var entries: [Int: Entry] = [:]
  }

  fileprivate struct Entry {
    let type: Int
    let count: Int
    let bytes: [UInt8]
    let header: TIFFFileHeader
  }

  let header: TIFFFileHeader
  private let reading: (_ offset: Int, _ count: Int) -> [UInt8]?
  /// How many bytes may still be read.
  private var bytesLeft = 65_536
  /// How many entries may still be read.
  private var entriesLeft = 1_024

  /// The bytes of a value, by its type (TIFF 6.0, section 2; EXIF 3.0, section 4.6.2; BigTIFF).
  private static let sizes = [
    1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8, 13: 4, 16: 8, 18: 8, 129: 1,
  ]
  /// The tags that are read; others cost nothing.
  private static let wanted: Set = [
    0x010F, 0x0110, 0x02BC, 0x8769, 0x8825, 0x829A, 0x829D, 0x8827, 0x8831, 0x8832, 0x8833,
    0x9003, 0x9004, 0x9011, 0x9012, 0x9291, 0x9292, 0x920A, 0xA434, 1, 2, 3, 4, 9,
  ]
  /// The longest value in bytes, but for XMP.
  private static let valueBytes = 256

  /// Nil for bytes that are not those of TIFF.
  init?(reading: @escaping (_ offset: Int, _ count: Int) -> [UInt8]?) {
    guard let head = reading(0, 8), TIFFHeader.format(of: ByteReader(head[...])) != nil,
      let header = TIFFFileHeader(reading: reading)
    else { return nil }
    (self.header, self.reading) = (header, reading)
  }

  private mutating func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard count <= bytesLeft else { return nil }
    bytesLeft -= count
    return reading(offset, count)
  }

  /// The tags of the directory at an offset; none unless all of it is there.
  mutating func directory(at start: Int) -> Directory {
    var directory = Directory()
    let (countBytes, entryBytes) = header.isLong ? (8, 20) : (2, 12)
    guard let field = bytes(at: start, count: countBytes), let count = header.number(field[...]),
      count <= entriesLeft
    else { return directory }
    entriesLeft -= count
    guard let all = bytes(at: start + countBytes, count: count * entryBytes) else {
      return directory
    }
    for first in stride(from: 0, to: all.count, by: entryBytes) {
      let field = Array(all[first..<first + entryBytes])
      guard let tag = header.number(field[0..<2]), Self.wanted.contains(tag),
        directory.entries[tag] == nil, let entry = entry(field, tag)
      else { continue }
      directory.entries[tag] = entry
    }
    return directory
  }

  /// The values of an entry, which itself holds them when they fit; nil when they are not there.
  private mutating func entry(_ field: [UInt8], _ tag: Int) -> Entry? {
    let room = header.isLong ? 12..<20 : 8..<12
    guard let type = header.number(field[2..<4]), let size = Self.sizes[type],
      let count = header.number(field[4..<room.lowerBound]), count > 0,
      count <= (tag == 0x02BC ? bytesLeft : Self.valueBytes) / size
    else { return nil }
    let length = count * size
    if length <= room.count {
      return Entry(
        type: type,
        count: count,
        bytes: Array(field[room].prefix(length)),
        header: header
      )
    }
    guard let offset = header.number(field[room]), let found = bytes(at: offset, count: length)
    else { return nil }
    return Entry(type: type, count: count, bytes: found, header: header)
  }
}

extension EXIFTags.Directory {
  /// The text of a tag up to its zero; nil for a value of another type, and for bytes that are not UTF-8.
  func text(_ tag: Int) -> String? {
    guard let entry = entries[tag], [2, 129].contains(entry.type) else { return nil }
    return String(validating: entry.bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The unsigned numbers of a tag.
  func numbers(_ tag: Int) -> [Int]? {
    guard let entry = entries[tag], [1, 3, 4, 13, 16, 18].contains(entry.type) else { return nil }
    let size = entry.bytes.count / entry.count
    let numbers = stride(from: 0, to: entry.bytes.count, by: size).compactMap {
      entry.header.number(entry.bytes[$0..<$0 + size])
    }
    return numbers.count == entry.count ? numbers : nil
  }

  /// The fractions of a tag; nil if the denominator of one is 0, or if a number is negative.
  func fractions(_ tag: Int) -> [(Int, Int)]? {
    guard let entry = entries[tag], [5, 10].contains(entry.type) else { return nil }
    let most = entry.type == 10 ? Int(Int32.max) : Int(UInt32.max)
    var fractions: [(Int, Int)] = []
    for start in stride(from: 0, to: entry.bytes.count, by: 8) {
      guard let upper = entry.header.number(entry.bytes[start..<start + 4]),
        let lower = entry.header.number(entry.bytes[start + 4..<start + 8]), upper <= most,
        (1...most).contains(lower)
      else { return nil }
      fractions.append((upper, lower))
    }
    return fractions
  }

  /// A fraction, multiplied and rounded; the factor is at most 10⁹, so that a product of 32 bits with it fits.
  func scaled(_ tag: Int, by factor: Int) -> Int64? {
    guard let fractions = fractions(tag), fractions.count == 1 else { return nil }
    let (upper, lower) = fractions[0]
    return Int64((upper * factor + lower / 2) / lower)
  }

  func bytes(_ tag: Int) -> [UInt8]? {
    guard let entry = entries[tag], [1, 7].contains(entry.type) else { return nil }
    return entry.bytes
  }
}
