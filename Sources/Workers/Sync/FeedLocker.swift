import Models

/// Takes the lock of a feed, and waits for another process that has it; not for ever.
struct FeedLocker {
  let tools: SyncTools
  let teller: AsyncStream<SyncFact>.Continuation

  /// Locks a feed under the address that it is stored under once nobody else syncs it: another
  /// process may have given it a new one meanwhile.
  ///
  /// - Returns: The lock, the address, and the feed as it is since; nil when it is not followed.
  /// - Throws: when it was asked to stop, when the other takes too long, and when the library
  ///   cannot be read or written.
  func lockFeed(
    at address: WebAddress
  ) async throws(Failure) -> (any FeedLock, WebAddress, Feed?) {
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

  private func waitForLock(of address: WebAddress) async throws(Failure) -> any FeedLock {
    var holder: LockHolder?
    for attempt in 0..<SyncLimits.lockTries {
      switch try await tryLock(address) {
      case .taken(let lock): return lock
      case .held(let process): holder = process
      }
      if attempt == 0 { teller.yield(.notice(.waiting(for: holder, feed: address))) }
      do {
        try await tools.pause(SyncLimits.lockRetry)
      } catch {
        throw .interrupted
      }
    }
    throw .locked(by: holder)
  }

  private func tryLock(_ address: WebAddress) async throws(Failure) -> FeedLockResult {
    do {
      return try await tools.locks.lockFeed(at: address, now: tools.now())
    } catch {
      throw .store(error)
    }
  }
}
