import Workers

/// Cuts a JSON document into parts small enough for memory: the elements of its arrays, and the
/// members of large objects.
///
/// An array that is the document or a member is cut into its elements. An object that is the
/// document or a member is one part while it is small. A larger object is opened, and its members
/// become parts. The result does not depend on the boundaries of the chunks.
///
/// Documents may follow one another: JSON Lines (https://jsonlines.org), sequences (RFC 7464) and
/// outputs of a program that are joined. Where an entry is damaged, the cutter continues with the
/// next text that begins like it.
struct JSONCutter {
  private enum Expected {
    case value
    case valueOrEnd
    case key
    case keyOrEnd
    case colon
    case commaOrEnd
    case end
  }

  private struct Container {
    let isArray: Bool
    let key: String
  }

  /// Arrays whose elements may be as large as documents: the sequences of a IIIF Presentation 2
  /// manifest, each of which contains all canvases.
  private static let openedArrays: Set<String> = ["sequences"]

  /// The characters that may follow a document: the end of a JSONP call.
  private static let tail: Set<UInt8> = [UInt8(ascii: ")"), UInt8(ascii: ";")]

  private var bytes: [UInt8] = []
  private var index = 0
  private var scan: JSONScan?
  private var stack: [Container] = []
  private var expected = Expected.value
  private var key = ""
  private var isAtEnd = false
  private var isCutOff = false
  /// An object that is a document; it waits until its successor, or the end, has arrived.
  private var document: JSONPiece?
  /// The number of damaged entries after which another text was searched that begins alike.
  private var skips = 0
  /// Whether several objects follow one another, each of which is a document.
  private var isSequence = false
  /// Whether the document is followed by content that does not belong to it.
  private(set) var hasTail = false

  /// Whether the document has been read to its end.
  var isComplete: Bool { expected == .end && !isCutOff }

  mutating func append(_ chunk: ArraySlice<UInt8>) {
    var done = scan?.start ?? index
    // The indent of the next entry stays, with the byte before it (`EntryStart`).
    let least = done - EntryStart.longestIndent - 1
    while done > max(least, 0), EntryStart.isIndent(bytes[done - 1]) { done -= 1 }
    done = max(done - 1, 0)
    if done > 0 {
      bytes.removeSubrange(..<done)
      index -= done
      scan?.shift(by: done)
    }
    bytes += chunk
  }

  /// Marks the end of the bytes.
  ///
  /// A small document that is cut off becomes one part with its complete members. Any other object
  /// is opened, so that its complete members become parts.
  mutating func finish() { isAtEnd = true }

  /// The next part; nil when more bytes are needed.
  ///
  /// - Throws: a `JSONFault` inside `.malformed` when the structure is broken, or `.beyondLimit`.
  mutating func next() throws(FeedError) -> JSONPiece? {
    while true {
      if scan != nil {
        if let piece = try scanned() { return piece }
        if scan != nil { return nil }
      }
      while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
      guard index < bytes.count else { return isAtEnd ? released(before: nil) : nil }
      if document != nil { return released(before: bytes[index]) }
      if let piece = try step(bytes[index]) { return piece }
    }
  }

  /// The object that waits, as the whole document or, if another object follows or was before it, as
  /// one of several.
  private mutating func released(before byte: UInt8?) -> JSONPiece? {
    isSequence = isSequence || byte == UInt8(ascii: "{")
    return document.take().map { isSequence ? $0.inSequence : $0 }
  }

  private mutating func step(_ byte: UInt8) throws(FeedError) -> JSONPiece? {
    switch (expected, byte) {
    case (.end, UInt8(ascii: "{")) where !hasTail, (.end, UInt8(ascii: "[")) where !hasTail:
      expected = .value
    case (.end, _): passTail(byte)
    case (.valueOrEnd, UInt8(ascii: "]")):
      let key = stack.last?.key ?? ""
      defer { closeContainer() }
      return JSONPiece(role: .emptyArray, key: key, depth: stack.count, value: .array([]))
    case (.keyOrEnd, UInt8(ascii: "}")): closeContainer()
    case (.commaOrEnd, UInt8(ascii: "]")), (.commaOrEnd, UInt8(ascii: "}")): closeContainer()
    // A comma too many, at the end of a list or inside it.
    case (.value, UInt8(ascii: "]")) where stack.last?.isArray == true,
      (.key, UInt8(ascii: "}")):
      closeContainer()
    case (.value, UInt8(ascii: ",")) where stack.last?.isArray == true, (.key, UInt8(ascii: ",")),
      (.valueOrEnd, UInt8(ascii: ",")), (.keyOrEnd, UInt8(ascii: ",")):
      index += 1
    case (.value, _), (.valueOrEnd, _): try beginValue(byte)
    case (.key, UInt8(ascii: "\"")), (.keyOrEnd, UInt8(ascii: "\"")):
      scan = JSONScan(from: index)
    case (.colon, UInt8(ascii: ":")):
      index += 1
      expected = .value
    case (.commaOrEnd, UInt8(ascii: ",")):
      index += 1
      expected = stack.last?.isArray == true ? .value : .key
    default: throw .malformed(.unexpectedCharacter)
    }
    return nil
  }

