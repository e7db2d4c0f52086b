package import FoundationEssentials
package import Models

/// A subscription of a feed at a hub, from its first request to its end.
package struct Subscription: Sendable, Equatable {
  package var feedID: Int64
  package var hub: WebAddress
  /// The address by which the hub knows the feed.
  package var topic: WebAddress
  /// Where the hub delivers; its last part is the path, which only the hub gets.
  package var callback: WebAddress
  /// The key of the signatures of its deliveries.
  package var secret: String
  /// How far the feed leads, so that a hub can be told after the feed was removed.
  package var reach: FeedReach?
  /// Whether it is to end, because the feed was removed or names another hub.
  package var isEnding = false
  /// Until when the hub delivers; nil before it has confirmed.
  package var leaseEnd: Date?
  /// When the hub is asked next, if it does not ask itself before.
  package var nextTry: Date
  /// How often the hub was asked since it confirmed last.
  package var tries = 0

  package init(
    feedID: Int64,
    hub: WebAddress,
    topic: WebAddress,
    callback: WebAddress,
    secret: String,
    reach: FeedReach?,
    nextTry: Date
  ) {
    self.feedID = feedID
    self.hub = hub
    self.topic = topic
    self.callback = callback
    self.secret = secret
    self.reach = reach
    self.nextTry = nextTry
  }

  /// The last part of the callback: it is unguessable, and tells subscriptions apart.
  package var path: String { callback.text.split(separator: "/").last.map(String.init) ?? "" }
}
