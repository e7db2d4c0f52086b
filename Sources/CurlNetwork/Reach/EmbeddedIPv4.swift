/// What an IPv6 address says that stands for IPv4 addresses, or leads to them.
struct EmbeddedIPv4 {
  let kind: AddressClass

  /// Nil for an address that stands for none.
  init?(in address: UInt128) {
    switch address >> 96 {
    case 0x2001_0000: kind = Self.kind(ofTeredo: address)
    case 0x0064_FF9B where address >> 80 & 0xFFFF == 1:
      // Where in it the IPv4 address stands is the network's own affair; this is its usual place.
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
    /// Mapped (RFC 4291), or translated by NAT64 (RFC 6052): as good as the IPv4 address.
    case equal
    /// Compatible (RFC 4291) and translated (RFC 2765) forms that nobody gives out any more.
    case obsolete
  }

  /// By the 96 bits before the IPv4 address.
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

  /// Of the server's address and the client's, whose bits are turned over (RFC 4380, section 4), the
  /// one that allows less.
  private static func kind(ofTeredo address: UInt128) -> AddressClass {
    let server = AddressClass(v4: UInt32(truncatingIfNeeded: address >> 64))
    let client = AddressClass(v4: ~UInt32(truncatingIfNeeded: address))
    if client.isForbidden || server == .public { return client }
    return server
  }
}
