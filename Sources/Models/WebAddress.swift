/// An absolute URI, kept exactly as the feed or the user wrote it.
///
/// It is split into components for comparing and resolving (RFC 3986, appendix B). Percent-escapes are never decoded or
/// added.
package struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  /// The whole address, as it was written.
  package let text: String

  /// Reads an absolute address; nil when it does not begin with a scheme (RFC 3986, section 3.1).
  package init?(_ text: String) {
    let bytes = text.utf8Span.span
    guard AddressBounds.schemeEnd(in: bytes, before: bytes.count) != nil else { return nil }
    self.text = text
  }

  /// Makes an address with an empty host.
  init(scheme: String, path: String) { self.init(scheme: scheme, rest: "//" + path) }

  /// Makes an address from its scheme and the text after the colon.
  init(scheme: String, rest: String) { text = scheme + ":" + rest }

  /// The address with its secrets masked, so that it is safe to print.
  package var description: String { masked }

  /// The scheme, in lower case.
  package var scheme: String {
    AddressBounds(text).scheme.map { text[bytes: $0] }?.lowercased() ?? ""
  }

  /// The host, in lower case and without port or user-info; nil if it is missing.
  package var host: String? {
    let bytes = text.utf8Span.span
    return AddressBounds(bytes).host(in: bytes).map { text[bytes: $0].lowercased() }
  }

  /// The user-info, host and port, in lower case; nil when there is no authority.
  package var authority: String? { AddressParts(text).authority?.lowercased() }

  /// The path, as it was written.
  package var path: String { String(text[bytes: AddressBounds(text).path]) }

  /// The query, without its question mark; nil if it is missing.
  package var query: String? { AddressBounds(text).query.map { String(text[bytes: $0]) } }

  /// Whether the network can fetch it: its scheme is http or https, and it has a host.
  package var isWeb: Bool {
    let bytes = text.utf8Span.span
    let bounds = AddressBounds(bytes)
    guard let scheme = bounds.scheme, let host = bounds.host(in: bytes), !host.isEmpty else {
      return false
    }
    return Self.isWebScheme(bytes.extracting(scheme))
  }

  /// Whether it is the address of a file on this machine (RFC 8089).
  package var isFile: Bool { scheme == "file" }

  /// Whether a scheme is "http" or "https", without regard to case.
  private static func isWebScheme(_ scheme: Span<UInt8>) -> Bool {
    let name: StaticString = "https"
    guard scheme.count == 4 || scheme.count == 5 else { return false }
    return name.withUTF8Buffer { expected in
      for index in scheme.indices where scheme[index] | 0x20 != expected[index] { return false }
      return true
    }
  }
}

extension WebAddress {
  /// Whether it is the https spelling of an http address; the library then fetches the feed with https.
  package func secures(_ other: WebAddress) -> Bool {
    scheme == "https" && other.scheme == "http" && identity == other.identity
  }

  /// Whether a permanent redirect may replace this address of a feed.
  ///
  /// It may not lead to a file, or from https to http. An address with user-info is not replaced, because the new
  /// address has none and requests would lack it.
  package func mayMove(to target: WebAddress) -> Bool {
    guard isWeb, target.isWeb, target != self else { return false }
    let parts = AddressParts(text)
    return !(scheme == "https" && target.scheme == "http")
      && parts.authority?.utf8.contains(UInt8(ascii: "@")) == false
  }
}

extension WebAddress {
  /// Names of parameters that request a part of a list; only their letters, in lower case.
  private static let partNames: Set<String> = [
    "after", "before", "count", "cursor", "end", "first", "from", "index", "last", "limit", "max",
    "maxid", "maxresults", "minid", "n", "num", "offset", "p", "page", "pagecursor",
    "paged", "pageindex", "pageno", "pagenum", "pagenumber", "pageoffset", "pagelimit", "pagesize",
    "pagetoken", "per", "perpage", "pg", "pp", "results", "rows", "rpp", "since", "sinceid", "size",
    "skip", "start", "startindex", "take", "top", "until",
  ]

  /// Whether it requests only a part of a list.
  ///
  /// It contains a parameter for pages, such as `page=2`, `per_page=30`, `page[size]=30` or `$top=30`, or a path such
  /// as `/page/2`.
  package var asksForPart: Bool {
    let names = (query ?? "").split { $0 == "&" || $0 == ";" }.map { Self.name(of: $0) }
    return names.contains(where: Self.partNames.contains) || hasPagePath
  }

  /// The letters of a parameter's name, without those of percent-escaped brackets and dollar signs.
  private static func name(of parameter: Substring) -> String {
    let name = parameter.prefix { $0 != "=" }.lowercased().replacing("%5b", with: "")
      .replacing("%5d", with: "").replacing("%24", with: "")
    return String(decoding: name.utf8.filter { $0 >= 0x61 && $0 <= 0x7A }, as: UTF8.self)
  }

