extension WebAddress {
  /// The address that a reference in a document at this address means (RFC 3986, section 5.2).
  ///
  /// White space around the reference is dropped, spaces inside it become `%20`; other escapes stay
  /// as they are.
  ///
  /// - Returns: nil for an empty reference and for one that stays relative.
  package func resolving(_ reference: String) -> WebAddress? {
    let trimmed = Self.cleaned(reference)
    guard !trimmed.isEmpty else { return nil }
    let relative = AddressBounds(trimmed)
    if relative.scheme != nil { return WebAddress(trimmed) }
    return WebAddress(joining(trimmed, relative))
  }

  /// This address up to where a reference without a scheme goes on (RFC 3986, section 5.2.2).
  private func joining(_ reference: String, _ relative: AddressBounds) -> String {
    let base = AddressBounds(text)
    if relative.authority != nil {
      return text[bytes: 0..<(base.scheme?.count ?? 0) + 1] + reference
    }
    if relative.path.isEmpty { return joiningQuery(reference, relative, base) }
    let tail = reference[bytes: relative.path.upperBound..<reference.utf8.count]
    var path = String(reference[bytes: relative.path])
    if path.utf8.first != UInt8(ascii: "/") { path = folder(base) + path }
    return text[bytes: 0..<base.path.lowerBound] + Self.removingDotSegments(path) + tail
  }

  /// A reference without a path means this document, its query too unless it has one of its own.
  private func joiningQuery(
    _ reference: String,
    _ relative: AddressBounds,
    _ base: AddressBounds
  ) -> String {
    let isOwn = relative.query != nil
    let end = isOwn ? base.path.upperBound : base.query?.upperBound ?? base.path.upperBound
    return text[bytes: 0..<end] + reference
  }

  /// The base path up to its last slash (RFC 3986, section 5.2.3).
  private func folder(_ base: AddressBounds) -> String {
    guard let slash = text.utf8Span.span.last(UInt8(ascii: "/"), in: base.path) else {
      return base.authority == nil ? "" : "/"
    }
    return String(text[bytes: base.path.lowerBound..<slash + 1])
  }

  /// RFC 3986, section 5.2.4.
  private static func removingDotSegments(_ path: String) -> String {
    guard hasDotSegment(path.utf8Span.span) else { return path }
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

  /// Whether a segment may be `.` or `..`: whether one begins with a dot.
  private static func hasDotSegment(_ path: Span<UInt8>) -> Bool {
    var before = UInt8(ascii: "/")
    for index in path.indices {
      if path[index] == UInt8(ascii: "."), before == UInt8(ascii: "/") { return true }
      before = path[index]
    }
    return false
  }

  /// Drops what the URL standard drops (tab, newline, surrounding space) and escapes inner spaces.
  private static func cleaned(_ reference: String) -> String {
    let isPlain = reference.utf8.allSatisfy { $0 > 0x20 }
    if isPlain { return reference }
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
