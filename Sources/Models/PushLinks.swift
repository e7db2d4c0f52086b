package import FoundationEssentials

/// The links by which a program can subscribe to a document (WebSub, section 4).
package struct PushLinks: Sendable, Equatable {
  /// The server that tells subscribers when the document changes.
  package var hub: WebAddress?
  /// The address by which that server knows the document.
  package var topic: WebAddress?

  /// The most bytes of either address; a longer one counts as missing.
  private static let addressBytes = 2_048
  /// The most addresses of hubs that are looked at; the first that can be asked is taken.
  package static let hubsLookedAt = 8

  package init() {}

  package init(hubs: [WebAddress], topic: WebAddress?) {
    hub = hubs.first(where: Self.isUsable)
    self.topic = topic.flatMap { Self.isUsable($0) ? $0 : nil }
  }

  /// Whether there is all that a subscription needs.
  package var isComplete: Bool { hub != nil && topic != nil }

  /// These, and those of another place where one is missing here.
  package func filled(from other: PushLinks) -> PushLinks {
    var links = self
    links.hub = hub ?? other.hub
    links.topic = topic ?? other.topic
    return links
  }

  /// Whether it is an address of the web without a login: none goes to a hub.
  private static func isUsable(_ address: WebAddress) -> Bool {
    address.isWeb && address.text.utf8.count <= addressBytes
      && address.authority?.utf8.contains(UInt8(ascii: "@")) == false
  }
}

extension Feed {
  /// The seconds after which a feed is asked at the latest although its hub tells of changes.
  package static let pollSeconds = 86_400.0

  /// When a program that hears its hub asks for it, if the hub does not tell of a change before; nil to ask at once.
  ///
  /// It is the usual time for a feed without a subscription, and again once the lease has ended. It is also the
  /// usual time after a failure, and for a feed for which the user has fixed the time.
  package var dueBesideHub: Date? {
    guard let due, let leaseEnd, let lastSync, schedule.givenInterval == nil,
      schedule.failures == 0
    else { return due }
    return max(due, min(lastSync.addingTimeInterval(Self.pollSeconds), leaseEnd))
  }
}
