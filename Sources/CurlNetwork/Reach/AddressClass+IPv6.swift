extension AddressClass {
  /// The kind of an address.
  ///
  /// An IPv6 address that stands for an IPv4 one is of that one's kind: that is where it leads.
  package init(_ address: IPAddress) {
    switch address {
    case .v4(let number): self.init(v4: number)
    case .v6(let number): self.init(v6: number)
    }
  }

  /// What is special of the addresses that are given out; of the rest, all is (RFC 4291).
  private static let ranges: [AddressRange<UInt128>] = [
    .init(first: 0xFF << 120, length: 8, kind: .multicast),
    .init(first: 0xFE80 << 112, length: 10, kind: .linkLocal),
    .init(first: 0xFC << 120, length: 7, kind: .private),
    .init(first: 0x2001_0002_0000 << 80, length: 48, kind: .benchmarking),
    .init(first: 0x2001_0DB8 << 96, length: 32, kind: .documentation),
    .init(first: 0x3FFF << 112, length: 20, kind: .documentation),
    // IETF protocol assignments (RFC 2928): of the few that are reachable none is a server of pictures.
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
    } else if let range = Self.ranges.first(where: { $0.contains(address) }) {
      self = range.kind
    } else {
      self = Self.globalUnicast.contains(address) ? .public : .reserved
    }
  }
}