  private mutating func passTail(_ byte: UInt8) {
    if !Self.tail.contains(byte) { hasTail = true }
    index += 1
  }

  private mutating func beginValue(_ byte: UInt8) throws(FeedError) {
    if byte == UInt8(ascii: "["), stack.last?.isArray != true {
      try open(isArray: true)
      index += 1
    } else {
      scan = JSONScan(from: index)
    }
  }

  private mutating func open(isArray: Bool) throws(FeedError) {
    guard stack.count < FormatLimits.depth else {
      throw .beyondLimit(of: "the nesting of objects", limit: FormatLimits.depth)
    }
    stack.append(Container(isArray: isArray, key: key))
    key = ""
    expected = isArray ? .valueOrEnd : .keyOrEnd
  }

  private mutating func closeContainer() {
    index += 1
    stack.removeLast()
    expected = stack.isEmpty ? .end : .commaOrEnd
  }

  /// Continues to scan the current value or key.
  private mutating func scanned() throws(FeedError) -> JSONPiece? {
    guard var scan else { return nil }
    let end = scan.end(in: bytes)
    self.scan = scan
    guard let end else { return try unfinished(scan) }
    if scan.length > limit(of: scan) { return try unfinished(scan) }
    return mustWait(behind: end, of: scan) ? nil : try take(scan.start..<end)
  }

  /// Whether the byte behind a document is still to come, which tells whether another one follows.
  private func mustWait(behind end: Int, of scan: JSONScan) -> Bool {
    stack.isEmpty && !isAtEnd && isOpenable(scan) && bytes.count - end < FormatLimits.block
      && bytes[end...].allSatisfy { $0 <= 0x20 }
  }

  private func isOpenable(_ scan: JSONScan) -> Bool {
    (stack.last?.isArray != true || Self.openedArrays.contains(stack.last?.key ?? ""))
      && bytes[scan.start] == UInt8(ascii: "{")
      && (expected == .value || expected == .valueOrEnd)
  }

  private func limit(of scan: JSONScan) -> Int {
    isOpenable(scan) ? FormatLimits.wholeObjectBytes : FormatLimits.entryBytes
  }

  private mutating func unfinished(_ scan: JSONScan) throws(FeedError) -> JSONPiece? {
    let isTooLong = scan.length > limit(of: scan)
    if isAtEnd || isTooLong && !isOpenable(scan), let next = likeStart(after: scan) {
      return skip(to: next)
    }
    if isAtEnd, !isTooLong, let document = closed(scan) { return document }
    if isOpenable(scan), isTooLong || isAtEnd {
      index = scan.start + 1
      self.scan = nil
      let array = stack.last.flatMap { $0.isArray ? $0.key : nil }
      try open(isArray: false)
      if let array {
        return JSONPiece(role: .opening, key: array, depth: stack.count, value: .null)
      }
    } else if isTooLong {
      throw .beyondLimit(of: "the bytes of one entry", limit: FormatLimits.entryBytes)
    }
    return nil
  }

  /// The part of a cut-off document that has arrived; nil when the document is not a small object.
  private mutating func closed(_ scan: JSONScan) -> JSONPiece? {
    guard stack.isEmpty, isOpenable(scan), let value = JSONParser.value(ofCut: bytes[scan.start...])
    else { return nil }
    isCutOff = true
    self.scan = nil
    index = bytes.count
    let last = piece(value, length: scan.length) ?? document.take()
    return isSequence ? last?.inSequence : last
  }

  private mutating func take(_ range: Range<Int>) throws(FeedError) -> JSONPiece? {
    scan = nil
    index = range.upperBound
    let value: JSONValue?
    do throws(JSONFault) {
      value = try JSONParser.value(of: bytes, in: range)
    } catch {
      value = nil
    }
    if value == nil, expected == .value || expected == .valueOrEnd {
      let scan = JSONScan(from: range.lowerBound)
      if let next = likeStart(after: scan, before: range.upperBound) { return skip(to: next) }
      let next = bytes[range.upperBound...].first { $0 > 0x20 }
      isSequence = isSequence || stack.isEmpty && next == UInt8(ascii: "{")
      if stack.count < FormatLimits.damagedDepth, isOpenable(scan),
        stack.isEmpty ? !isSequence : stack.last?.isArray == false
      {
        // One member is damaged; the others may be whole.
        index = range.lowerBound + 1
        try open(isArray: false)
        return nil
      }
    }
    if expected == .key || expected == .keyOrEnd {
      guard let text = value?.scalar ?? (value == .string("") ? "" : nil) else {
        throw .malformed(.unreadableKey)
      }
      key = text
      expected = .colon
      return nil
    }
    return piece(value, length: range.count)
  }

