/// An absolute address, kept exactly as the feed or the user wrote it.
///
/// Only the parts that comparing and resolving need are told apart, after RFC 3986, appendix B;
/// percent-escapes are never decoded or added.
package struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  /// The whole address, as it was written.
  package let text: String

  /// Takes an absolute address; nil unless it begins with a scheme (RFC 3986, section 3.1).
  package init?(_ text: String) {
    guard AddressParts.hasScheme(text) else { return nil }
    self.text = text
  }

  /// Puts an address without a host together.
  init(scheme: String, path: String) { text = scheme + "://" + path }

  /// The address with its secrets masked: safe to print.
  package var description: String { masked }

  /// The scheme, in lower case.
  package var scheme: String { AddressParts(text).scheme?.lowercased() ?? "" }

  /// The host, in lower case and without port or user-info; nil when there is none.
  package var host: String? { AddressParts(text).host?.lowercased() }

  /// The host with its port, and with what stands before it, in lower case; nil when there is none.
  package var authority: String? { AddressParts(text).authority?.lowercased() }

  /// The path, as it was written.
  package var path: String { AddressParts(text).path }

  /// The query, without its question mark; nil when there is none.
  package var query: String? { AddressParts(text).query }

  /// Whether a transfer may ask for it: http or https, with a host.
  package var isWeb: Bool {
    let parts = AddressParts(text)
    guard let scheme = parts.scheme?.lowercased(), let host = parts.host else { return false }
    return (scheme == "http" || scheme == "https") && !host.isEmpty
  }

  /// Whether it names a file of this machine (RFC 8089).
  package var isFile: Bool { scheme == "file" }
}
