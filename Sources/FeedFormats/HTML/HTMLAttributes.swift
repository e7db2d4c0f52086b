/// The attributes of one tag of HTML, read as browsers read them (HTML, section 13.2.5.32).
struct HTMLAttributes {
  private struct Attribute {
    let name: Range<Int>
    let value: Range<Int>
  }

  private var all: [Attribute] = []

  /// Reads the attributes that stand in a range of the markup.
  init(in bytes: Span<UInt8>, _ range: Range<Int>) {
    var index = range.lowerBound
    while all.count < FormatLimits.tagAttributes,
      let attribute = Self.next(in: bytes, from: &index, to: range.upperBound)
    {
      all.append(attribute)
    }
  }

  /// The value of the first attribute of that name, its references decoded; nil for none or an
  /// empty one.
  func value(_ name: StaticString, in bytes: Span<UInt8>) -> String? {
    for attribute in all where attribute.name.count == name.utf8CodeUnitCount {
      guard bytes.beginsIgnoringCase(with: name, at: attribute.name.lowerBound) else { continue }
      let value = bytes.extracting(attribute.value)
      let trimmed = value.trimmedRange
      return trimmed.isEmpty ? nil : References.decoded(value.extracting(trimmed))
    }
    return nil
  }

  /// The value of the first of several attributes that is there.
  func first(of names: [StaticString], in bytes: Span<UInt8>) -> String? {
    for name in names {
      if let value = value(name, in: bytes) { return value }
    }
    return nil
  }

  /// Where the `>` stands that ends a tag whose attributes begin at `start`; nil when it is cut off.
  static func end(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while next(in: bytes, from: &index, to: bytes.count) != nil {}
    return index < bytes.count ? index : nil
  }

  /// Reads an attribute; nil at the `>`, where `index` is then, or at the end.
  private static func next(
    in bytes: Span<UInt8>,
    from index: inout Int,
    to end: Int
  ) -> Attribute? {
    while index < end, bytes[index] <= 0x20 || bytes[index] == UInt8(ascii: "/") { index += 1 }
    guard index < end, bytes[index] != UInt8(ascii: ">") else { return nil }
    let start = index
    // An equals sign at the beginning is part of the name.
    index += 1
    while index < end, !endsName(bytes[index]) { index += 1 }
    let name = start..<index
    skipSpace(in: bytes, from: &index, to: end)
    guard index < end, bytes[index] == UInt8(ascii: "=") else {
      return Attribute(name: name, value: index..<index)
    }
    index += 1
    skipSpace(in: bytes, from: &index, to: end)
    guard let value = value(in: bytes, from: &index, to: end) else { return nil }
    return Attribute(name: name, value: value)
  }

  /// The range of a value, quoted or not; nil when it has no end.
  private static func value(
    in bytes: Span<UInt8>,
    from index: inout Int,
    to end: Int
  ) -> Range<Int>? {
    guard index < end else { return nil }
    let quote = bytes[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let start = index + 1
      index = min(bytes.first(quote, from: start) ?? end, end)
      guard index < end else { return nil }
      defer { index += 1 }
      return start..<index
    }
    let start = index
    while index < end, bytes[index] > 0x20, bytes[index] != UInt8(ascii: ">") { index += 1 }
    return start..<index
  }

  private static func skipSpace(in bytes: Span<UInt8>, from index: inout Int, to end: Int) {
    while index < end, bytes[index] <= 0x20 { index += 1 }
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">")
      || byte == UInt8(ascii: "/")
  }
}
