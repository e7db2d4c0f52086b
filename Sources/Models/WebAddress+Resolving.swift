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
    let relative = AddressParts(trimmed)
    if relative.scheme != nil { return WebAddress(trimmed) }
    return WebAddress(merge(relative).text)
  }

  private func merge(_ reference: AddressParts) -> AddressParts {
    let base = AddressParts(text)
    var target = reference
    target.scheme = base.scheme
    if reference.authority != nil { return target }
    target.authority = base.authority
    if reference.path.isEmpty {
      target.path = base.path
      target.query = reference.query ?? base.query
    } else if reference.path.utf8.first == UInt8(ascii: "/") {
      target.path = Self.removingDotSegments(reference.path)
    } else {
      target.path = Self.removingDotSegments(Self.folder(of: base) + reference.path)
    }
    return target
  }

  /// The base path up to its last slash (RFC 3986, section 5.2.3).
  private static func folder(of base: AddressParts) -> String {
    guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return base.authority == nil ? "" : "/"
    }
    return String(base.path[...slash])
  }

  /// RFC 3986, section 5.2.4.
  private static func removingDotSegments(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
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
