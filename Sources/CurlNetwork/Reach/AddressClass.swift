/// What kind of place an address leads to, by the registries of special-purpose addresses (RFC 6890).
package enum AddressClass: Sendable, Equatable, CaseIterable {
  /// Anywhere in the open Internet.
  case `public`
  case loopback
  /// Of a private network (RFC 1918, RFC 4193) or a translation in one (RFC 8215).
  case `private`
  /// Between a provider and its customers (RFC 6598).
  case shared
  case documentation
  case benchmarking
  /// For a protocol's own use, or for none yet.
  case reserved
  case linkLocal
  case multicast
  case unspecified
  case broadcast

  /// Whether it is never connected to: none of these is the address of a server, and behind link-local
  /// ones clouds keep the secrets of their machines.
  var isForbidden: Bool {
    switch self {
    case .linkLocal, .multicast, .unspecified, .broadcast: true
    default: false
    }
  }

  /// A noun with its article.
  var noun: String {
    switch self {
    case .public: "a public address"
    case .loopback: "a loopback address"
    case .private: "a private address"
    case .shared: "a private address of a provider"
    case .documentation: "an address for documentation"
    case .benchmarking: "an address for benchmarks"
    case .reserved: "a reserved address"
    case .linkLocal: "a link-local address"
    case .multicast: "a multicast address"
    case .unspecified: "an unspecified address"
    case .broadcast: "a broadcast address"
    }
  }
}
