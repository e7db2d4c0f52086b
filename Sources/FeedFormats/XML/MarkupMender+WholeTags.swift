/// Tags that are as they should be, which nearly all are: they pass as they are written.
extension MarkupMender {
  /// Opens an element whose name has come whole and needs nothing closed before it.
  ///
  /// - Returns: Where the tag ends, or its name, when something behind that is to be looked at closer; nil
  ///   when it is not such a one.
  mutating func openWhole(_ bytes: Span<UInt8>, at index: Int) -> Int? {
    let end = Self.endOfName(in: bytes, from: index + 1)
    let name = bytes.extracting((index + 1)..<end)
    guard end < bytes.count, elements.canOpen(name) else { return nil }
    hasBegun = true
    elements.open(name)
    if let rest = Self.wholeRest(of: bytes, from: end) {
      if rest.isEmptyElement { elements.closeInnermost() }
      resume()
      return rest.end
    }
    attributes.removeAll(keepingCapacity: true)
    state = .betweenAttributes
    return end
  }

  /// Closes the innermost element, where the end tag is its own and has come whole.
  ///
  /// - Returns: Where the tag ends; nil when it is not such a one.
  mutating func closeWhole(_ bytes: Span<UInt8>, at index: Int) -> Int? {
    let end = Self.endOfName(in: bytes, from: index + 2)
    guard end < bytes.count, bytes[end] == UInt8(ascii: ">"),
      elements.isInnermost(bytes.extracting((index + 2)..<end))
    else { return nil }
    elements.closeInnermost()
    resume()
    return end + 1
  }

  /// Passes over the attributes of a start tag that has come whole.
  ///
  /// - Returns: Where the tag ends; nil when something in it is to be mended, or bounded, or not here yet.
  private static func wholeRest(
    of bytes: Span<UInt8>,
    from start: Int
  ) -> (end: Int, isEmptyElement: Bool)? {
    var index = start
    var names = AttributeNames()
    while index + 1 < bytes.count {
      let (byte, next) = (bytes[index], bytes[index + 1])
      if byte == UInt8(ascii: ">") { return (index + 1, false) }
      if byte == UInt8(ascii: "/"), next == UInt8(ascii: ">") { return (index + 2, true) }
      guard byte <= 0x20 else { return nil }
      index += 1
      guard beginsName(next) else { continue }
      let sign = endOfName(in: bytes, from: index)
      guard names.take(index..<sign, in: bytes),
        let end = endOfWholeValue(in: bytes, from: sign)
      else { return nil }
      index = end
    }
    return nil
  }

  /// Where the value ends whose `=` stands at `sign`, in quotes and with nothing to be mended.
  private static func endOfWholeValue(in bytes: Span<UInt8>, from sign: Int) -> Int? {
    guard sign + 1 < bytes.count, bytes[sign] == UInt8(ascii: "=") else { return nil }
    let quote = bytes[sign + 1]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    let value = sign + 2
    var end = value
    while end < bytes.count, bytes[end] != quote {
      if bytes[end] == UInt8(ascii: "&") || bytes[end] == UInt8(ascii: "<") { return nil }
      end += 1
    }
    return end < bytes.count && end - value <= FormatLimits.attributeBytes ? end + 1 : nil
  }
}

/// The names of the attributes of one tag that stand where they were read.
private struct AttributeNames {
  /// A tag with more attributes is looked at closer.
  private static let most = 8

  private var count = 0
  private var all = InlineArray<8, Range<Int>>(repeating: 0..<0)

  /// Takes the next name; false for one that is to be looked at closer.
  mutating func take(_ name: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    guard count < Self.most, name.count <= FormatLimits.attributeName else { return false }
    for index in name where bytes[index] >= 0x80 { return false }
    for place in 0..<count where isSame(all[place], name, in: bytes) { return false }
    all[count] = name
    count += 1
    return true
  }

  private func isSame(_ one: Range<Int>, _ other: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    for offset in 0..<one.count
    where bytes[one.lowerBound + offset] != bytes[other.lowerBound + offset] {
      return false
    }
    return true
  }
}
