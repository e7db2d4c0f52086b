/// EXIF of the same length with only the fields that are known to tell no place; everything else becomes zeros.
///
/// The directory of GPS goes, and so do the maker's notes, the thumbnail, XMP and IPTC within EXIF, private fields, and
/// bytes to which no field refers. Offsets stay. A directory with fewer entries leaves room behind it.
struct EXIFWithoutPlace {
  private let old: ByteReader
  private let header: TIFFFileHeader
  private var new: [UInt8]
  /// The header and the directories that stay, and the values that do.
  private var (directories, values): ([Range<Int>], Set<Range<Int>>) = ([], [])
  /// The directories and values that go, as far as they are found.
  private var removed: [Range<Int>] = []
  private var entriesLeft = 1_024
  /// How many bytes of values may still be looked at; a sound file has no more than it is long.
  private var bytesLeft: Int

  /// The fields of the first directory (TIFF 6.0, section 8; EXIF 2.32, section 4.6.4).
  private static let firstTags = Set(0x9C9B...0x9C9F).union([
    0x00FE, 0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x010E, 0x010F, 0x0110, 0x0112, 0x0115, 0x011A,
    0x011B, 0x011C, 0x0128, 0x012D, 0x0131, 0x0132, 0x013B, 0x013E, 0x013F, 0x0211, 0x0212, 0x0213,
    0x0214, 0x4746, 0x4749, 0x8298, 0x8769,
  ])
  /// The fields of the photograph (EXIF 2.32, section 4.6.5; EXIF 3.0, section 4.6.6), without those about the air and
  /// the water around the camera.
  private static let photographTags = Set(0x8830...0x8835).union(0x9201...0x920A)
    .union(0xA401...0xA40A).union(0xA430...0xA43C).union(0xA460...0xA462).union([
      0x829A, 0x829D, 0x8822, 0x8824, 0x8827, 0x9000, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012,
      0x9101, 0x9102, 0x9214, 0x9286, 0x9290, 0x9291, 0x9292, 0xA000, 0xA001, 0xA002, 0xA003,
      0xA20B, 0xA20E, 0xA20F, 0xA210, 0xA214, 0xA215, 0xA217, 0xA300, 0xA301, 0xA302,
      0xA40C, 0xA420, 0xA500,
    ])
  /// The fields of the directories of several pictures in a file (CIPA DC-007, sections 5.2.3 and 5.2.4).
  private static let picturesTags = Set(0xB000...0xB004).union([0xB101]).union(0xB201...0xB20D)
  /// The fields that lead to the directories of the photograph and of GPS.
  private static let (photograph, place) = (0x8769, 0x8825)
  /// The bytes of a value, by its type (TIFF 6.0, section 2; EXIF 3.0, section 4.6.2).
  private static let sizes = [
    1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 129: 1,
  ]

  /// The EXIF without its place; nil if it is not understood.
  ///
  /// The mark `Exif` may precede it.
  static func bytes(of exif: [UInt8]) -> [UInt8]? {
    let mark: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
    let start = exif.starts(with: mark) ? mark.count : 0
    guard var rest = EXIFWithoutPlace(Array(exif[start...])),
      rest.take(directory: rest.header.directory, Self.firstTags), rest.isSound
    else { return nil }
    return Array(exif[..<start]) + rest.new
  }

  /// The same for the places of further pictures in a file, which have the form of EXIF (CIPA DC-007, section 5.1).
  ///
  /// The first directory stays, which names the pictures, without the one of the attributes of a picture behind it.
  static func bytes(ofPictures format: [UInt8]) -> [UInt8]? {
    guard var rest = EXIFWithoutPlace(format),
      rest.take(directory: rest.header.directory, picturesTags), rest.isSound
    else { return nil }
    return rest.new
  }

  private init?(_ bytes: [UInt8]) {
    let reader = ByteReader(bytes[...])
    // Little or big endian; BigTIFF is no EXIF.
    guard reader.has([0x49, 0x49, 42, 0], at: 0) || reader.has([0x4D, 0x4D, 0, 42], at: 0),
      let header = TIFFFileHeader(reading: { reader.bytes(at: $0, count: $1).map(Array.init) })
    else { return nil }
    (old, self.header) = (reader, header)
    new = [UInt8](repeating: 0, count: bytes.count)
    bytesLeft = 2 * bytes.count + 4_096
    directories = [0..<8]
    copy(0..<8)
  }

