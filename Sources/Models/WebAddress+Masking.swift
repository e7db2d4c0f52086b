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
    var parts = AddressParts(text)
    if let authority = parts.authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
      parts.authority = Self.mask + authority[at...]
    }
    parts.query = parts.query.map(Self.maskingValues)
    parts.fragment = parts.fragment.map(Self.maskingValues)
    return parts.text
  }

  private static func maskingValues(of parameters: String) -> String {
    parameters.split(separator: "&", omittingEmptySubsequences: false)
      .map { maskingValue(of: $0) }
      .joined(separator: "&")
  }

  private static func maskingValue(of parameter: Substring) -> String {
    guard let equals = parameter.firstIndex(of: "="),
      secretNames.contains(Substring(parameter[..<equals].lowercased()))
    else { return String(parameter) }
    return parameter[...equals] + mask
  }
}
