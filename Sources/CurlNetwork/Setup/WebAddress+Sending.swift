import Models

extension WebAddress {
  /// Whether two addresses have the same scheme, host and port (RFC 6454, section 5).
  func isSameOrigin(as other: WebAddress) -> Bool {
    scheme == other.scheme && hostKey == other.hostKey
  }

  /// The user-info as written; nil when the address has no user-info.
  var userInfo: Substring? {
    let authority = authorityBytes
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    guard let at, at > authority.startIndex else { return nil }
    return Substring(authority[..<at])
  }

  /// The text as a request line can contain it: spaces and bytes beyond ASCII are escaped.
  var asSent: String {
    if text.utf8.allSatisfy({ $0 != 0x20 && $0 < 0x80 }) { return text }
    // The host is not escaped, because libcurl converts it for the name service.
    let end = authorityBytes.endIndex
    return text[..<end] + text.utf8[end...].lazy.map(Self.escaped).joined()
  }

  private static func escaped(_ byte: UInt8) -> String {
    if byte != 0x20, byte < 0x80 { return String(Unicode.Scalar(byte)) }
    return "%" + String(byte, radix: 16, uppercase: true)
  }
}
