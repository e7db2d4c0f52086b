import Workers

/// Reading of tags, with their attributes and values.
extension MarkupMender {
  /// Reads a start tag; if it is too long, only its beginning.
  mutating func startTag(_ bytes: Span<UInt8>, at start: Int, _ isLast: Bool) -> Int? {
    let limit = min(bytes.count, start + FormatLimits.tag)
    let notedBefore = flaws.count
    let nameEnd = Self.endOfName(in: bytes, from: start + 1)
    switch readAttributes(bytes.extracting(0..<limit), from: min(nameEnd, limit)) {
    case .end(let end, let isEmpty):
      open(bytes.extracting((start + 1)..<nameEnd))
      endOpening(isEmpty: isEmpty)
      return end
    case .excess(let end):
      return leaveOutRest(of: bytes.extracting((start + 1)..<nameEnd), from: end)
    case .cut:
      if limit - start < FormatLimits.tag { return waitForTag(in: bytes, isLast, notedBefore) }
      return leaveOutRest(of: bytes.extracting((start + 1)..<min(nameEnd, limit)), from: limit)
    }
  }

  /// Begins to skip the rest of a tag: its attributes are too many or too long for any feed.
  private mutating func leaveOutRest(of name: Span<UInt8>, from end: Int) -> Int {
    note(.excessiveAttribute)
    open(name)
    state = .excess(0)
    return end
  }

  private mutating func endOpening(isEmpty: Bool) {
    if isEmpty {
      output.append(UInt8(ascii: "/"))
      elements.close(downTo: elements.count - 1)
    }
    output.append(UInt8(ascii: ">"))
    resume()
  }

  /// Waits for the rest of an incomplete tag and forgets its flaws; at the end of the document, drops the tag.
  private mutating func waitForTag(
    in bytes: Span<UInt8>,
    _ isLast: Bool,
    _ notedBefore: Int
  ) -> Int? {
    flaws.removeSubrange(notedBefore...)
    isTagWaiting = !isLast
    if isLast { note(.cutMarkup) }
    return isLast ? bytes.count : nil
  }

  /// Opens an element; an entry inside an entry means that the end tag of the first is missing.
  private mutating func open(_ spelling: Span<UInt8>) {
    hasBegun = true
    if OpenElements.isEntry(spelling), let index = elements.index(of: spelling) {
      endsNoEntries = true
      close(downTo: index)
    }
    elements.open(spelling)
    output.append(UInt8(ascii: "<"))
    OpenElements.write(spelling, limit: OpenElements.longestName, into: &output)
    output += tag
  }

  mutating func stepInExcess(_ bytes: Span<UInt8>, at index: Int, _ last: UInt8) -> Int {
    guard let end = bytes.first(UInt8(ascii: ">"), from: index) else {
      state = .excess(bytes[bytes.count - 1])
      return bytes.count
    }
    endOpening(isEmpty: (end > index ? bytes[end - 1] : last) == UInt8(ascii: "/"))
    return end + 1
  }

  mutating func endTag(_ bytes: Span<UInt8>, at start: Int, _ isLast: Bool) -> Int? {
    let end = Self.endOfName(in: bytes, from: start + 2)
    guard end < bytes.count || end - start >= FormatLimits.tag else {
      return waitForTag(in: bytes, isLast, flaws.count)
    }
    if let index = elements.index(of: bytes.extracting((start + 2)..<end)) {
      close(downTo: index + 1)
      writeEnd(of: elements.name(at: index))
      elements.close(downTo: index)
    } else {
      note(.unmatchedEndTag)
    }
    return leaveOut(until: ">", from: end)
  }

  /// Writes the missing end tags.
  private mutating func close(downTo depth: Int) {
    guard depth < elements.count else { return }
    note(.missingEndTag)
    for index in (depth..<elements.count).reversed() { writeEnd(of: elements.name(at: index)) }
    elements.close(downTo: depth)
  }

  private mutating func writeEnd(of name: ArraySlice<UInt8>) {
    output.append(UInt8(ascii: "<"))
    output.append(UInt8(ascii: "/"))
    output += name
    output.append(UInt8(ascii: ">"))
  }

  // MARK: - Attributes

  /// The end of a start tag.
  enum TagEnd {
    /// The tag ends; the offset is that of the text after it.
    case end(Int, isEmpty: Bool)
    /// The tag has too many attributes; the offset is that of the first excess one.
    case excess(Int)
    /// The bytes end before the tag does.
    case cut
  }

