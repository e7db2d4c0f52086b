/// The five components of a URI reference (RFC 3986, section 3 and appendix B), as written.
///
/// What parts them are bytes: as characters they would be hidden by a combining mark behind them.
struct AddressParts {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  var fragment: String?

  init(_ text: String) {
    var rest = Substring(text)
    fragment = Self.cutTail(after: "#", from: &rest)
    query = Self.cutTail(after: "?", from: &rest)
    scheme = Self.cutScheme(from: &rest)
    authority = Self.cutAuthority(from: &rest)
    path = String(rest)
  }

  /// The host of the authority: what is left without user-info and port (RFC 3986, section 3.2).
  var host: String? {
    guard let authority else { return nil }
    let afterUser = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
    let hostAndPort =
      afterUser.map { authority[authority.utf8.index(after: $0)...] }
      ?? authority[...]
    if hostAndPort.utf8.first == UInt8(ascii: "[") {
      return hostAndPort.utf8.firstIndex(of: UInt8(ascii: "]")).map { String(hostAndPort[...$0]) }
    }
    let host = hostAndPort.utf8.prefix { $0 != UInt8(ascii: ":") }
    return String(Substring(host))
  }

  /// The components put together again (RFC 3986, section 5.3).
  var text: String {
    var result = ""
    if let scheme { result += scheme + ":" }
    if let authority { result += "//" + authority }
    result += path
    if let query { result += "?" + query }
    if let fragment { result += "#" + fragment }
    return result
  }

  private static func cutTail(after mark: Unicode.Scalar, from rest: inout Substring) -> String? {
    guard let index = rest.utf8.firstIndex(of: UInt8(ascii: mark)) else { return nil }
    defer { rest = rest[..<index] }
    return String(rest[rest.utf8.index(after: index)...])
  }

  /// Whether a reference begins with a scheme: asked of every address there is, so nothing is copied.
  static func hasScheme(_ text: String) -> Bool { schemeEnd(in: Substring(text)) != nil }

  private static func cutScheme(from rest: inout Substring) -> String? {
    guard let end = schemeEnd(in: rest) else { return nil }
    defer { rest = rest[rest.utf8.index(after: end)...] }
    return String(rest[..<end])
  }

  /// Where the colon behind a scheme stands.
  private static func schemeEnd(in text: Substring) -> Substring.Index? {
    let name = text.utf8.prefix { isSchemeByte($0) }
    guard let first = name.first, isLetter(first), name.endIndex < text.endIndex,
      text.utf8[name.endIndex] == UInt8(ascii: ":")
    else { return nil }
    return name.endIndex
  }

  private static func cutAuthority(from rest: inout Substring) -> String? {
    guard rest.utf8.starts(with: "//".utf8) else { return nil }
    let start = rest.utf8.index(rest.startIndex, offsetBy: 2)
    let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    defer { rest = rest[end...] }
    return String(rest[start..<end])
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}
