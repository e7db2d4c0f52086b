import Models

/// Where the first connection of a transfer led, before any redirect.
package enum NetworkPeer: Sendable, Equatable {
  /// To a public address.
  case `public`
  /// To a private address, under this host name: in the spelling that `NetworkReach` is compared with.
  case `private`(host: String)
  /// To a proxy that the user has set up; what is behind it is not known.
  case proxy
}

extension FeedReach {
  /// What follows for a feed whose address the user has typed; nil when nothing does.
  init?(_ peer: NetworkPeer?) {
    switch peer {
    case .public: self = .publicOnly
    case .private(let host): self = .host(host)
    case .proxy, nil: return nil
    }
  }
}
