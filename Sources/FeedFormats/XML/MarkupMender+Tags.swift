import Workers

/// What stands in tags: names, attributes, values.
extension MarkupMender {
  /// Takes one byte of a tag; where the next one is.
  mutating func stepInTag(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let byte = bytes[index]
    switch state {
    case .tagName, .endTag: return stepInName(bytes, at: index)
    case .excess: return stepInExcess(bytes, at: index)
    case .attributeName: return stepInAttributeName(bytes, at: index)
    case .afterAttributeName:
      if byte <= 0x20 { return index + 1 }
      return byte == UInt8(ascii: "=") ? expectValue(at: index + 1) : giveValue(bytes, at: index)
    case .beforeValue: return stepBeforeValue(bytes, at: index)
    case .quotedValue(let quote): return stepInValue(bytes, at: index, quote: quote)
    case .unquotedValue: return stepInUnquoted(bytes, at: index)
    default: return stepBetweenAttributes(bytes, at: index)
    }
  }

  // MARK: - Names

  private mutating func stepInName(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let end = Self.endOfName(in: bytes, from: index)
    if end > index {
      elements.append(bytes.extracting(index..<end))
      return replace(end - index, at: index, in: bytes)
    }
    write(bytes, upTo: index)
    if case .endTag = state { endElement() } else { beginElement() }
    return index
  }

  static func endOfName(in bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count, standsInName(bytes[index]) { index += 1 }
    return index
  }

  /// An entry within an entry has only lost the end tag of the first.
  private mutating func beginElement() {
    hasBegun = true
    if elements.isEntry, let place = elements.placeOfCurrent { close(downTo: place) }
    output.append(UInt8(ascii: "<"))
    output += elements.current
    elements.open()
    attributes.removeAll(keepingCapacity: true)
    state = .betweenAttributes
  }

  private mutating func endElement() {
    if let place = elements.placeOfCurrent {
      close(downTo: place + 1)
      writeEnd(of: elements.current[...])
      elements.close(downTo: place)
    } else {
      note(.unmatchedEndTag)
    }
    elements.forgetCurrent()
    state = .leftOut(until: UInt8(ascii: ">"))
  }

  /// Writes the end tags that are missing.
  private mutating func close(downTo depth: Int) {
    guard depth < elements.count else { return }
    note(.missingEndTag)
    for place in (depth..<elements.count).reversed() { writeEnd(of: elements.name(at: place)) }
    elements.close(downTo: depth)
  }

  private mutating func writeEnd(of name: ArraySlice<UInt8>) {
    output += "</".utf8
    output += name
    output.append(UInt8(ascii: ">"))
  }

  // MARK: - Attributes

  private mutating func stepBetweenAttributes(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let byte = bytes[index]
    if byte <= 0x20 { return index + 1 }
    if Self.beginsName(byte) {
      if attributes.count >= FormatLimits.attributes { return leaveOutRest(bytes, at: index) }
      // Values that follow one another without a space are told apart by it.
      let previous = index > copied ? bytes[index - 1] : output.last ?? lastWritten
      state = .attributeName
      attribute.removeAll(keepingCapacity: true)
      bound = TextBound(FormatLimits.attributeName)
      return previous <= 0x20 ? index : insert(" ", at: index, in: bytes)
    }
    return endTag(bytes, at: index)
  }

  /// Ends a tag with so many attributes that no feed means them.
  private mutating func leaveOutRest(_ bytes: Span<UInt8>, at index: Int) -> Int {
    note(.excessiveAttribute)
    state = .excess
    lastOfExcess = 0
    return index
  }

  private mutating func stepInExcess(_ bytes: Span<UInt8>, at index: Int) -> Int {
    guard bytes[index] == UInt8(ascii: ">") else {
      lastOfExcess = bytes[index]
      return replace(1, at: index, in: bytes)
    }
    let isEmpty = lastOfExcess == UInt8(ascii: "/")
    if isEmpty { elements.closeInnermost() }
    resume()
    return (isEmpty ? insert("/", at: index, in: bytes) : index) + 1
  }