  /// Reads the attributes of a tag into `tag`, without the last one if it is cut.
  mutating func readAttributes(_ bytes: Span<UInt8>, from start: Int) -> TagEnd {
    if !attributes.isEmpty {
      tag.removeAll(keepingCapacity: true)
      attributes.removeAll(keepingCapacity: true)
    }
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case 0...0x20: index += 1
      case UInt8(ascii: ">"): return .end(index + 1, isEmpty: false)
      case UInt8(ascii: "/"):
        guard index + 1 < bytes.count else { return .cut }
        if bytes[index + 1] == UInt8(ascii: ">") { return .end(index + 2, isEmpty: true) }
        fallthrough
      case _ where !Self.beginsName(byte):
        note(.malformedTag)
        if byte == UInt8(ascii: "<") { return .end(index, isEmpty: false) }
        index += 1
      default:
        if attributes.count >= FormatLimits.attributes { return .excess(index) }
        let whole = tag.count
        guard let (end, endsTag) = readAttribute(bytes, from: index) else {
          tag.removeSubrange(whole...)
          return .cut
        }
        if endsTag { return .end(end, isEmpty: false) }
        index = end
      }
    }
    return .cut
  }

  /// Reads an attribute.
  ///
  /// - Returns: The offset of its end, and whether the tag ends there as well; nil when the bytes
  ///   end first.
  private mutating func readAttribute(
    _ bytes: Span<UInt8>,
    from start: Int
  ) -> (end: Int, endsTag: Bool)? {
    let nameEnd = Self.endOfName(in: bytes, from: start)
    writeName(bytes.extracting(start..<nameEnd))
    let sign = bytes.endOfSpace(from: nameEnd)
    guard sign < bytes.count else { return nil }
    guard bytes[sign] == UInt8(ascii: "=") else {
      note(.bareAttribute)
      tag += "=\"\"".utf8
      return (sign, false)
    }
    let value = bytes.endOfSpace(from: sign + 1)
    guard value < bytes.count else { return nil }
    let first = bytes[value]
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      return readQuoted(bytes, from: value + 1, first)
    }
    note(.bareAttribute)
    return readUnquoted(bytes, from: value).map { ($0, false) }
  }

  /// Writes an attribute's name; a repeated name gets a prefix, so that the first attribute counts.
  private mutating func writeName(_ spelling: Span<UInt8>) {
    if spelling.count > FormatLimits.attributeName { note(.excessiveAttribute) }
    tag.append(0x20)
    let start = tag.count
    OpenElements.write(spelling, limit: FormatLimits.attributeName, into: &tag)
    if isRepeated(start) { note(.malformedTag) }
    while isRepeated(start) { tag.insert(UInt8(ascii: "_"), at: start) }
    attributes.append(start..<tag.count)
  }

  private func isRepeated(_ start: Int) -> Bool {
    attributes.contains { $0.count == tag.count - start && tag[$0] == tag[start...] }
  }

  /// Reads a value in quotes.
  private mutating func readQuoted(
    _ bytes: Span<UInt8>,
    from start: Int,
    _ quote: UInt8
  ) -> (end: Int, endsTag: Bool)? {
    tag.append(UInt8(ascii: "="))
    tag.append(quote)
    defer { tag.append(quote) }
    var index = start
    var room = FormatLimits.attributeBytes
    // Whether a `>` occurred without a `<` before it, and whether a `<` occurred.
    var (hasEnd, hasBegin) = (false, false)
    while index < bytes.count {
      switch bytes[index] {
      case quote: return (index + 1, false)
      case UInt8(ascii: "&"): index = takeReference(bytes, at: index)
      case UInt8(ascii: "<") where hasEnd:
        // A new tag begins after the end of a tag: the closing quote of the value is missing.
        note(.bareAttribute)
        return (index, true)
      case UInt8(ascii: "<"):
        hasBegin = true
        note(.bareLessThan)
        tag += "&#60;".utf8
        index += 1
      case let first:
        if first == UInt8(ascii: ">") { hasEnd = hasEnd || !hasBegin }
        let begin = index
        repeat { index += 1 } while index < bytes.count && !Self.isMark(bytes[index], quote)
        keep(begin..<index, of: bytes, &room)
      }
    }
    return nil
  }

  private static func isMark(_ byte: UInt8, _ quote: UInt8) -> Bool {
    byte == quote || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<")
      || byte == UInt8(ascii: ">")
  }

  /// Reads a value without quotes, and returns the offset of its end.
  private mutating func readUnquoted(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    tag += "=\"".utf8
    defer { tag.append(UInt8(ascii: "\"")) }
    var index = start
    var room = FormatLimits.attributeBytes
    while index + 1 < bytes.count {
      switch (bytes[index], bytes[index + 1]) {
      case (0...0x20, _), (UInt8(ascii: ">"), _), (UInt8(ascii: "/"), UInt8(ascii: ">")):
        return index
      case (UInt8(ascii: "&"), _): index = takeReference(bytes, at: index)
      case (UInt8(ascii: "<"), _):
        tag += "&#60;".utf8
        index += 1
      case (UInt8(ascii: "\""), _):
        tag += "&#34;".utf8
        index += 1
      default:
        let begin = index
        repeat { index += 1 } while index < bytes.count && bytes[index] & 0xC0 == 0x80
        keep(begin..<index, of: bytes, &room)
      }
    }
    return index < bytes.count && (bytes[index] <= 0x20 || bytes[index] == UInt8(ascii: ">"))
      ? index : nil
  }

  private mutating func takeReference(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let (end, isSound) = Self.mendReference(in: bytes, at: index, into: &tag)
    if !isSound { note(.bareAmpersand) }
    return end
  }

  /// Writes a part of a value, as far as there is room, and the rest of its last character.
  ///
  /// Half of a character is not UTF-8, and expat would stop there.
  private mutating func keep(_ range: Range<Int>, of bytes: Span<UInt8>, _ room: inout Int) {
    var end = min(range.upperBound, range.lowerBound + room)
    while end < range.upperBound, bytes[end] & 0xC0 == 0x80 { end += 1 }
    room = end < range.upperBound ? 0 : max(0, room - range.count)
    if end < range.upperBound { note(.excessiveAttribute) }
    tag.append(bytes.extracting(range.lowerBound..<end))
  }
}