  private var hasPagePath: Bool {
    let segments = path.lowercased().split(separator: "/")
    return zip(segments, segments.dropFirst()).contains { name, number in
      name == "page" && number.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
  }
}

extension WebAddress {
  /// The replacement for a secret.
  private static let mask = "***"

  /// Names of parameters in queries and fragments whose values are secrets, in lower case.
  private static let secretNames: Set<Substring> = [
    "access_token", "api_key", "api-key", "apikey", "app_key", "appid", "auth", "auth_token",
    "client_secret", "credential", "feed_token", "key", "password", "passwd", "pwd", "secret",
    "sig", "signature", "sslpassword", "token", "x-amz-credential", "x-amz-security-token",
    "x-amz-signature",
  ]

  /// The address with user-info and the values of secret parameters masked.
  package var masked: String { Self.masking(text) }

  /// Whether it has such secrets.
  ///
  /// Its masked form then leads nowhere, so no command that people may copy names it.
  package var hasSecrets: Bool { masked != text }

  /// Whether it was probably copied from output, in which its secrets are masked.
  package var isMasked: Bool { text.contains(Self.mask) }

  /// A text with such secrets masked if it is an address of any scheme; any other text as it is.
  package static func masking(_ text: String) -> String {
    guard hasRoomForSecrets(text), text.contains("://") else { return text }
    // The name of a pipe may be an address.
    if text.hasPrefix("stdin:") { return "stdin:" + masking(String(text.dropFirst(6))) }
    var parts = AddressParts(unsplit(text))
    if let authority = parts.authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
      parts.authority = mask + authority[at...]
    }
    parts.query = parts.query.map(maskingValues)
    parts.fragment = parts.fragment.map(maskingValues)
    return parts.text
  }

  /// Whether it may have user-info, a query or a fragment, which can contain secrets.
  private static func hasRoomForSecrets(_ text: String) -> Bool {
    let bytes = text.utf8Span.span
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "@"), UInt8(ascii: "?"), UInt8(ascii: "#"): return true
      default: break
      }
    }
    return false
  }

  /// The address with user-info masked, even if its password contains `/`, `?` or `#`.
  ///
  /// Such a character ends the authority, so that `user:pa` looks like a host and a port. A port has only digits, so
  /// the text up to the last `@` is the rest of the password.
  private static func unsplit(_ text: String) -> String {
    let parts = AddressParts(text)
    guard let authority = parts.authority, !authority.utf8.contains(UInt8(ascii: "@")),
      let scheme = parts.scheme, authority.utf8.first != UInt8(ascii: "["),
      let colon = authority.utf8.firstIndex(of: UInt8(ascii: ":")),
      authority[colon...].utf8.dropFirst().contains(where: { $0 < 0x30 || $0 > 0x39 }),
      let at = text.utf8.lastIndex(of: UInt8(ascii: "@"))
    else { return text }
    return "\(scheme)://\(mask)\(text[at...])"
  }

  /// The words that stand for the address of a file where it is withheld.
  private static let withheldFile = "a file of the gallery's machine"

  /// The address as others than the owner of the library may see it, with its secrets masked; nil for a file.
  ///
  /// The path of a file tells the name of its user and the layout of the disk, so only commands show it.
  package var published: String? { isFile ? nil : masked }

  /// A message as others than the owner of the library may read it, without the addresses of files in it.
  package static func withholdingFiles(in text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ":")) else { return text }
    let words = text.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace)
    guard words.contains(where: { startOfFile(in: $0) != nil }) else { return text }
    var (result, rest) = ("", text[...])
    for word in words {
      result += rest[..<word.startIndex] + withholdingFile(in: word)
      rest = rest[word.endIndex...]
    }
    return result
  }

  /// A word without the address of a file in it; quotes and punctuation around the address stay.
  private static func withholdingFile(in word: Substring) -> String {
    guard let start = startOfFile(in: word) else { return String(word) }
    let address = word[start...]
    let end = address.lastIndex { !"'\"’”.,:;)".contains($0) } ?? address.startIndex
    return "\(word[..<start])\(withheldFile)\(address[end...].dropFirst())"
  }

  /// Where the address of a file begins in a word; nil without one.
  private static func startOfFile(in word: Substring) -> Substring.Index? {
    let scheme = Array("file:/".utf8)
    var before: UInt8?
    for index in word.utf8.indices {
      let isBeginning = before.map { !(0x61...0x7A).contains($0 | 0x20) } ?? true
      let next = word.utf8[index...].prefix(scheme.count).map { $0 | 0x20 }
      if isBeginning, next == scheme { return index }
      before = word.utf8[index]
    }
    return nil
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
