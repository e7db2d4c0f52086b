extension WebAddress {
  /// Resolves a reference in a document at this address (RFC 3986, section 5.2).
  ///
  /// White space around the reference is removed, and spaces inside it become `%20`. Percent-escapes are not changed.
  ///
  /// - Returns: The absolute address; nil for an empty reference, and for one that stays relative.
  package func resolving(_ reference: String) -> WebAddress? {
    let trimmed = Self.cleaned(reference)
    guard !trimmed.isEmpty else { return nil }
    let relative = AddressBounds(trimmed)
    if relative.scheme != nil { return WebAddress(trimmed) }
    return WebAddress(joining(trimmed, relative))
  }

  /// Joins this address and a reference without a scheme (RFC 3986, section 5.2.2).
  private func joining(_ reference: String, _ relative: AddressBounds) -> String {
    let base = AddressBounds(text)
    if relative.authority != nil { return joined((base.scheme?.count ?? 0) + 1, "", reference) }
    if relative.path.isEmpty { return joiningQuery(reference, relative, base) }
    let isFromRoot = reference.utf8.first == UInt8(ascii: "/")
    let end = isFromRoot ? base.path.lowerBound : folderEnd(base)
    // An address that ends with its host has no slash before the reference (section 5.2.3).
    let slash = !isFromRoot && base.authority != nil && base.path.isEmpty ? "/" : ""
    let result = joined(end, slash, reference)
    let path = base.path.lowerBound..<end + slash.utf8.count + relative.path.upperBound
    guard Self.hasDotSegment(result.utf8Span.span.extracting(path)) else { return result }
    return result[bytes: 0..<path.lowerBound]
      + Self.removingDotSegments(String(result[bytes: path]))
      + result[bytes: path.upperBound..<result.utf8.count]
  }

  /// Joins a reference without a path; the query of this address is kept unless the reference has a query.
  private func joiningQuery(
    _ reference: String,
    _ relative: AddressBounds,
    _ base: AddressBounds
  ) -> String {
    let isOwn = relative.query != nil
    let end = isOwn ? base.path.upperBound : base.query?.upperBound ?? base.path.upperBound
    return joined(end, "", reference)
  }

  /// This address up to the byte `end`, followed by the slash, if any, and the reference.
  private func joined(_ end: Int, _ slash: String, _ reference: String) -> String {
    if !slash.isEmpty { return text[bytes: 0..<end] + slash + reference }
    return String(joining: text.utf8Span.span.extracting(0..<end), reference.utf8Span.span)
  }

  /// The end of the base path's last slash (RFC 3986, section 5.2.3).
  private func folderEnd(_ base: AddressBounds) -> Int {
    text.utf8Span.span.last(UInt8(ascii: "/"), in: base.path).map { $0 + 1 } ?? base.path.lowerBound
  }

  /// Removes the segments `.` and `..` (RFC 3986, section 5.2.4).
  static func removingDotSegments(_ path: String) -> String {
    var output: [Substring] = []
    let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { Substring($0) }
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".":
        if isLast { output.append("") }
      case "..":
        if output.count > 1 { output.removeLast() }
        if isLast { output.append("") }
      default:
        output.append(segment)
      }
    }
    return output.joined(separator: "/")
  }

  /// Whether a segment begins with a dot, and so may be `.` or `..`.
  static func hasDotSegment(_ path: Span<UInt8>) -> Bool {
    var before = UInt8(ascii: "/")
    for index in path.indices {
      if path[index] == UInt8(ascii: "."), before == UInt8(ascii: "/") { return true }
      before = path[index]
    }
    return false
  }

  private static func isPlain(_ reference: Span<UInt8>) -> Bool {
    for index in reference.indices where reference[index] <= 0x20 { return false }
    return true
  }

  /// Removes tabs, newlines and surrounding space as in the URL standard, and escapes inner spaces.
  private static func cleaned(_ reference: String) -> String {
    if isPlain(reference.utf8Span.span) { return reference }
    var scalars = Substring(reference).unicodeScalars
    while let first = scalars.first, first.value <= 0x20 { scalars.removeFirst() }
    while let last = scalars.last, last.value <= 0x20 { scalars.removeLast() }
    var result = ""
    for scalar in scalars where scalar.value >= 0x20 {
      if scalar == " " { result += "%20" } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}

extension WebAddress {
  /// A text that is equal for two spellings of one address, which identify the same picture or feed.
  ///
  /// It does not depend on http or https, the case of scheme and host, a default port, an empty path, dot segments and
  /// the fragment (RFC 3986, section 6.2). User-info, query and the rest of the path are kept as written. For the
  /// address of a file, it is the `file:` address of the path.
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

  /// The other texts that name its page before and after a site moves: http or https, with or without `www.`, and with or
  /// without a slash at the end of the path.
  package var respellings: [String] {
    var parts = AddressParts(text)
    guard isWeb, let authority = parts.authority else { return [] }
    let host = authority.lowercased().hasPrefix("www.") ? String(authority.dropFirst(4)) : authority
    let path =
      parts.path.utf8.last == UInt8(ascii: "/") ? String(parts.path.dropLast()) : parts.path
    var texts: [String] = []
    for scheme in ["https", "http"] {
      for authority in [host, "www." + host] {
        for path in [path, path + "/"] {
          (parts.scheme, parts.authority, parts.path) = (scheme, authority, path)
          texts.append(parts.text)
        }
      }
    }
    return texts.filter { $0 != text }
  }

  /// The identity without user-info.
  ///
  /// Addresses of the same place with different tokens share it.
  package var placeIdentity: String { Self.withoutLogin(identity) }

  /// The address without user-info.
  package var withoutLogin: WebAddress { WebAddress(Self.withoutLogin(text)) ?? self }

  private static func withoutLogin(_ text: String) -> String {
    var parts = AddressParts(text)
    if let authority = parts.authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
      parts.authority = String(authority[at...].dropFirst())
    }
    return parts.text
  }

  /// The identity of an address in the common form, computed without splitting it; nil for other forms.
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

  /// Whether it does not contain capital letters, user-info, or a port that may be the default port.
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
    // A default port has at most three digits.
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
