package import FoundationEssentials
import Glibc
package import Models
import Store
package import Workers

extension PostgresLibrary {
  /// Locks a feed and its host with leases, which this process renews while it holds them.
  ///
  /// Only one process at a time has a host, so the limits for the host hold across all machines.
  package func lockFeed(
    at address: WebAddress,
    now: Date
  ) async throws(StoreError) -> FeedLockResult {
    let keys = [address.identity] + (address.host.map { ["host \($0)"] } ?? [])
    let other = try await locking { [leases, holder, self] db -> LockHolder? in
      guard leases.withLock({ $0.begin(address.identity) }) else {
        return LockHolder(process: Int(getpid()), since: now)
      }
      var isTaken = false
      defer { if !isTaken { leases.withLock { $0.end(address.identity) } } }
      let asked = Date()
      switch try FeedLeases.take(keys, for: holder, now: now, db) {
      case .held(let other): return other
      case .taken(let fences, let serverTime):
        noteTime(ofServer: Double(serverTime), asked: asked)
        leases.withLock { $0.hold(fences) }
        isTaken = true
        return nil
      }
    }
    if let other { return .held(by: other) }
    renewLeases()
    return .taken(FeedLock { self.giveBack(keys) })
  }

  private func giveBack(_ keys: [String]) {
    locks.start { [self] lane in
      let free = leases.withLock { $0.release(keys) }
      guard let db = lane.openedConnection else { return }
      try? FeedLeases.delete(free, of: holder, db)
    }
  }

  /// Renews the leases of this process while it has any.
  private func renewLeases() {
    guard leases.withLock({ $0.startRenewing() }) else { return }
    Task.detached { [weak self] in
      while let keys = self?.leases.withLock({ $0.toRenew() }) {
        if !keys.isEmpty {
          _ = try? await self?.locking { [holder = self?.holder ?? 0] db in
            try FeedLeases.renew(keys, of: holder, db)
          }
        }
        try? await Task.sleep(for: .seconds(FeedLeases.renewal))
      }
    }
  }
}

extension PostgresLibrary {
  package func nodes() async throws(StoreError) -> [Node] { try await reading(FeedLeases.nodes) }
}

extension PostgresLibrary: HostPausing {
  /// Returns nil when the database has no library.
  package func pause(of host: String) throws(StoreError) -> Date? {
    do throws(StoreError) {
      return try askingNow { db in try HostQueries.pause(of: host, db) }
    } catch  where error.reason == .noLibrary {
      return nil
    }
  }

  package func notePause(of host: String, until date: Date) throws(StoreError) {
    try writingNow { db in try HostQueries.notePause(of: host, until: date, db) }
  }

  package func noteSilence(of host: String, until date: Date) throws(StoreError) {
    try notePause(of: host, until: date)
  }
}
