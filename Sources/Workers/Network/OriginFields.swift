package import FoundationEssentials
package import Models

/// Request fields of the user for one origin: a scheme, a host and a port (RFC 6454).
///
/// Their values may be secrets, so the description omits them.
package struct OriginFields: Sendable, Equatable, CustomStringConvertible {
  package struct Field: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package struct Cookie: Sendable, Equatable {
    /// The host; if it begins with a dot, the domain and all of its hosts.
    package var domain: String
    package var path: String
    package var isSecure: Bool
    /// The expiry date; nil for a cookie that does not expire.
    package var expires: Date?
    package var name: String
    package var value: String

    package init(
      domain: String,
      path: String,
      isSecure: Bool,
      expires: Date?,
      name: String,
      value: String
    ) {
      self.domain = domain
      self.path = path
      self.isSecure = isSecure
      self.expires = expires
      self.name = name
      self.value = value
    }
  }

  /// An address of the origin.
  package let address: WebAddress
  private let fields: [Field]
  private let cookies: [Cookie]

  package init(for address: WebAddress, _ fields: [Field], cookies: [Cookie] = []) {
    self.address = address
    self.fields = fields
    self.cookies = cookies
  }

  package var description: String {
    "\(fields.count) fields and \(cookies.count) cookies for \(address)"
  }

  /// The fields of a request to an address of the origin.
  package func fields(for address: WebAddress, at date: Date) -> [Field] {
    let sent = cookies.filter { $0.isFor(address, at: date) }.map { "\($0.name)=\($0.value)" }
    return sent.isEmpty
      ? fields : fields + [Field(name: "Cookie", value: sent.joined(separator: "; "))]
  }
}

extension OriginFields.Cookie {
  /// Whether a request to the address includes the cookie (RFC 6265, section 5.4).
  fileprivate func isFor(_ address: WebAddress, at date: Date) -> Bool {
    guard let host = address.host, !isSecure || address.scheme == "https",
      expires.map({ $0 > date }) ?? true
    else { return false }
    let isHost =
      domain.hasPrefix(".") ? host == domain.dropFirst() || host.hasSuffix(domain) : host == domain
    let asked = address.path.isEmpty ? "/" : address.path
    let isBelow =
      asked == path
      || asked.hasPrefix(path) && (path.hasSuffix("/") || asked.dropFirst(path.count).first == "/")
    return isHost && isBelow
  }
}
