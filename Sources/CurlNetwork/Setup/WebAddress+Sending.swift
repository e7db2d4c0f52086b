import Models

extension WebAddress {
  /// The key for the limits and pauses of a host: its name, and its port unless that is the default.
  ///
  /// So http and https of one name share a key. The same machine asks for a pause, and most servers answer http only
  /// with a redirect to https.
  var hostKey: String {
    let key = hostAndPort.utf8
    for end in [isSecure ? ":443" : ":80", ":"]
    where key.reversed().starts(with: end.utf8.reversed()) {
      return String(Substring(key.dropLast(end.utf8.count)))
    }
    return String(key)
  }

  /// Whether two addresses have the same scheme, host and port (RFC 6454, section 5).
  func isSameOrigin(as other: WebAddress) -> Bool {
    scheme == other.scheme && hostKey == other.hostKey
  }

  /// The host and port as written, in lower case.
  var hostAndPort: String {
    let authority = authorityBytes
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else {
      return Substring(authority).lowercased()
    }
    return Substring(authority[at...].dropFirst()).lowercased()
  }

  /// The user-info as written; nil when the address has no user-info.
  var userInfo: Substring? {
    let authority = authorityBytes
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    guard let at, at > authority.startIndex else { return nil }
    return Substring(authority[..<at])
  }

  /// Whether it is https.
  var isSecure: Bool { scheme == "https" }

  /// The text as a request line can contain it: spaces and bytes beyond ASCII are escaped.
  var asSent: String {
    if text.utf8.allSatisfy({ $0 != 0x20 && $0 < 0x80 }) { return text }
    // The host is not escaped, because libcurl converts it for the name service.
    let end = authorityBytes.endIndex
    return text[..<end] + text.utf8[end...].lazy.map(Self.escaped).joined()
  }

  /// User-info, host and port; extra slashes before them are skipped, as libcurl does.
  ///
  /// Delimiters are compared as bytes, because a combining mark after a delimiter would form another character.
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
