import Models
import Workers

/// Whether a transfer may connect to an address, and use a connection that is there already.
///
/// libcurl asks before each socket and before each request, also behind redirects. The second
/// question is needed: connections are kept, and one that another feed was allowed to make must not
/// serve a feed that is not.
extension Transfer {
  /// Answers before a socket is opened; nil is an address of an unknown kind.
  ///
  /// After a refusal libcurl goes on to the host's next address.
  func mayConnect(to address: IPAddress?) -> Bool {
    guard let easy, isOnItsWay(easy) else { return false }
    if easy.route != .direct { return true }
    let refusal = refusal(of: address, easy)
    current.sockets.note(refusal, afterRedirects: easy.redirectCount)
    return refusal == nil
  }

  /// Answers before a request is sent over a connection to an address, as libcurl writes it.
  func mayAsk(_ peer: UnsafePointer<CChar>) -> Bool {
    guard let easy, isOnItsWay(easy) else { return false }
    guard easy.route == .direct else {
      firstPeer = firstPeer ?? .proxy
      return true
    }
    // Nobody can tell any more who it was that hung up.
    if peer.pointee == 0 {
      current.isPeerGone = true
      return false
    }
    let address = IPAddress(peer)
    current.refusal = refusal(of: address, easy)
    guard current.refusal == nil, let address else { return false }
    if firstPeer == nil { firstPeer = self.peer(address, easy) }
    return true
  }

  /// Whether the way that libcurl takes is the one to where it is; where that is in doubt, it ends.
  ///
  /// It is set up for where a try begins, and a redirect for which it would be another is a detour.
  /// Only where libcurl reads an address in another way than we do can it be the wrong one.
  private func isOnItsWay(_ easy: EasyHandle) -> Bool {
    let isRight =
      rules.proxies.isEmpty
      ? easy.route == .direct : easy.hop.map(rules.proxies.route) == easy.route
    if !isRight { refuse(.refused, "the way to the address is not clear") }
    return isRight
  }

  private func refusal(of address: IPAddress?, _ easy: EasyHandle) -> HostRefusal? {
    guard let address else {
      return HostRefusal(reason: .forbiddenAddress, message: "it leads to no Internet address")
    }
    let kind = rules.classify(address)
    if kind.isForbidden { return refusal(.forbiddenAddress, address, kind) }
    if hasZone(address, easy) {
      let message = "it leads to \(address) within a zone of this machine"
      return HostRefusal(reason: .forbiddenAddress, message: message)
    }
    if kind == .public || mayReachPrivate(easy) { return nil }
    return refusal(.privateAddress, address, kind)
  }

  private func refusal(
    _ reason: NetworkError.Reason,
    _ address: IPAddress,
    _ kind: AddressClass
  ) -> HostRefusal {
    HostRefusal(reason: reason, message: "it leads to \(address), \(kind.noun)")
  }

  /// A zone (RFC 4007, section 11) means something on this machine alone.
  private func hasZone(_ address: IPAddress, _ easy: EasyHandle) -> Bool {
    guard case .v6 = address else { return false }
    return easy.hop?.hasZone != false
  }

  private func mayReachPrivate(_ easy: EasyHandle) -> Bool {
    switch (request.reach, firstPeer) {
    case (.publicOnly, _): false
    case (.anywhere, _): true
    case (.host(let host), _): easy.hop?.isAt(host) == true
    case (.typed, nil): isFirstHop(easy)
    // Once it is known where the typed name leads, nothing else of the transfer changes that.
    case (.typed, .private(let host)): easy.hop?.isAt(host) == true
    case (.typed, .public), (.typed, .proxy): false
    }
  }

  private func peer(_ address: IPAddress, _ easy: EasyHandle) -> NetworkPeer? {
    guard isFirstHop(easy) else { return nil }
    if rules.classify(address) == .public { return .public }
    return easy.hop.map { .private(host: $0.host) }
  }

  private func isFirstHop(_ easy: EasyHandle) -> Bool {
    redirectsBefore + easy.redirectCount == 0
  }
}
