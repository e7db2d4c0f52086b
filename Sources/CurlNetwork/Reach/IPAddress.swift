internal import CCurl
import Glibc

/// An address of the Internet Protocol.
package enum IPAddress: Sendable, Hashable {
  case v4(UInt32)
  case v6(UInt128)

  /// Reads bytes in network order, 4 or 16.
  package init?(bytes: some Collection<UInt8>) {
    switch bytes.count {
    case 4: self = .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
    case 16: self = .v6(bytes.reduce(0) { $0 << 8 | UInt128($1) })
    default: return nil
    }
  }

  /// Reads the usual notation, as inet_pton(3) does: no abbreviated IPv4, no zone.
  package init?(_ text: UnsafePointer<CChar>) {
    var v4 = in_addr()
    var v6 = in6_addr()
    if inet_pton(AF_INET, text, &v4) == 1 {
      self = .v4(UInt32(bigEndian: v4.s_addr))
    } else if inet_pton(AF_INET6, text, &v6) == 1 {
      let bytes = withUnsafeBytes(of: &v6) { Array($0) }
      self.init(bytes: bytes)
    } else {
      return nil
    }
  }

  /// Takes the address that libcurl is about to connect to; nil for one of another kind.
  init?(_ address: UnsafePointer<curl_sockaddr>) {
    var bytes: (UInt64, UInt64) = (0, 0)
    let address = withUnsafeMutableBytes(of: &bytes) { bytes in
      let room = bytes.assumingMemoryBound(to: UInt8.self)
      return IPAddress(bytes: bytes.prefix(ccurl_copy_address(address, room.baseAddress)))
    }
    guard let address else { return nil }
    self = address
  }
}

extension IPAddress: CustomStringConvertible {
  /// The usual notation (RFC 5952 for IPv6), as inet_ntop(3) writes it.
  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    switch self {
    case .v4(let number):
      var address = in_addr(s_addr: number.bigEndian)
      inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
    case .v6(let number):
      var address = number.bigEndian
      inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
