/// The ranges of a URI reference's components, in bytes (RFC 3986, section 3 and appendix B).
///
/// A sync parses each address several times. Ranges need no memory, unlike texts of the components. The delimiters are
/// compared as bytes, because a combining mark after a delimiter forms another character with it.
struct AddressBounds {
  let scheme: Range<Int>?
  let authority: Range<Int>?
  let path: Range<Int>
  let query: Range<Int>?
  let fragment: Range<Int>?

  init(_ text: String) { self.init(text.utf8Span.span) }

  /// Finds the components in one pass.
  init(_ bytes: Span<UInt8>) {
    let colon = Self.schemeEnd(in: bytes, before: bytes.count)
    var offset = colon.map { $0 + 1 } ?? 0
    scheme = colon.map { 0..<$0 }
    authority = Self.authority(in: bytes, from: offset)
    offset = authority?.upperBound ?? offset
    path = offset..<Self.end(in: bytes, from: offset) { $0 == Self.mark || $0 == Self.hash }
    offset = path.upperBound
    query =
      Self.begins(bytes, at: offset, with: Self.mark)
      ? offset + 1..<Self.end(in: bytes, from: offset + 1) { $0 == Self.hash } : nil
    offset = query?.upperBound ?? offset
    fragment = offset < bytes.count ? offset + 1..<bytes.count : nil
  }

  /// The authority: it begins after two slashes and ends before a path, a query or a fragment.
  private static func authority(in bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
    guard begins(bytes, at: start, with: slash), begins(bytes, at: start + 1, with: slash) else {
      return nil
    }
    let host = start + 2
    return host..<end(in: bytes, from: host) { $0 == slash || $0 == mark || $0 == hash }
  }

  private static func end(
    in bytes: Span<UInt8>,
    from start: Int,
    _ ends: (UInt8) -> Bool
  ) -> Int {
    var index = start
    while index < bytes.count, !ends(bytes[index]) { index += 1 }
    return index
  }

  private static func begins(_ bytes: Span<UInt8>, at offset: Int, with byte: UInt8) -> Bool {
    offset < bytes.count && bytes[offset] == byte
  }

  private static let slash = UInt8(ascii: "/")
  private static let mark = UInt8(ascii: "?")
  private static let hash = UInt8(ascii: "#")

  /// The host: the authority without user-info and port (RFC 3986, section 3.2).
  func host(in bytes: Span<UInt8>) -> Range<Int>? {
    guard let authority else { return nil }
    let start = bytes.last(UInt8(ascii: "@"), in: authority).map { $0 + 1 } ?? authority.lowerBound
    let rest = start..<authority.upperBound
    if !rest.isEmpty, bytes[start] == UInt8(ascii: "[") {
      return bytes.first(UInt8(ascii: "]"), in: rest).map { start..<$0 + 1 }
    }
    return start..<(bytes.first(UInt8(ascii: ":"), in: rest) ?? rest.upperBound)
  }

  /// The offset of the colon after the scheme; nil when there is no scheme (RFC 3986, section 3.1).
  static func schemeEnd(in bytes: Span<UInt8>, before end: Int) -> Int? {
    guard end > 0, isLetter(bytes[0]) else { return nil }
    var index = 1
    while index < end, isSchemeByte(bytes[index]) { index += 1 }
    return index < end && bytes[index] == UInt8(ascii: ":") ? index : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}

extension Span<UInt8> {
  /// The offset of the first occurrence of a byte in a range; nil if it is missing.
  func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index < range.upperBound {
      if self[index] == byte { return index }
      index += 1
    }
    return nil
  }

  /// The offset of the last occurrence of a byte in a range; nil if it is missing.
  func last(_ byte: UInt8, in range: Range<Int>) -> Int? {
    var index = range.upperBound
    while index > range.lowerBound {
      index -= 1
      if self[index] == byte { return index }
    }
    return nil
  }
}

extension String {
  /// The text of a range of bytes.
  subscript(bytes range: Range<Int>) -> Substring {
    let start = utf8.index(startIndex, offsetBy: range.lowerBound)
    return self[start..<utf8.index(start, offsetBy: range.count)]
  }

  /// Concatenates the bytes of two texts without an intermediate copy.
  ///
  /// A feed may contain as many addresses to resolve as pictures.
  init(joining first: Span<UInt8>, _ second: Span<UInt8>) {
    self.init(unsafeUninitializedCapacity: first.count + second.count) { room in
      let end = first.withUnsafeBufferPointer { room.update(fromContentsOf: $0) }
      return second.withUnsafeBufferPointer { room[end...].update(fromContentsOf: $0) }
    }
  }
}

/// The five components of a URI reference as written, for changing some of them.
///
/// See RFC 3986, section 3 and appendix B.
struct AddressParts {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  var fragment: String?

  init(_ text: String) {
    let bounds = AddressBounds(text)
    scheme = bounds.scheme.map { String(text[bytes: $0]) }
    authority = bounds.authority.map { String(text[bytes: $0]) }
    path = String(text[bytes: bounds.path])
    query = bounds.query.map { String(text[bytes: $0]) }
    fragment = bounds.fragment.map { String(text[bytes: $0]) }
  }

  /// The reference recomposed from its components (RFC 3986, section 5.3).
  var text: String {
    var result = ""
    if let scheme { result += scheme + ":" }
    if let authority { result += "//" + authority }
    result += path
    if let query { result += "?" + query }
    if let fragment { result += "#" + fragment }
    return result
  }
}
