package import Models

/// To which addresses a transfer may connect, its redirects included.
///
/// What is asked is the address of every connection, never a name: names lead where their owners
/// want, and elsewhere the next moment. Some addresses are never connected to, whatever the reach:
/// link-local, multicast and unspecified ones. Proxies that the user has set up are exempt, and so is
/// what they connect to.
package enum NetworkReach: Sendable, Hashable {
  /// To public addresses alone.
  case publicOnly
  /// Besides, to private ones under this host name, as `NetworkPeer` tells it.
  case host(String)
  /// Besides, to private ones under the host name of the request's own address, provided that the
  /// transfer's first connection leads to one: for an address that the user has typed.
  case typed
  /// Besides, to private ones under any name.
  case anywhere
}

extension NetworkReach {
  /// What a feed's content may be asked with; without knowledge, the narrowest.
  package init(_ reach: FeedReach?) {
    switch reach {
    case nil, .publicOnly: self = .publicOnly
    case .host(let name): self = .host(name)
    case .anywhere: self = .anywhere
    }
  }
}
