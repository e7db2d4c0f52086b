import FoundationEssentials
import Models
package import Workers

extension MemoryLibrary {
  package func subscriptions() throws(StoreError) -> [Subscription] {
    state.withLock { state in
      state.subscriptions.values.sorted { ($0.feedID, $0.path) < ($1.feedID, $1.path) }
    }
  }

  package func subscription(atPath path: String) throws(StoreError) -> Subscription? {
    state.withLock { $0.subscriptions[path] }
  }

  @discardableResult
  package func changeSubscription(
    atPath path: String,
    _ change: @escaping @Sendable (inout Subscription?) -> Void
  ) throws(StoreError) -> Subscription? {
    state.withLock { state in
      change(&state.subscriptions[path])
      return state.subscriptions[path]
    }
  }
}

extension MemoryLibrary.State {
  /// A feed with what its subscription says of it.
  func hearing(_ feed: Feed) -> Feed {
    var feed = feed
    feed.leaseEnd = subscriptions.values.filter { subscription in
      subscription.feedID == feed.id && !subscription.isEnding
        && subscription.hub == feed.push.hub && subscription.topic == feed.push.topic
    }
    .compactMap(\.leaseEnd).filter { $0 > Date() }.max()
    return feed
  }
}
