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

  /// Passes over the text once, from one component to the next.
  init(_ bytes: Span<UInt8>) {
    let colon = Self.schemeEnd(in: bytes, before: bytes.count)
    var place = colon.map { $0 + 1 } ?? 0
    scheme = colon.map { 0..<$0 }
    authority = Self.authority(in: bytes, from: place)
    place = authority?.upperBound ?? place
    path = place..<Self.end(in: bytes, from: place) { $0 == Self.mark || $0 == Self.hash }
    place = path.upperBound
    query =
      Self.begins(bytes, at: place, with: Self.mark)
      ? place + 1..<Self.end(in: bytes, from: place + 1) { $0 == Self.hash } : nil
    place = query?.upperBound ?? place
    fragment = place < bytes.count ? place + 1..<bytes.count : nil
  }

  /// What stands behind two slashes, up to where a path, a query or a fragment begins.
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

  private static func begins(_ bytes: Span<UInt8>, at place: Int, with byte: UInt8) -> Bool {
    place < bytes.count && bytes[place] == byte
  }

  private static let slash = UInt8(ascii: "/")
  private static let mark = UInt8(ascii: "?")
  private static let hash = UInt8(ascii: "#")

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
      let end = first.withUnsafeBufferPointer { room.update(fromContentsOf: $0) }
      return second.withUnsafeBufferPointer { room[end...].update(fromContentsOf: $0) }
    }
  }
}
