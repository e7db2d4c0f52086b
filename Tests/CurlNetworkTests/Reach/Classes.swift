import CurlNetwork

extension AddressClass {
  /// On this machine 127.0.0.2 stands for the open Internet, 127.0.0.3 for a private network, and
  /// 127.0.0.4 for the link.
  static func ofTests(_ address: IPAddress) -> AddressClass {
    switch address {
    case .v4(0x7F00_0002): .public
    case .v4(0x7F00_0003): .private
    case .v4(0x7F00_0004): .linkLocal
    default: AddressClass(address)
    }
  }
}
