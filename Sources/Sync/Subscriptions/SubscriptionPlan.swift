import FoundationEssentials
import Models
import Workers

/// The changes that subscribe each feed at the hub that it names, and end all other subscriptions.
struct SubscriptionPlan {
  /// The most hubs that are asked in one pass; the others wait for the next.
  static let mostAsked = 64

  /// The subscriptions to forget: they are over, or their callbacks do not lead here any more.
  private(set) var over: [Subscription] = []
  /// The subscriptions that begin, end or are renewed now; the one that has waited longest comes first.
  private(set) var due: [Subscription] = []
  /// The feeds that have a subscription.
  private var subscribed: Set<Int64> = []

  /// - Parameters:
  ///   - feeds: The followed feeds.
  ///   - subscriptions: The existing subscriptions.
  ///   - now: The time.
  ///   - callbacks: The common beginning of the addresses of all callbacks.
  ///   - secrets: Makes an unguessable text of 64 hexadecimal digits.
  init(
    feeds: [Feed],
    subscriptions: [Subscription],
    now: Date,
    callbacks: WebAddress,
    secrets: () -> String
  ) {
    let wanted = feeds.filter { $0.isWatched && $0.push.isComplete }
    let links = Dictionary(wanted.map { ($0.id, $0.push) }) { first, _ in first }
    for subscription in subscriptions {
      if subscription.callback.text.hasPrefix(callbacks.text) {
        look(at: subscription, links[subscription.feedID], now)
      } else {
        over.append(subscription)
      }
    }
    for feed in wanted where !subscribed.contains(feed.id) {
      let new = Subscription(of: feed, callbacks: callbacks, secrets: secrets, now: now)
      if let new { due.append(new) }
    }
    due = Array(due.sorted { $0.nextTry < $1.nextTry }.prefix(Self.mostAsked))
  }

  /// Decides on a subscription, by the links that its feed's document names now.
  private mutating func look(at subscription: Subscription, _ links: PushLinks?, _ now: Date) {
    var subscription = subscription
    if !subscription.isEnding {
      // Two servers may each have made one; one is enough.
      let isWanted =
        subscription.isAt(links) && subscribed.insert(subscription.feedID).inserted
      if !isWanted { subscription.end(at: now) }
    }
    if subscription.isOver(at: now) {
      over.append(subscription)
    } else if subscription.nextTry <= now {
      due.append(subscription)
    }
  }
}

extension Subscription {
  /// Whether the subscription is at the hub that a document names, and for that topic.
  fileprivate func isAt(_ links: PushLinks?) -> Bool { links?.hub == hub && links?.topic == topic }

  /// Creates a subscription of a feed; nil if its document names no hub.
  fileprivate init?(of feed: Feed, callbacks: WebAddress, secrets: () -> String, now: Date) {
    guard let hub = feed.push.hub, let topic = feed.push.topic,
      let callback = WebAddress(callbacks.text + secrets())
    else { return nil }
    self.init(
      feedID: feed.id,
      hub: hub,
      topic: topic,
      callback: callback,
      secret: secrets(),
      reach: feed.reach,
      nextTry: now
    )
  }
}
