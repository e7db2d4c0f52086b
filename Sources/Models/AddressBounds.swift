/// Where the components of a URI reference stand in its text (RFC 3986, section 3 and appendix B), as
/// places of bytes.
///
/// Every address of a document is looked at several times; places cost no memory, texts of the
/// components would. What parts them are bytes: as characters they would be hidden by a combining mark
/// behind them.
struct AddressBounds {
  let scheme: Range<Int>?
  let authority: Range<Int>?
  let path: Range<Int>
  let query: Range<Int>?
  let fragment: Range<Int>?

  init(_ text: String) { self.init(text.utf8Span.span) }

  init(_ bytes: Span<UInt8>) {
    let hash = bytes.first(UInt8(ascii: "#"), in: 0..<bytes.count)
    let beforeFragment = hash ?? bytes.count
    let mark = bytes.first(UInt8(ascii: "?"), in: 0..<beforeFragment)
    let end = mark ?? beforeFragment
    let colon = Self.schemeEnd(in: bytes, before: end)
    var start = colon.map { $0 + 1 } ?? 0
    var authority: Range<Int>?
    if end - start >= 2, Self.isSlash(bytes[start]), Self.isSlash(bytes[start + 1]) {
      let host = start + 2
      start = bytes.first(UInt8(ascii: "/"), in: host..<end) ?? end
      authority = host..<start
    }
    fragment = hash.map { $0 + 1..<bytes.count }
    query = mark.map { $0 + 1..<beforeFragment }
    scheme = colon.map { 0..<$0 }
    self.authority = authority
    path = start..<end
  }

  /// The host of the authority: what is left without user-info and port (RFC 3986, section 3.2).
  func host(in bytes: Span<UInt8>) -> Range<Int>? {
    guard let authority else { return nil }
    let start = bytes.last(UInt8(ascii: "@"), in: authority).map { $0 + 1 } ?? authority.lowerBound
    let rest = start..<authority.upperBound
    if !rest.isEmpty, bytes[start] == UInt8(ascii: "[") {
      return bytes.first(UInt8(ascii: "]"), in: rest).map { start..<$0 + 1 }
    }
    return start..<(bytes.first(UInt8(ascii: ":"), in: rest) ?? rest.upperBound)
  }

  /// Where the colon behind a scheme stands; nil where there is no scheme.
  static func schemeEnd(in bytes: Span<UInt8>, before end: Int) -> Int? {
    guard end > 0, isLetter(bytes[0]) else { return nil }
    var index = 1
    while index < end, isSchemeByte(bytes[index]) { index += 1 }
    return index < end && bytes[index] == UInt8(ascii: ":") ? index : nil
  }

  private static func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}

extension Span<UInt8> {
  /// The place of the first `byte` in a range; nil when there is none.
  func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index < range.upperBound {
      if self[index] == byte { return index }
      index += 1
    }
    return nil
  }

  /// The place of the last `byte` in a range; nil when there is none.
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
  /// The text of some of its bytes.
  subscript(bytes range: Range<Int>) -> Substring {
    let start = utf8.index(startIndex, offsetBy: range.lowerBound)
    return self[start..<utf8.index(start, offsetBy: range.count)]
  }

  /// The bytes of two texts, one behind the other: feeds have as many addresses to join as pictures.
  init(joining first: Span<UInt8>, _ second: Span<UInt8>) {
    self.init(unsafeUninitializedCapacity: first.count + second.count) { room in
      for index in first.indices { room[index] = first[index] }
      for index in second.indices { room[first.count + index] = second[index] }
      return first.count + second.count
    }
  }
}
