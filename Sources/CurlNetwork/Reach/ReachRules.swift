/// What decides to which addresses transfers may connect, besides their own reach.
struct ReachRules: Sendable {
  let proxies: ProxySettings
  /// Tells the kind of an address: another one than the registries' in tests alone.
  let classify: @Sendable (IPAddress) -> AddressClass
}
