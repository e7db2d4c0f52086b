extension WebAddress {
  /// The key for the limits and pauses of a host: its name, and its port unless that is the default.
  ///
  /// So http and https of one name share a key. The same machine asks for a pause, and most servers answer http only
  /// with a redirect to https.
  package var hostKey: String {
    let key = hostAndPort.utf8
    for end in [isSecure ? ":443" : ":80", ":"]
    where key.reversed().starts(with: end.utf8.reversed()) {
      return String(Substring(key.dropLast(end.utf8.count)))
    }
    return String(key)
  }

  /// The host and port as written, in lower case.
  package var hostAndPort: String {
    let authority = authorityBytes
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else {
      return Substring(authority).lowercased()
    }
    return Substring(authority[at...].dropFirst()).lowercased()
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
