/// Which of the machine's loopback addresses a server has (RFC 4291, section 2.5.3).
package enum LoopbackFamily: Sendable {
  case ipv4
  case ipv6

  /// The address as a URL has it.
  package var host: String {
    switch self {
    case .ipv4: "127.0.0.1"
    case .ipv6: "[::1]"
    }
  }
}
