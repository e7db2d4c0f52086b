internal import CCurl
import Glibc

/// An IPv4 or IPv6 address.
package enum IPAddress: Sendable, Hashable {
  case v4(UInt32)
  case v6(UInt128)

  /// Reads 4 or 16 bytes in network order.
  package init?(bytes: some Collection<UInt8>) {
    switch bytes.count {
    case 4: self = .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
    case 16: self = .v6(bytes.reduce(0) { $0 << 8 | UInt128($1) })
    default: return nil
    }
  }

  /// Reads the notation of inet_pton(3); it rejects abbreviated IPv4 addresses and zones.
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

  /// Reads a socket address from libcurl; nil for another address family.
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
  /// The notation of inet_ntop(3); for IPv6, that of RFC 5952.
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
    let bytes = text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The kind of an address, from the registries of special-purpose addresses (RFC 6890).
package enum AddressClass: Sendable, Equatable, CaseIterable {
  /// An address of the open Internet.
  case `public`
  case loopback
  /// An address of a private network (RFC 1918, RFC 4193) or of a translation in one (RFC 8215).
  case `private`
  /// An address between a provider and its customers (RFC 6598).
  case shared
  case documentation
  case benchmarking
  /// An address reserved for a protocol, or one that is not assigned.
  case reserved
  case linkLocal
  case multicast
  case unspecified
  case broadcast

  /// Whether all transfers are forbidden to connect to it.
  ///
  /// Servers of pictures do not have such addresses. Clouds serve their machines' secrets at link-local addresses.
  var isForbidden: Bool {
    switch self {
    case .linkLocal, .multicast, .unspecified, .broadcast: true
    default: false
    }
  }

  /// The kind as a noun with its article.
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

/// A range of addresses that begin with the same bits.
private struct AddressRange<Number: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  let first: Number
  /// The number of leading bits that all of them share.
  let length: Int
  let kind: AddressClass

  func contains(_ address: Number) -> Bool {
    (address ^ first) >> (Number.bitWidth - length) == 0
  }
}

extension AddressClass {
  /// The IPv4 ranges that are not public.
  ///
  /// The registry lists `192.0.0.9` and `192.0.0.10` as globally reachable. They are anycast addresses of the nearest
  /// relay, so no server of pictures has them.
  private static let ranges4: [AddressRange<UInt32>] = [
    .init(first: 0x0000_0000, length: 8, kind: .unspecified),
    .init(first: 0x0A00_0000, length: 8, kind: .private),
    .init(first: 0x6440_0000, length: 10, kind: .shared),
    .init(first: 0x7F00_0000, length: 8, kind: .loopback),
    .init(first: 0xA9FE_0000, length: 16, kind: .linkLocal),
    .init(first: 0xAC10_0000, length: 12, kind: .private),
    // IETF protocol assignments (RFC 6890).
    .init(first: 0xC000_0000, length: 24, kind: .reserved),
    .init(first: 0xC000_0200, length: 24, kind: .documentation),
    // The former anycast prefix of 6to4 relays (RFC 7526).
    .init(first: 0xC058_6300, length: 24, kind: .reserved),
    .init(first: 0xC0A8_0000, length: 16, kind: .private),
    .init(first: 0xC612_0000, length: 15, kind: .benchmarking),
    .init(first: 0xC633_6400, length: 24, kind: .documentation),
    .init(first: 0xCB00_7100, length: 24, kind: .documentation),
    .init(first: 0xE000_0000, length: 4, kind: .multicast),
    .init(first: 0xFFFF_FFFF, length: 32, kind: .broadcast),
    .init(first: 0xF000_0000, length: 4, kind: .reserved),
  ]

  /// Classifies an IPv4 address; on Linux, 0.0.0.0 leads to this machine, and all of 0.0.0.0/8 is treated alike.
  init(v4 address: UInt32) {
    self = Self.ranges4.first { $0.contains(address) }?.kind ?? .public
  }
}

extension AddressClass {
  /// Classifies an address.
  ///
  /// An IPv6 address that embeds an IPv4 address has the kind of the IPv4 address, because it leads there.
  package init(_ address: IPAddress) {
    switch address {
    case .v4(let number): self.init(v4: number)
    case .v6(let number): self.init(v6: number)
    }
  }

  /// The special ranges within the assigned IPv6 addresses; all addresses that are not assigned are special (RFC 4291).
  private static let ranges6: [AddressRange<UInt128>] = [
    .init(first: 0xFF << 120, length: 8, kind: .multicast),
    .init(first: 0xFE80 << 112, length: 10, kind: .linkLocal),
    .init(first: 0xFC << 120, length: 7, kind: .private),
    .init(first: 0x2001_0002_0000 << 80, length: 48, kind: .benchmarking),
    .init(first: 0x2001_0DB8 << 96, length: 32, kind: .documentation),
    .init(first: 0x3FFF << 112, length: 20, kind: .documentation),
    // IETF protocol assignments (RFC 2928): the few reachable ones are not servers of pictures.
    .init(first: 0x2001 << 112, length: 23, kind: .reserved),
  ]

  private static let globalUnicast = AddressRange<UInt128>(
    first: 0x2000 << 112,
    length: 3,
    kind: .public
  )

  init(v6 address: UInt128) {
    if address == 0 {
      self = .unspecified
    } else if address == 1 {
      self = .loopback
    } else if let embedded = EmbeddedIPv4(in: address) {
      self = embedded.kind
    } else if let range = Self.ranges6.first(where: { $0.contains(address) }) {
      self = range.kind
    } else {
      self = Self.globalUnicast.contains(address) ? .public : .reserved
    }
  }
}

/// The IPv4 address within an IPv6 address that leads to it.
private struct EmbeddedIPv4 {
  let kind: AddressClass

  /// Reads an IPv6 address; nil when it does not embed an IPv4 address.
  init?(in address: UInt128) {
    switch address >> 96 {
    case 0x2001_0000: kind = Self.kind(ofTeredo: address)
    case 0x0064_FF9B where address >> 80 & 0xFFFF == 1:
      // A network may choose the position of the IPv4 address; this is the usual position.
      let end = AddressClass(v4: UInt32(truncatingIfNeeded: address))
      kind = end == .linkLocal ? end : .private
    case 0x2002_0000...0x2002_FFFF:
      kind = AddressClass(v4: UInt32(truncatingIfNeeded: address >> 80))
    default:
      guard let form = Self.form(address >> 32) else { return nil }
      kind = Self.kind(UInt32(truncatingIfNeeded: address), form)
    }
  }

  private enum Form {
    /// Mapped (RFC 4291) or translated by NAT64 (RFC 6052): equivalent to the IPv4 address.
    case equal
    /// Compatible (RFC 4291) or translated (RFC 2765): forms that are no longer assigned.
    case obsolete
  }

  /// The form, determined by the 96 bits before the IPv4 address.
  private static func form(_ prefix: UInt128) -> Form? {
    switch prefix {
    case 0xFFFF, 0x0064_FF9B << 64: .equal
    case 0, 0xFFFF_0000: .obsolete
    default: nil
    }
  }

  private static func kind(_ address: UInt32, _ form: Form) -> AddressClass {
    let kind = AddressClass(v4: address)
    return kind == .public && form == .obsolete ? .reserved : kind
  }

  /// The more restricted of the kinds of a Teredo server and client; the client's address is inverted (RFC 4380,
  /// section 4).
  private static func kind(ofTeredo address: UInt128) -> AddressClass {
    let server = AddressClass(v4: UInt32(truncatingIfNeeded: address >> 64))
    let client = AddressClass(v4: ~UInt32(truncatingIfNeeded: address))
    if client.isForbidden || server == .public { return client }
    return server
  }
}
