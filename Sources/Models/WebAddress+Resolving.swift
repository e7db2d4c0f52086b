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
    if relative.authority != nil { return joined((base.scheme?.count ?? 0) + 1, "", reference) }
    if relative.path.isEmpty { return joiningQuery(reference, relative, base) }
    let isFromRoot = reference.utf8.first == UInt8(ascii: "/")
    let end = isFromRoot ? base.path.lowerBound : folderEnd(base)
    // An address that ends with its host has no slash to go on from (section 5.2.3).
    let slash = !isFromRoot && base.authority != nil && base.path.isEmpty ? "/" : ""
    let result = joined(end, slash, reference)
    let path = base.path.lowerBound..<end + slash.utf8.count + relative.path.upperBound
    guard Self.hasDotSegment(result.utf8Span.span.extracting(path)) else { return result }
    return result[bytes: 0..<path.lowerBound]
      + Self.removingDotSegments(String(result[bytes: path]))
      + result[bytes: path.upperBound..<result.utf8.count]
  }

  /// A reference without a path means this document, its query too unless it has one of its own.
  private func joiningQuery(
    _ reference: String,
    _ relative: AddressBounds,
    _ base: AddressBounds
  ) -> String {
    let isOwn = relative.query != nil
    let end = isOwn ? base.path.upperBound : base.query?.upperBound ?? base.path.upperBound
    return joined(end, "", reference)
  }

  /// This address up to the byte `end`, and what goes on from there.
  private func joined(_ end: Int, _ slash: String, _ reference: String) -> String {
    if !slash.isEmpty { return text[bytes: 0..<end] + slash + reference }
    return String(joining: text.utf8Span.span.extracting(0..<end), reference.utf8Span.span)
  }

  /// Where the base path up to its last slash ends (RFC 3986, section 5.2.3).
  private func folderEnd(_ base: AddressBounds) -> Int {
    text.utf8Span.span.last(UInt8(ascii: "/"), in: base.path).map { $0 + 1 } ?? base.path.lowerBound
  }

  /// RFC 3986, section 5.2.4.
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

  /// Whether a segment may be `.` or `..`: whether one begins with a dot.
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

  /// Drops what the URL standard drops (tab, newline, surrounding space) and escapes inner spaces.
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
