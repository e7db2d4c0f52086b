import NIOCore

/// The names of servers, as requests have them in `Host`.
enum HostName {
  /// The reason why a text is not a name of this server.
  struct Problem: Error, Equatable {
    let text: String
  }

  /// The one spelling of a name or an IP address: lower case, and IPv6 in brackets as in RFC 5952.
  static func spelling(_ host: some StringProtocol) -> String {
    let name = withoutBrackets(String(host))
    guard let address = try? SocketAddress(ipAddress: name, port: 0), case .v6 = address else {
      return host.lowercased()
    }
    return "[\(address.ipAddress ?? name)]"
  }

  static func isIPv6(_ text: String) -> Bool {
    guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return false }
    if case .v6 = address { return true }
    return false
  }

  static func withoutBrackets(_ host: String) -> String {
    host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  /// Reads a name of this server that a person has written.
  ///
  /// - Returns: Its spelling.
  /// - Throws: when browsers would send something else in `Host`.
  static func parse(_ text: String) throws(Problem) -> String {
    let name = text.hasSuffix(".") ? String(text.dropLast()) : text
    let isZoned = name.contains("%")
    if !isZoned, isIPv6(withoutBrackets(name)) { return spelling(name) }
    if name.contains("/") {
      throw Problem(text: "this is an address; --host takes only its name, such as photos.home")
    }
    if isZoned {
      throw Problem(text: "a zone belongs to one machine; other machines do not send it")
    }
    if name.contains("*") {
      throw Problem(text: "a name is one name; repeat --host for further ones")
    }
    if name.hasPrefix("[") {
      throw Problem(text: "a name has no port, and brackets only around an address of IPv6")
    }
    if name.contains(":") {
      throw Problem(text: "a name has no port; --listen has the port")
    }
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw Problem(text: "browsers send an international name in ASCII; write it as xn--…")
    }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    let isName = labels.allSatisfy { label in
      !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }
    guard isName else { throw Problem(text: "this is neither a host name nor an IP address") }
    return spelling(name)
  }
}
