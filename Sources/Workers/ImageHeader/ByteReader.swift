/// Reads numbers and names out of a part of a file; nothing outside the part can be reached.
///
/// Offsets count from the beginning of the file, wherever the part begins, so that what a format
/// says about places holds for the first bytes and the last ones alike. A field of a hostile file
/// may point anywhere: every read answers nil rather than trap.
struct ByteReader {
  let bytes: ArraySlice<UInt8>
  /// Where in the file the part begins.
  let start: Int

  init(_ bytes: ArraySlice<UInt8>, start: Int = 0) {
    self.bytes = bytes
    self.start = start
  }

  /// Where in the file the part ends.
  var end: Int { start + bytes.count }

  func byte(at offset: Int) -> UInt8? {
    guard offset >= start, offset < end else { return nil }
    return bytes[bytes.startIndex + (offset - start)]
  }

  func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
    indices(at: offset, count: count).map { bytes[$0] }
  }

  /// An unsigned number of at most 7 bytes, the most significant first.
  func big(at offset: Int, count: Int) -> Int? {
    guard let places = indices(at: offset, count: count) else { return nil }
    var number = 0
    for place in places { number = number << 8 | Int(bytes[place]) }
    return number
  }

  /// An unsigned number of at most 7 bytes, the least significant first.
  func little(at offset: Int, count: Int) -> Int? {
    guard let places = indices(at: offset, count: count) else { return nil }
    var number = 0
    for place in places.reversed() { number = number << 8 | Int(bytes[place]) }
    return number
  }

  /// Where in the slice so many bytes from an offset on stand; nil when they are not all in the part.
  private func indices(at offset: Int, count: Int) -> Range<Int>? {
    guard offset >= start, offset <= end, count >= 0, count <= end - offset else { return nil }
    let first = bytes.startIndex + (offset - start)
    return first..<first + count
  }

  func has(_ text: StaticString, at offset: Int) -> Bool {
    guard let found = bytes(at: offset, count: text.utf8CodeUnitCount) else { return false }
    return text.withUTF8Buffer { found.elementsEqual($0) }
  }

  func has(_ values: [UInt8], at offset: Int) -> Bool {
    bytes(at: offset, count: values.count)?.elementsEqual(values) ?? false
  }

  /// The first place of a byte, from an offset on.
  func firstOffset(of value: UInt8, from offset: Int) -> Int? {
    guard let rest = indices(at: offset, count: end - offset) else { return nil }
    var place = rest.lowerBound
    while place < rest.upperBound, bytes[place] != value { place += 1 }
    return place < rest.upperBound ? start + (place - bytes.startIndex) : nil
  }

  /// The first place of a sequence of bytes, from an offset on.
  func firstOffset(of values: [UInt8], from offset: Int) -> Int? {
    guard let lead = values.first else { return nil }
    var place = firstOffset(of: lead, from: offset)
    while let current = place {
      if has(values, at: current) { return current }
      place = firstOffset(of: lead, from: current + 1)
    }
    return nil
  }

  /// The last place of a sequence of bytes that lies wholly at or behind an offset.
  func lastOffset(of values: [UInt8], notBefore offset: Int = 0) -> Int? {
    guard let lead = values.first else { return nil }
    var rest = bytes
    while let index = rest.lastIndex(of: lead) {
      let place = start + (index - bytes.startIndex)
      guard place >= offset else { return nil }
      if has(values, at: place) { return place }
      rest = bytes[..<index]
    }
    return nil
  }

  /// The part without the zeros and line ends that some writers pad a file with.
  var withoutPadding: ByteReader {
    let isPadding: (UInt8) -> Bool = { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
    let last = bytes.lastIndex { !isPadding($0) } ?? bytes.startIndex - 1
    return ByteReader(bytes[bytes.startIndex..<last + 1], start: start)
  }
}
