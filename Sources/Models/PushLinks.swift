package import FoundationEssentials

/// The links by which a program can subscribe to a document (WebSub, section 4).
package struct PushLinks: Sendable, Equatable {
  /// The server that notifies subscribers of changes to the document.
  package var hub: WebAddress?
  /// The address by which that server knows the document.
  package var topic: WebAddress?

  /// The most bytes of either address; a longer one counts as missing.
  private static let addressBytes = 2_048
  /// The most hub addresses that are examined; the first usable one is taken.
  package static let hubsLookedAt = 8

  package init() {}

  package init(hubs: [WebAddress], topic: WebAddress?) {
    hub = hubs.first(where: Self.isUsable)
    self.topic = topic.flatMap { Self.isUsable($0) ? $0 : nil }
  }

  /// Whether it has both addresses that a subscription needs.
  package var isComplete: Bool { hub != nil && topic != nil }

  /// Returns these links, with missing ones filled in from another place.
  package func filled(from other: PushLinks) -> PushLinks {
    var links = self
    links.hub = hub ?? other.hub
    links.topic = topic ?? other.topic
    return links
  }

  /// Whether it is a web address without a login, which must not be sent to a hub.
  private static func isUsable(_ address: WebAddress) -> Bool {
    address.isWeb && address.text.utf8.count <= addressBytes
      && address.authority?.utf8.contains(UInt8(ascii: "@")) == false
  }
}

extension Feed {
  /// The longest time between two requests for a feed with a subscription, in seconds.
  package static let pollSeconds = 86_400.0

  /// The time at which a program with a subscription asks for the feed without a delivery; nil for immediately.
  ///
  /// The usual schedule applies to a feed without a subscription, and once the lease has ended. It also applies after a
  /// failure, and to a feed whose interval the user has set.
  package var dueBesideHub: Date? {
    guard let due, let leaseEnd, let lastSync, schedule.givenInterval == nil,
      schedule.failures == 0
    else { return due }
    return max(due, min(lastSync.addingTimeInterval(Self.pollSeconds), leaseEnd))
  }
}
