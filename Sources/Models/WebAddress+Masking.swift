extension WebAddress {
  /// What stands in the place of a secret.
  private static let mask = "***"

  /// Names of parameters, in queries and fragments, whose values are secrets, in lower case.
  private static let secretNames: Set<Substring> = [
    "access_token", "api_key", "api-key", "apikey", "app_key", "appid", "auth", "auth_token",
    "client_secret", "credential", "key", "password", "passwd", "pwd", "secret", "sig", "signature",
    "token", "x-amz-credential", "x-amz-security-token", "x-amz-signature",
  ]

  /// The address as it may be printed: user-info and the values of secret parameters masked.
  package var masked: String {
    guard hasRoomForSecrets else { return text }
    var parts = AddressParts(unsplitText)
    if let authority = parts.authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
      parts.authority = Self.mask + authority[at...]
    }
    parts.query = parts.query.map(Self.maskingValues)
    parts.fragment = parts.fragment.map(Self.maskingValues)
    return parts.text
  }

  /// Whether there may be user-info, a query or a fragment: nowhere else can a secret be.
  private var hasRoomForSecrets: Bool {
    let bytes = text.utf8Span.span
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "@"), UInt8(ascii: "?"), UInt8(ascii: "#"): return true
      default: break
      }
    }
    return false
  }

  /// The address with user-info that a `/`, `?` or `#` in a password has split masked as a whole.
  ///
  /// A port has digits only, so that `user:pa` before such a character is none, and what comes up to
  /// the next `@` is still the password.
  private var unsplitText: String {
    let parts = AddressParts(text)
    guard let authority = parts.authority, !authority.utf8.contains(UInt8(ascii: "@")),
      let scheme = parts.scheme, authority.utf8.first != UInt8(ascii: "["),
      let colon = authority.utf8.firstIndex(of: UInt8(ascii: ":")),
      authority[colon...].utf8.dropFirst().contains(where: { $0 < 0x30 || $0 > 0x39 }),
      let at = text.utf8.lastIndex(of: UInt8(ascii: "@"))
    else { return text }
    return "\(scheme)://\(Self.mask)\(text[at...])"
  }

  private static func maskingValues(of parameters: String) -> String {
    parameters.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      .map { maskingValue(of: Substring($0)) }
      .joined(separator: "&")
  }

  private static func maskingValue(of parameter: Substring) -> String {
    guard let equals = parameter.utf8.firstIndex(of: UInt8(ascii: "=")),
      secretNames.contains(Substring(parameter[..<equals].lowercased()))
    else { return String(parameter) }
    return parameter[..<equals] + "=" + mask
  }
}
