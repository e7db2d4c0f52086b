extension WebAddress {
  /// What two spellings of one address share, so that they name the same picture, or the same feed.
  ///
  /// http and https count as one, scheme and host are compared without case, a default port, an
  /// empty path, dot segments and a fragment make no difference (RFC 3986, section 6.2). User-info,
  /// query and the rest of the path stay as written. The address of a file is what its path makes it.
  package var identity: String {
    if let plain = plainIdentity { return plain }
    if let path = filePath, path.utf8.first == UInt8(ascii: "/") {
      return WebAddress(filePath: path, relativeTo: "/").text
    }
    var parts = AddressParts(text)
    parts.fragment = nil
    guard let scheme = parts.scheme?.lowercased(), let authority = parts.authority else {
      return parts.text
    }
    parts.scheme = scheme == "http" ? "https" : scheme
    parts.authority = Self.canonicalAuthority(authority, scheme: scheme)
    if Self.hasDotSegment(parts.path.utf8Span.span) {
      parts.path = Self.removingDotSegments(parts.path)
    }
    if parts.path.isEmpty { parts.path = "/" }
    return parts.text
  }

  /// The identity of an address as most are written, found without taking it apart; nil for others.
  private var plainIdentity: String? {
    let bytes = text.utf8Span.span
    let bounds = AddressBounds(bytes)
    guard let authority = bounds.authority, bounds.fragment == nil, !bounds.path.isEmpty,
      Self.isPlain(authority: bytes.extracting(authority)),
      !Self.hasDotSegment(bytes.extracting(bounds.path))
    else { return nil }
    if Self.begins(bytes, with: "https:") { return text }
    guard Self.begins(bytes, with: "http:") else { return nil }
    return String(joining: "https".utf8Span.span, bytes.extracting(4..<bytes.count))
  }

  private static func begins(_ bytes: Span<UInt8>, with prefix: StaticString) -> Bool {
    guard bytes.count >= prefix.utf8CodeUnitCount else { return false }
    for index in 0..<prefix.utf8CodeUnitCount where bytes[index] != prefix.utf8Start[index] {
      return false
    }
    return true
  }

  /// Whether it has neither capital letters nor user-info, and no port that is its scheme's own.
  private static func isPlain(authority: Span<UInt8>) -> Bool {
    var port: Int?
    for index in authority.indices {
      switch authority[index] {
      case UInt8(ascii: ":") where port == nil: port = index + 1
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."):
        break
      default: return false
      }
    }
    // The own ones have two or three digits, or none.
    return port.map { authority.count - $0 > 3 } ?? true
  }

  private static func canonicalAuthority(_ authority: String, scheme: String) -> String {
    let userEnd = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
    let hostStart = userEnd.map { authority.utf8.index(after: $0) } ?? authority.startIndex
    var host = authority[hostStart...].lowercased()
    let defaultPort = scheme == "http" ? ":80" : ":443"
    if host.hasSuffix(defaultPort) { host.removeLast(defaultPort.count) }
    if host.hasSuffix(":") { host.removeLast() }
    return authority[..<hostStart] + host
  }
}