  /// The offset of the next text that begins like a damaged entry; nil without such a text.
  private mutating func likeStart(after scan: JSONScan, before end: Int? = nil) -> Int? {
    guard skips < FormatLimits.skippedEntries, stack.isEmpty || stack.last?.isArray == true,
      expected == .value || expected == .valueOrEnd, bytes[scan.start] == UInt8(ascii: "{"),
      let mark = EntryStart(at: scan.start, in: bytes)
    else { return nil }
    skips += 1
    return mark.next(
      in: bytes,
      behind: scan.start,
      before: end ?? bytes.count,
      onLine: stack.isEmpty
    )
  }

  /// Leaves out a damaged entry.
  private mutating func skip(to next: Int) -> JSONPiece? {
    scan = nil
    index = next
    expected = .value
    return JSONPiece(role: .element, key: "", depth: stack.count, value: nil)
  }

  /// The part that ends here; nil when it waits, because it may be one of several documents.
  private mutating func piece(_ value: JSONValue?, length: Int) -> JSONPiece? {
    let container = stack.last
    expected = container == nil ? .end : .commaOrEnd
    let role: JSONPiece.Role =
      switch container?.isArray {
      case nil: .whole
      case true?: .element
      case false?: .member
      }
    let key = role == .element ? container?.key ?? "" : self.key
    let piece = JSONPiece(
      role: role,
      key: key,
      depth: stack.count,
      value: value,
      length: length + key.utf8.count
    )
    guard role == .whole, case .object? = value else { return piece }
    document = piece
    return nil
  }
}

/// The brace and the first name with which an entry begins, by which the entry after a damaged one is
/// found.
private struct EntryStart {
  private let text: ArraySlice<UInt8>
  /// The space between the last line break and the brace; nil when something else is there.
  private let indent: ArraySlice<UInt8>?

  /// Takes the brace and the first name; nil without a name.
  init?(at start: Int, in bytes: [UInt8]) {
    let name = bytes[(start + 1)...].firstIndex { $0 > 0x20 }
    guard let name, bytes[name] == UInt8(ascii: "\""),
      let end = bytes[(name + 1)...].prefix(Self.longestName).firstIndex(of: UInt8(ascii: "\""))
    else { return nil }
    text = bytes[start...end]
    indent = Self.indent(of: start, in: bytes)
  }

  private static let longestName = 64

  /// The most bytes of an indent.
  static let longestIndent = 256

  static func isIndent(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func indent(of start: Int, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var first = start
    while first > 0, start - first <= longestIndent, isIndent(bytes[first - 1]) { first -= 1 }
    return first > 0 && bytes[first - 1] != 0x0A ? nil : bytes[first..<start]
  }

  /// The offset of the next text that begins alike: on a line with the same indent, or behind a comma
  /// where the damaged entry has no place for an object.
  func next(in bytes: [UInt8], behind start: Int, before end: Int, onLine: Bool) -> Int? {
    var scan = JSONScan(from: start)
    var index = start + 1
    while index + text.count <= end {
      if bytes[index] == UInt8(ascii: "{"), bytes[index..<(index + text.count)] == text {
        if onLine || indent != nil {
          if Self.indent(of: index, in: bytes) == indent ?? [] { return index }
        } else if bytes[..<index].last(where: { $0 > 0x20 }) == UInt8(ascii: ","),
          !scan.isInList(at: index, in: bytes)
        {
          return index
        }
      }
      index += 1
    }
    return nil
  }
}

/// Finds the end of one value, across any number of chunks, without decoding it.
struct JSONScan {
  /// The offset of the value's first byte.
  private(set) var start: Int
  private var index: Int
  /// The offset after the value's last byte, once it is found.
  private var foundEnd: Int?
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  init(from start: Int) {
    self.start = start
    index = start
  }

  /// The offset after the value's last byte; nil when more bytes are needed.
  mutating func end(in bytes: [UInt8]) -> Int? {
    if let foundEnd { return foundEnd }
    while index < bytes.count {
      if let end = step(over: bytes[index]) {
        foundEnd = end
        return end
      }
      index += 1
    }
    return nil
  }

  /// Whether an offset is in a list inside the value, or in an object there, and not in a string.
  ///
  /// The value does not end before the offset.
  mutating func isInList(at offset: Int, in bytes: [UInt8]) -> Bool {
    while index < offset, step(over: bytes[index]) == nil { index += 1 }
    return !isInString && depth > 1
  }

  /// The offset after the value if it ends with this byte, or before it.
  private mutating func step(over byte: UInt8) -> Int? {
    isInString ? scanString(byte) : scanStructure(byte)
  }

  /// The number of bytes of the value that have been scanned.
  var length: Int { index - start }

  /// Adjusts the offsets after bytes before the value were dropped.
  mutating func shift(by count: Int) {
    start -= count
    index -= count
    foundEnd = foundEnd.map { $0 - count }
  }

  private mutating func scanString(_ byte: UInt8) -> Int? {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      return depth == 0 ? index + 1 : nil
    }
    return nil
  }

  private mutating func scanStructure(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "\""):
      if depth == 0, index > start { return index }
      isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if depth == 0 { return index }
      depth -= 1
      if depth == 0 { return index + 1 }
    case UInt8(ascii: ","), 0...0x20:
      if depth == 0 { return index }
    default: break
    }
    return nil
  }
}
