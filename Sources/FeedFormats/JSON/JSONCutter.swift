import Workers

/// Cuts a JSON document into parts small enough for memory: the elements of its arrays, and the
/// members of large objects.
///
/// An array that is the document or a member is cut into its elements. An object that is the
/// document or a member is one part while it is small. A larger object is opened, and its members
/// become parts. The result does not depend on the boundaries of the chunks.
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
  /// Whether the document is followed by content that does not belong to it.
  private(set) var hasTail = false

  /// Whether the document has been read to its end.
  var isComplete: Bool { expected == .end && !isCutOff }

  mutating func append(_ chunk: ArraySlice<UInt8>) {
    let done = scan?.start ?? index
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
      guard index < bytes.count else { return nil }
      if let piece = try step(bytes[index]) { return piece }
    }
  }

  private mutating func step(_ byte: UInt8) throws(FeedError) -> JSONPiece? {
    switch (expected, byte) {
    case (.end, _): passTail(byte)
    case (.valueOrEnd, UInt8(ascii: "]")):
      let key = stack.last?.key ?? ""
      defer { closeContainer() }
      return JSONPiece(role: .emptyArray, key: key, depth: stack.count, value: .array([]))
    case (.keyOrEnd, UInt8(ascii: "}")): closeContainer()
    case (.commaOrEnd, UInt8(ascii: "]")), (.commaOrEnd, UInt8(ascii: "}")): closeContainer()
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
    return try take(scan.start..<end)
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
    return piece(value, length: scan.length)
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

  private mutating func piece(_ value: JSONValue?, length: Int) -> JSONPiece {
    let container = stack.last
    expected = container == nil ? .end : .commaOrEnd
    let role: JSONPiece.Role =
      switch container?.isArray {
      case nil: .whole
      case true?: .element
      case false?: .member
      }
    let key = role == .element ? container?.key ?? "" : self.key
    return JSONPiece(
      role: role,
      key: key,
      depth: stack.count,
      value: value,
      length: length + key.utf8.count
    )
  }
}

/// Finds the end of one value, across any number of chunks, without decoding it.
struct JSONScan {
  /// The offset of the value's first byte.
  private(set) var start: Int
  private var index: Int
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  init(from start: Int) {
    self.start = start
    index = start
  }

  /// The offset after the value's last byte; nil when more bytes are needed.
  mutating func end(in bytes: [UInt8]) -> Int? {
    while index < bytes.count {
      let byte = bytes[index]
      if isInString {
        if let end = scanString(byte) { return end }
      } else if let end = scanStructure(byte) {
        return end
      }
      index += 1
    }
    return nil
  }

  /// The number of bytes of the value that have been scanned.
  var length: Int { index - start }

  /// Adjusts the offsets after bytes before the value were dropped.
  mutating func shift(by count: Int) {
    start -= count
    index -= count
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
