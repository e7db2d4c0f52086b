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
      state = .text
      return rest.end
    }
    attributes = 0
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
    var attributes = 0
    while index + 1 < bytes.count {
      let (byte, next) = (bytes[index], bytes[index + 1])
      if byte == UInt8(ascii: ">") { return (index + 1, false) }
      if byte == UInt8(ascii: "/"), next == UInt8(ascii: ">") { return (index + 2, true) }
      guard byte <= 0x20 else { return nil }
      index += 1
      guard beginsName(next) else { continue }
      attributes += 1
      guard attributes <= FormatLimits.attributes,
        let end = endOfWholeAttribute(in: bytes, from: index)
      else { return nil }
      index = end
    }
    return nil
  }

  /// Where an attribute ends whose value stands in quotes, and needs nothing mended.
  private static func endOfWholeAttribute(in bytes: Span<UInt8>, from start: Int) -> Int? {
    let sign = endOfName(in: bytes, from: start)
    guard sign + 1 < bytes.count, bytes[sign] == UInt8(ascii: "="),
      sign - start <= FormatLimits.attributeName
    else { return nil }
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
