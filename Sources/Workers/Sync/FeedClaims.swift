import Models

/// Which feeds a sync has taken on: however many addresses lead to one, it is synced once.
final class FeedClaims: Sendable {
  private let addresses = Locked<Set<String>>([])

  /// Takes a feed on; false when that has been done already.
  func take(_ address: WebAddress) -> Bool {
    addresses.withLock { $0.insert(address.identity).inserted }
  }
}
