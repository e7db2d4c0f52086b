/// Reads numbers and names from a part of a file, and nothing outside that part.
///
/// Offsets count from the beginning of the file, even when the part begins later. So the offsets of
/// a format's specification work for the first bytes and for the last bytes. A field of a hostile
/// file may point anywhere: a read outside the part returns nil and never traps.
struct ByteReader {
  let bytes: ArraySlice<UInt8>
  /// The offset in the file at which the part begins.
  let start: Int

  init(_ bytes: ArraySlice<UInt8>, start: Int = 0) {
    self.bytes = bytes
    self.start = start
  }

  /// The offset in the file after the part's last byte.
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
    guard let indices = indices(at: offset, count: count) else { return nil }
    var number = 0
    for index in indices { number = number << 8 | Int(bytes[index]) }
    return number
  }

  /// An unsigned number of at most 7 bytes, the least significant first.
  func little(at offset: Int, count: Int) -> Int? {
    guard let indices = indices(at: offset, count: count) else { return nil }
    var number = 0
    for index in indices.reversed() { number = number << 8 | Int(bytes[index]) }
    return number
  }

  /// The indices of `count` bytes from an offset; nil when the part does not hold all of them.
  private func indices(at offset: Int, count: Int) -> Range<Int>? {
    guard offset >= start, offset <= end, count >= 0, count <= end - offset else { return nil }
    let first = bytes.startIndex + (offset - start)
    return first..<first + count
  }

  /// The four characters of a type or a brand.
  func name(at offset: Int) -> String? {
    bytes(at: offset, count: 4).map { String(decoding: $0, as: UTF8.self) }
  }

  func has(_ text: StaticString, at offset: Int) -> Bool {
    guard let found = bytes(at: offset, count: text.utf8CodeUnitCount) else { return false }
    return text.withUTF8Buffer { found.elementsEqual($0) }
  }

  func has(_ values: [UInt8], at offset: Int) -> Bool {
    bytes(at: offset, count: values.count)?.elementsEqual(values) ?? false
  }

  /// The offset of the first byte with a value, at or after an offset.
  func firstOffset(of value: UInt8, from offset: Int) -> Int? {
    guard let rest = indices(at: offset, count: end - offset) else { return nil }
    var index = rest.lowerBound
    while index < rest.upperBound, bytes[index] != value { index += 1 }
    return index < rest.upperBound ? start + (index - bytes.startIndex) : nil
  }

  /// The offset of the first occurrence of a sequence of bytes, at or after an offset.
  func firstOffset(of values: [UInt8], from offset: Int) -> Int? {
    guard let lead = values.first else { return nil }
    var candidate = firstOffset(of: lead, from: offset)
    while let current = candidate {
      if has(values, at: current) { return current }
      candidate = firstOffset(of: lead, from: current + 1)
    }
    return nil
  }

  /// The offset of the last occurrence of a sequence of bytes, at or after an offset.
  func lastOffset(of values: [UInt8], notBefore offset: Int = 0) -> Int? {
    guard let lead = values.first else { return nil }
    var rest = bytes
    while let index = rest.lastIndex(of: lead) {
      let candidate = start + (index - bytes.startIndex)
      guard candidate >= offset else { return nil }
      if has(values, at: candidate) { return candidate }
      rest = bytes[..<index]
    }
    return nil
  }

  /// The part without trailing zeros and line ends, which some writers add as padding.
  var withoutPadding: ByteReader {
    let isPadding: (UInt8) -> Bool = { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
    let last = bytes.lastIndex { !isPadding($0) } ?? bytes.startIndex - 1
    return ByteReader(bytes[bytes.startIndex..<last + 1], start: start)
  }
}
