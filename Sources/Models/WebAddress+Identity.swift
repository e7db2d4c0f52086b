extension WebAddress {
  /// What two spellings of one address share, so that they name the same picture.
  ///
  /// http and https count as one, scheme and host are compared without case, a default port, an
  /// empty path and a fragment make no difference (RFC 3986, section 6.2). User-info, path and
  /// query stay as written.
  package var identity: String {
    var parts = AddressParts(text)
    parts.fragment = nil
    guard let scheme = parts.scheme?.lowercased(), let authority = parts.authority else {
      return parts.text
    }
    parts.scheme = scheme == "http" ? "https" : scheme
    parts.authority = Self.canonicalAuthority(authority, scheme: scheme)
    if parts.path.isEmpty { parts.path = "/" }
    return parts.text
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
