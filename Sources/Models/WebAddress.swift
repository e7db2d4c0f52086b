/// An absolute address, kept exactly as the feed or the user wrote it.
///
/// Only the parts that comparing and resolving need are told apart, after RFC 3986, appendix B;
/// percent-escapes are never decoded or added.
package struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  /// The whole address, as it was written.
  package let text: String

  /// Takes an absolute address; nil unless it begins with a scheme (RFC 3986, section 3.1).
  package init?(_ text: String) {
    let bytes = text.utf8Span.span
    guard AddressBounds.schemeEnd(in: bytes, before: bytes.count) != nil else { return nil }
    self.text = text
  }

  /// Puts an address without a host together.
  init(scheme: String, path: String) { self.init(scheme: scheme, rest: "//" + path) }

  /// Puts an address together from its scheme and what follows the colon.
  init(scheme: String, rest: String) { text = scheme + ":" + rest }

  /// The address with its secrets masked: safe to print.
  package var description: String { masked }

  /// The scheme, in lower case.
  package var scheme: String {
    AddressBounds(text).scheme.map { text[bytes: $0] }?.lowercased() ?? ""
  }

  /// The host, in lower case and without port or user-info; nil when there is none.
  package var host: String? {
    let bytes = text.utf8Span.span
    return AddressBounds(bytes).host(in: bytes).map { text[bytes: $0].lowercased() }
  }

  /// The host with its port, and with what stands before it, in lower case; nil when there is none.
  package var authority: String? { AddressParts(text).authority?.lowercased() }

  /// The path, as it was written.
  package var path: String { String(text[bytes: AddressBounds(text).path]) }

  /// The query, without its question mark; nil when there is none.
  package var query: String? { AddressBounds(text).query.map { String(text[bytes: $0]) } }

  /// Whether a transfer may ask for it: http or https, with a host.
  package var isWeb: Bool {
    let bytes = text.utf8Span.span
    let bounds = AddressBounds(bytes)
    guard let scheme = bounds.scheme, let host = bounds.host(in: bytes), !host.isEmpty else {
      return false
    }
    return Self.isWebScheme(bytes.extracting(scheme))
  }

  /// Whether it names a file of this machine (RFC 8089).
  package var isFile: Bool { scheme == "file" }

  /// "http" or "https", in whatever case.
  private static func isWebScheme(_ scheme: Span<UInt8>) -> Bool {
    let name: StaticString = "https"
    guard scheme.count == 4 || scheme.count == 5 else { return false }
    return name.withUTF8Buffer { expected in
      for index in scheme.indices where scheme[index] | 0x20 != expected[index] { return false }
      return true
    }
  }
}
