import Models

extension WebAddress {
  /// The key for the limits and pauses of a host: its name, and its port unless it is the default.
  ///
  /// So http and https of one name are the same host. It is the same machine that asks for a pause, and
  /// most servers answer http only with a redirect to https.
  var hostKey: String {
    let key = hostAndPort.utf8
    for end in [isSecure ? ":443" : ":80", ":"]
    where key.reversed().starts(with: end.utf8.reversed()) {
      return String(Substring(key.dropLast(end.utf8.count)))
    }
    return String(key)
  }

  /// Whether two addresses have scheme, host and port in common (RFC 6454, section 5).
  func isSameOrigin(as other: WebAddress) -> Bool {
    scheme == other.scheme && hostKey == other.hostKey
  }

  /// Host and port as written, in lower case.
  var hostAndPort: String {
    let authority = authorityBytes
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else {
      return Substring(authority).lowercased()
    }
    return Substring(authority[at...].dropFirst()).lowercased()
  }

  /// The user-info, as written; nil if it is missing.
  var userInfo: Substring? {
    let authority = authorityBytes
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    guard let at, at > authority.startIndex else { return nil }
    return Substring(authority[..<at])
  }

  /// Whether it is https.
  var isSecure: Bool { scheme == "https" }

  /// The text with spaces and bytes beyond ASCII escaped, which a request line cannot contain.
  var asSent: String {
    if text.utf8.allSatisfy({ $0 != 0x20 && $0 < 0x80 }) { return text }
    // The host stays as it is, because libcurl converts it for the name service.
    let end = authorityBytes.endIndex
    return text[..<end] + text.utf8[end...].lazy.map(Self.escaped).joined()
  }

  /// User-info, host and port; libcurl skips further slashes before them.
  ///
  /// The delimiters are bytes, because a combining mark after one would make another character.
  private var authorityBytes: Substring.UTF8View {
    let (slash, mark, hash) = (UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"))
    return text.utf8.drop { $0 != slash }.drop { $0 == slash }
      .prefix { $0 != slash && $0 != mark && $0 != hash }
  }

  private static func escaped(_ byte: UInt8) -> String {
    if byte != 0x20, byte < 0x80 { return String(Unicode.Scalar(byte)) }
    return "%" + String(byte, radix: 16, uppercase: true)
  }
}
