import Models
import Workers

extension FeedSync {
  /// Locks a feed under its stored address, once no other sync holds it.
  ///
  /// Another process may have changed that address in the meantime.
  ///
  /// - Returns: The lock, the address, and the stored feed, which is nil if it is not followed.
  /// - Throws: when the sync was stopped, when the other process takes too long, and when the library cannot be read or
  ///   written.
  func lockFeed(
    at address: WebAddress
  ) async throws(Failure) -> (FeedLock, WebAddress, Feed?) {
    var stored = address
    while true {
      let lock = try await waitForLock(of: stored)
      let known = try await tools.knownFeed(at: stored)
      guard let current = known?.address, current.identity != stored.identity else {
        return (lock, stored, known)
      }
      lock.release()
      stored = current
    }
  }

  /// Locks the feed whose place this one takes, so that no other sync writes it meanwhile; nil if there is none.
  func lockFormer(besides known: Feed?) async throws(Failure) -> FeedLock? {
    guard let former = try await former(besides: known), former.id != known?.id,
      former.address.identity != summary.address.identity
    else { return nil }
    return try await waitForLock(of: former.address)
  }

  /// The followed feed that the user has named as the former one, or a gallery at the same place with another token.
  private func former(besides known: Feed?) async throws(Failure) -> Feed? {
    if let address = plan.formerFolder ?? plan.formerGallery {
      // The feeds of a list, which are synced at the same time, take nothing over.
      guard item.source == nil || gallery != nil else { return nil }
      return try await tools.knownFeed(at: address)
    }
    guard known == nil, let place = gallery?.base.placeIdentity else { return nil }
    return try await Failure.ofStore(await tools.store.feeds(), withoutLibrary: [])
      .first { $0.isGallery && $0.address.placeIdentity == place }
  }

  /// Waits for another process that has the lock, for a limited time; a watch does not wait.
  private func waitForLock(of address: WebAddress) async throws(Failure) -> FeedLock {
    var holder: LockHolder?
    for attempt in 0..<SyncLimits.lockTries {
      switch try await Failure.ofStore(await tools.store.lockFeed(at: address, now: tools.now())) {
      case .taken(let lock): return lock
      case .held(let process): holder = process
      }
      if plan.isWatching { throw .locked(by: holder) }
      if attempt == 0 { shared.teller.yield(.notice(.waiting(for: holder, feed: address))) }
      guard (try? await tools.pause(SyncLimits.lockRetry)) != nil else { throw .interrupted }
    }
    throw .locked(by: holder)
  }
}
