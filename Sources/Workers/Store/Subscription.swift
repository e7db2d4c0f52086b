package import FoundationEssentials
package import Models

/// A subscription of a feed at a hub, from its first request to its end.
package struct Subscription: Sendable, Equatable {
  package var feedID: Int64
  package var hub: WebAddress
  /// The address by which the hub knows the feed.
  package var topic: WebAddress
  /// The address to which the hub delivers; only the hub learns the last part of its path.
  package var callback: WebAddress
  /// The key for the signatures of its deliveries.
  package var secret: String
  /// The reach of the feed, which allows a request to the hub after the feed was removed.
  package var reach: FeedReach?
  /// Whether it is to be ended, because the feed was removed or names another hub.
  package var isEnding = false
  /// The end of the lease; nil before the hub has confirmed the subscription.
  package var leaseEnd: Date?
  /// The date of the next request to the hub, unless the hub makes a request before.
  package var nextTry: Date
  /// The number of requests to the hub since its last confirmation.
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

  /// The last part of the callback, which is unguessable and identifies the subscription.
  package var path: String { callback.text.split(separator: "/").last.map(String.init) ?? "" }
}
