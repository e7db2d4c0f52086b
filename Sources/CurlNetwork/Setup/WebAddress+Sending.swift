import Models

extension WebAddress {
  /// The key for the limits and pauses of a host: its name, and its port unless it is the default.
  ///
  /// So http and https of one name are the same host. It is the same machine that asks for a pause, and
  /// most servers answer http only with a redirect to https.
  var hostKey: String {
    let bytes = text.utf8Span.span
    var range = Self.hostAndPort(in: bytes)
    let ownPort: StaticString = isSecure ? ":443" : ":80"
    if Self.ends(bytes.extracting(range), with: ownPort) {
      range = range.dropLast(ownPort.utf8CodeUnitCount)
    }
    if Self.ends(bytes.extracting(range), with: ":") { range = range.dropLast() }
    return Self.lowercased(bytes.extracting(range))
  }

  /// The user-info, as written; nil when there is none.
  ///
  /// The delimiters are bytes, because a combining mark after one would make another character.
  var userInfo: Substring? {
    let slash = UInt8(ascii: "/")
    let ends = [slash, UInt8(ascii: "?"), UInt8(ascii: "#")]
    let authority = text.utf8.drop { $0 != slash }.drop { $0 == slash }
      .prefix { !ends.contains($0) }
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    guard let at, at > authority.startIndex else { return nil }
    return Substring(authority[..<at])
  }
}

extension WebAddress {
  /// Whether it begins with `file:`.
  var isOnDisk: Bool { begins(with: "file:") }

  /// Whether it begins with `https:`.
  var isSecure: Bool { begins(with: "https:") }

  /// Host and port as written, in lower case.
  var hostAndPort: String {
    let bytes = text.utf8Span.span
    return Self.lowercased(bytes.extracting(Self.hostAndPort(in: bytes)))
  }

  /// The range of host and port.
  static func hostAndPort(in bytes: Span<UInt8>) -> Range<Int> {
    var start = 0
    while start < bytes.count, bytes[start] != Self.slash { start += 1 }
    while start < bytes.count, bytes[start] == Self.slash { start += 1 }
    var end = start
    while end < bytes.count, !Self.endsAuthority(bytes[end]) {
      end += 1
      if bytes[end - 1] == UInt8(ascii: "@") { start = end }
    }
    return start..<end
  }

  /// The text in lower case; most hosts are in lower case already.
  static func lowercased(_ bytes: Span<UInt8>) -> String {
    let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    for index in bytes.indices where (0x41...0x5A).contains(bytes[index]) || bytes[index] >= 0x80 {
      return text.lowercased()
    }
    return text
  }

  /// Whether the bytes end with a text.
  static func ends(_ bytes: Span<UInt8>, with end: StaticString) -> Bool {
    let start = bytes.count - end.utf8CodeUnitCount
    guard start >= 0 else { return false }
    for index in start..<bytes.count where bytes[index] != end.utf8Start[index - start] {
      return false
    }
    return true
  }

  /// The text with spaces and bytes beyond ASCII escaped, which a request line cannot contain.
  var asSent: String {
    if canBeSent { return text }
    let afterScheme = text.utf8.drop { $0 != Self.slash }.drop { $0 == Self.slash }
    let end = afterScheme.firstIndex(where: Self.endsAuthority) ?? text.utf8.endIndex
    // The host stays as it is, because libcurl converts it for the name service.
    return text[..<end] + text.utf8[end...].lazy.map(Self.escaped).joined()
  }

  private var canBeSent: Bool {
    let bytes = text.utf8Span.span
    for index in bytes.indices where bytes[index] == 0x20 || bytes[index] >= 0x80 { return false }
    return true
  }

  private static let slash = UInt8(ascii: "/")

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == slash || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  private static func escaped(_ byte: UInt8) -> String {
    if byte != 0x20, byte < 0x80 { return String(Unicode.Scalar(byte)) }
    let digits = String(byte, radix: 16, uppercase: true)
    return "%" + digits
  }

  /// Compares without regard to case; the prefix is in lower case.
  private func begins(with prefix: StaticString) -> Bool {
    let count = prefix.utf8CodeUnitCount
    let name = UnsafeBufferPointer(start: prefix.utf8Start, count: count)
    let letters = text.utf8.prefix(count).lazy.map { (byte: UInt8) in
      (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
    return letters.elementsEqual(name)
  }
}