  /// Takes what may end a start tag; anything else is left out.
  private mutating func endTag(_ bytes: Span<UInt8>, at index: Int) -> Int {
    switch bytes[index] {
    case UInt8(ascii: ">"):
      state = .text
      return index + 1
    case UInt8(ascii: "/") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: ">"):
      elements.closeInnermost()
      resume()
      return index + 2
    case UInt8(ascii: "<"):
      note(.malformedTag)
      state = .text
      return insert(">", at: index, in: bytes)
    default:
      note(.malformedTag)
      return replace(1, at: index, in: bytes)
    }
  }

  private mutating func stepInAttributeName(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let end = Self.endOfName(in: bytes, from: index)
    let name = bytes.extracting(index..<end)
    let kept = bound.take(name)
    if kept < name.count { note(.excessiveAttribute) }
    for place in 0..<kept { attribute.append(OpenElements.plain(name[place])) }
    let next = replace(end - index, at: index, in: bytes)
    if end < bytes.count {
      writeAttributeName()
      state = .afterAttributeName
    }
    return next
  }

  /// Of two attributes of one name the first counts; the other gets a name that nothing reads.
  private mutating func writeAttributeName() {
    if attributes.contains(attribute) {
      note(.malformedTag)
      repeat { attribute = [UInt8(ascii: "_")] + attribute } while attributes.contains(attribute)
    }
    attributes.append(attribute)
    output += attribute
  }

  private mutating func giveValue(_ bytes: Span<UInt8>, at index: Int) -> Int {
    note(.bareAttribute)
    state = .betweenAttributes
    return insert("=\"\"", at: index, in: bytes)
  }

  private mutating func expectValue(at index: Int) -> Int {
    state = .beforeValue
    valueHasEnd = false
    valueHasBegin = false
    bound = TextBound(FormatLimits.attributeBytes)
    return index
  }

  private mutating func insert(
    _ text: StaticString,
    at index: Int,
    in bytes: Span<UInt8>
  ) -> Int {
    replace(0, at: index, in: bytes, with: text)
  }

  // MARK: - Values

  private mutating func stepBeforeValue(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let byte = bytes[index]
    if byte <= 0x20 { return index + 1 }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      state = .quotedValue(byte)
      return index + 1
    }
    note(.bareAttribute)
    if byte == UInt8(ascii: ">") {
      state = .betweenAttributes
      return insert("\"\"", at: index, in: bytes)
    }
    state = .unquotedValue
    return insert("\"", at: index, in: bytes)
  }

  private mutating func stepInValue(
    _ bytes: Span<UInt8>,
    at index: Int,
    quote: UInt8
  ) -> Int {
    switch bytes[index] {
    case quote:
      state = .betweenAttributes
      return index + 1
    case UInt8(ascii: "&"): return mendReference(in: bytes, at: index)
    case UInt8(ascii: "<"): return takeLessThan(bytes, at: index, quote: quote)
    case UInt8(ascii: ">"): valueHasEnd = valueHasEnd || !valueHasBegin
    default: break
    }
    var end = index + 1
    while end < bytes.count, Self.isPlain(bytes[end], quote: quote) { end += 1 }
    return keep(index..<end, of: bytes)
  }

  private static func isPlain(_ byte: UInt8, quote: UInt8) -> Bool {
    byte != quote && byte != UInt8(ascii: "&") && byte != UInt8(ascii: "<")
      && byte != UInt8(ascii: ">")
  }

  /// Leaves out what a name or value has no room for; where the next byte is.
  private mutating func keep(_ range: Range<Int>, of bytes: Span<UInt8>) -> Int {
    let kept = range.lowerBound + bound.take(bytes.extracting(range))
    guard kept < range.upperBound else { return kept }
    note(.excessiveAttribute)
    return replace(range.upperBound - kept, at: kept, in: bytes)
  }

  /// A tag that begins behind the end of one: the quote that should close the value is missing.
  private mutating func takeLessThan(_ bytes: Span<UInt8>, at index: Int, quote: UInt8) -> Int {
    guard valueHasEnd else {
      valueHasBegin = true
      note(.bareLessThan)
      return replace(1, at: index, in: bytes, with: "&#60;")
    }
    note(.bareAttribute)
    state = .text
    return insert(quote == UInt8(ascii: "'") ? "'>" : "\">", at: index, in: bytes)
  }

  private mutating func stepInUnquoted(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let byte = bytes[index]
    let isLast =
      byte == UInt8(ascii: "/") && index + 1 < bytes.count
      && bytes[index + 1] == UInt8(ascii: ">")
    if byte <= 0x20 || byte == UInt8(ascii: ">") || isLast {
      state = .betweenAttributes
      return insert("\"", at: index, in: bytes)
    }
    switch byte {
    case UInt8(ascii: "&"): return mendReference(in: bytes, at: index)
    case UInt8(ascii: "<"): return replace(1, at: index, in: bytes, with: "&#60;")
    case UInt8(ascii: "\""): return replace(1, at: index, in: bytes, with: "&#34;")
    default: return keep(index..<(index + 1), of: bytes)
    }
  }
}
