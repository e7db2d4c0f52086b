extension WebAddress {
  /// Whether it is the https spelling of an http address: what is named so is asked by https.
  package func secures(_ other: WebAddress) -> Bool {
    scheme == "https" && other.scheme == "http" && identity == other.identity
  }

  /// Whether a feed at this address may take another one that its server has sent it to for good.
  ///
  /// Never to a file, never from https to http, and not from an address with user-info: the new one
  /// has none, and would be asked without.
  package func mayMove(to target: WebAddress) -> Bool {
    guard isWeb, target.isWeb, target != self else { return false }
    let parts = AddressParts(text)
    return !(scheme == "https" && target.scheme == "http")
      && parts.authority?.utf8.contains(UInt8(ascii: "@")) == false
  }
}
