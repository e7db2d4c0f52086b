extension AddressClass {
  /// What is not public.
  ///
  /// `192.0.0.9` and `192.0.0.10` are reachable by the registry, but lead to
  /// whoever is near, and to no server of pictures.
  private static let ranges: [AddressRange<UInt32>] = [
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

  /// The kind of an IPv4 address: 0.0.0.0/8 leads to this machine, as 0.0.0.0 does on Linux.
  init(v4 address: UInt32) {
    self = Self.ranges.first { $0.contains(address) }?.kind ?? .public
  }
}
