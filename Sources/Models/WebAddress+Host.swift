extension WebAddress {
  /// The key for the limits and pauses of a host: its name, and its port unless that is the default.
  ///
  /// So http and https of one name share a key. The same machine asks for a pause, and most servers answer http only
  /// with a redirect to https.
  package var hostKey: String {
    let key = hostAndPort
    guard key.utf8.contains(UInt8(ascii: ":")) else { return key }
    for end in [isSecure ? ":443" : ":80", ":"]
    where key.utf8.suffix(end.utf8.count).elementsEqual(end.utf8) {
      return String(Substring(key.utf8.dropLast(end.utf8.count)))
    }
    return key
  }

  /// The host and port as written, in lower case.
  package var hostAndPort: String {
    let authority = authorityBytes
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else {
      return Substring(authority).lowercased()
    }
    return Substring(authority[at...].dropFirst()).lowercased()
  }

  /// The address with spaces and characters beyond ASCII behind its host percent-encoded, as requests have them
  /// (RFC 3987, section 3.1).
  package var escaped: WebAddress {
    if text.utf8.allSatisfy({ $0 != 0x20 && $0 < 0x80 }) { return self }
    let end = authorityBytes.endIndex
    return WebAddress(text[..<end] + PercentEncoding.escapeForeign(text[end...])) ?? self
  }

  /// The web address of a `feed:` address, which sites and readers have for "subscribe"; nil for other addresses.
  ///
  /// `feed://example.org/a` means `http://example.org/a`, and `feed:https://example.org/a` the address in it.
  package var subscribed: WebAddress? {
    guard ["feed", "itpc", "pcast"].contains(scheme),
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let rest = String(text[colon...].utf8.dropFirst()) ?? ""
    let isNested = WebAddress(rest).map { $0.isWeb } ?? false
    let address = WebAddress(
      isNested ? rest : rest.hasPrefix("//") ? "http:" + rest : "http://" + rest
    )
    return address.flatMap { $0.isWeb ? $0 : nil }
  }

  /// Whether it is https.
  package var isSecure: Bool { scheme == "https" }

  /// User-info, host and port; extra slashes before them are skipped, as libcurl does.
  ///
  /// Delimiters are compared as bytes, because a combining mark after a delimiter would form another character.
  package var authorityBytes: Substring.UTF8View {
    let (slash, mark, hash) = (UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"))
    return text.utf8.drop { $0 != slash }.drop { $0 == slash }
      .prefix { $0 != slash && $0 != mark && $0 != hash }
  }
}