  private mutating func copy(_ range: Range<Int>) {
    for index in range { new[index] = old.bytes[index] }
  }

  private func number(at offset: Int, _ count: Int) -> Int? {
    old.bytes(at: offset, count: count).flatMap { header.number($0) }
  }

  private struct Entry {
    let offset: Int
    let tag: Int
    /// The range of the value; nil if it is not within the bytes, or of an unknown type.
    let value: Range<Int>?
    /// The number itself, of a field that leads to a directory.
    let number: Int?
    var isWithin: Bool { value == offset + 8..<offset + 12 }
  }

  private func entry(at offset: Int) -> Entry? {
    guard let tag = number(at: offset, 2), let type = number(at: offset + 2, 2),
      let count = number(at: offset + 4, 4), let field = number(at: offset + 8, 4)
    else { return nil }
    var value: Range<Int>?
    if let size = Self.sizes[type] {
      let length = size * count
      if length <= 4 {
        value = offset + 8..<offset + 12
      } else if field >= 8, field <= old.end, length <= old.end - field {
        value = field..<field + length
      }
    }
    // Some programs write such a field with 16 bits.
    let leads = [3, 4, 13].contains(type) && count == 1
    let directory = leads ? number(at: offset + 8, type == 3 ? 2 : 4) : nil
    return Entry(offset: offset, tag: tag, value: value, number: directory)
  }

  /// The entries of a directory and its range; nil unless all of it is there.
  private mutating func entries(at start: Int) -> (entries: [Entry], range: Range<Int>)? {
    guard let count = number(at: start, 2), count <= entriesLeft else { return nil }
    entriesLeft -= count
    let end = start + 2 + 12 * count
    let entries = (0..<count).compactMap { entry(at: start + 2 + 12 * $0) }
    guard entries.count == count else { return nil }
    // Some programs omit the offset of the next directory, which counts as bytes to which nothing refers.
    return (entries, start..<end)
  }

  /// Takes a directory over, and those to which it leads; false if it is not understood.
  private mutating func take(directory start: Int, _ tags: Set<Int>) -> Bool {
    guard start >= 8, let (entries, range) = entries(at: start) else { return false }
    directories.append(range)
    var place = start + 2
    for entry in entries {
      guard tags.contains(entry.tag), let value = entry.value, isPlain(value) else {
        remove(entry)
        continue
      }
      if entry.tag == Self.photograph {
        guard let below = entry.number, take(directory: below, Self.photographTags) else {
          return false
        }
      } else if !entry.isWithin {
        values.insert(value)
        copy(value)
      }
      for index in 0..<12 { new[place + index] = old.bytes[entry.offset + index] }
      place += 12
    }
    let count = UInt16((place - start - 2) / 12)
    let (low, high) = (UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8))
    (new[start], new[start + 1]) = header.isBigEndian ? (high, low) : (low, high)
    return true
  }

  /// Whether a value tells no place in words.
  private mutating func isPlain(_ value: Range<Int>) -> Bool {
    guard value.count <= bytesLeft, let bytes = old.bytes(at: value.lowerBound, count: value.count)
    else { return false }
    bytesLeft -= value.count
    return !PlaceWords.areIn(bytes)
  }

  /// Notes the value of an entry that goes, and those of the directory of GPS.
  private mutating func remove(_ entry: Entry) {
    if let value = entry.value, !entry.isWithin { removed.append(value) }
    guard entry.tag == Self.place, let start = entry.number, let place = entries(at: start) else {
      return
    }
    removed.append(place.range)
    for entry in place.entries {
      if let value = entry.value, !entry.isWithin { removed.append(value) }
    }
  }

  /// Whether nothing that stays shares bytes with something else; only values may share theirs, as some programs write
  /// them.
  private var isSound: Bool {
    let apart =
      directories.reduce(0) { $0 + $1.count } + Self.count(in: Array(values))
      + Self.count(in: removed)
    return Self.count(in: directories + values + removed) == apart
  }

  /// The number of bytes that are in any of the ranges.
  private static func count(in ranges: [Range<Int>]) -> Int {
    var (count, end) = (0, 0)
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      count += max(0, range.upperBound - max(range.lowerBound, end))
      end = max(end, range.upperBound)
    }
    return count
  }
}
