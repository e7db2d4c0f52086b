import Models
import Workers

/// Decides whether a transfer may connect to an address, and whether it may use an existing connection.
///
/// libcurl asks before it opens a socket and before it sends a request, including after redirects. The second question
/// is needed because connections are reused. A connection that one feed was allowed to make must not serve a feed that
/// was not allowed to make it.
extension Transfer {
  /// Decides before libcurl opens a socket; nil means an unknown address family.
  ///
  /// After a refusal, libcurl tries the host's next address.
  func mayConnect(to address: IPAddress?) -> Bool {
    guard let easy, isOnItsWay(easy) else { return false }
    if easy.route != .direct { return true }
    let refusal = refusal(of: address, easy)
    current.sockets.note(refusal, afterRedirects: easy.redirectCount)
    return refusal == nil
  }

  /// Decides before libcurl sends a request to a peer, whose address is given as text.
  func mayAsk(_ peer: UnsafePointer<CChar>) -> Bool {
    guard let easy, isOnItsWay(easy) else { return false }
    guard easy.route == .direct else {
      firstPeer = firstPeer ?? .proxy
      return true
    }
    // The peer has closed the connection, so its address is unknown.
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

  /// Whether the handle's route is right for the current URL; refuses the transfer otherwise.
  ///
  /// The route is set at the start of an attempt, and a redirect that needs another route is a detour. So the route can
  /// be wrong only if libcurl parses the target differently from `WebAddress`.
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

  /// Whether an IPv6 address has a zone, which is valid only on this machine (RFC 4007, section 11).
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
    // The first connection to the typed name decides for all later connections.
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

/// The decisions about the addresses of one hop's host.
struct HopSockets {
  /// The number of redirects before the hop.
  private var redirects = 0
  private var isOpened = false
  private var refused: HostRefusal?

  /// The last refusal, if all addresses were refused; nil when a socket was opened, so that the connection itself
  /// failed.
  var refusal: HostRefusal? { isOpened ? nil : refused }

  /// Records the decision about one address; nil allows it.
  mutating func note(_ refusal: HostRefusal?, afterRedirects redirects: Int) {
    if redirects != self.redirects { self = HopSockets(redirects: redirects) }
    if let refusal { refused = refusal } else { isOpened = true }
  }

  init(redirects: Int = 0) { self.redirects = redirects }
}

/// The rules for connections that apply to all transfers.
struct ReachRules: Sendable {
  let proxies: ProxySettings
  /// Classifies an address; tests replace it.
  let classify: @Sendable (IPAddress) -> AddressClass
}
