/// A host as people type it before a path, without a scheme: `example.com`, `localhost:8080`, `[::1]`.
struct TypedHost {
  /// In lower case, without port and brackets.
  private let name: String
  private let hasPort: Bool
  /// Whether nothing follows it.
  private let isAlone: Bool

  /// Nil for text that does not begin as a host does: with a dot in its first segment, `localhost`, or
  /// an IP address, perhaps with a port.
  init?(_ text: String) {
    let segment = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let (name, port) = Self.split(segment)
    let isBracketed = segment.first == "["
    guard port.map(Self.isPort) ?? true, !name.isEmpty,
      isBracketed ? Self.isIPv6(name) : Self.isName(name)
    else { return nil }
    self.name = name
    hasPort = port != nil
    isAlone = segment.count == text.count
  }

  /// Whether it is rather the name of a document that is not there.
  var isFileName: Bool {
    let last = name.split(separator: ".").last ?? ""
    return isAlone && !hasPort && Self.documentEndings.contains(String(last))
  }

  /// Whether it is this machine, or an address of the network around it (RFC 6890).
  var isPrivate: Bool {
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    if let bytes = Self.ipv4(name) {
      switch (bytes[0], bytes[1]) {
      case (0, _), (10, _), (127, _), (169, 254), (192, 168): return true
      case (100, 64...127), (172, 16...31): return true
      default: return false
      }
    }
    // Local, unique local and link-local; no name has a colon in it.
    return name.contains(":")
      && (name == "::1" || name.hasPrefix("fc") || name.hasPrefix("fd") || name.hasPrefix("fe8"))
  }

  /// No top-level domain is called so.
  private static let documentEndings: Set<String> = [
    "atom", "gz", "htm", "html", "json", "jsonp", "opml", "rdf", "rss", "txt", "xhtml", "xml",
  ]

  /// The host and its port; nil where no colon begins one.
  private static func split(_ segment: Substring) -> (name: String, port: Substring?) {
    if segment.first == "[", let end = segment.firstIndex(of: "]") {
      let name = segment[segment.index(after: segment.startIndex)..<end]
      let rest = segment[segment.index(after: end)...]
      return (name.lowercased(), rest.isEmpty ? nil : rest.dropFirst(rest.first == ":" ? 1 : 0))
    }
    guard let colon = segment.lastIndex(of: ":") else { return (segment.lowercased(), nil) }
    return (segment[..<colon].lowercased(), segment[segment.index(after: colon)...])
  }

  private static func isPort(_ text: Substring) -> Bool { UInt16(text).map { $0 > 0 } ?? false }

  private static func isIPv6(_ name: String) -> Bool {
    name.contains(":") && name.utf8.allSatisfy { "0123456789abcdef:.".utf8.contains($0) }
  }

  /// Whether each label can be one, and there are two of them, or it is `localhost`.
  private static func isName(_ name: String) -> Bool {
    if name == "localhost" { return true }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    let last = labels.last ?? ""
    let isAddress = ipv4(name) != nil
    return labels.count > 1
      && labels.allSatisfy { !$0.isEmpty && $0.unicodeScalars.allSatisfy(isLabelScalar) }
      && (isAddress || last.unicodeScalars.contains { $0.properties.isAlphabetic })
  }

  private static func isLabelScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar == "_" || scalar.properties.isAlphabetic
      || (scalar.value >= 0x30 && scalar.value <= 0x39)
  }

  private static func ipv4(_ name: String) -> [UInt8]? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { UInt8($0) }
    return parts.count == 4 && bytes.count == 4 ? bytes : nil
  }
}
