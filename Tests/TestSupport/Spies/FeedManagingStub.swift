package import Models
package import Workers

/// Changes nothing; notes what it is asked for, and answers as it was told.
package final class FeedManagingStub: FeedManaging {
  package enum Event: Equatable, Sendable {
    case removal(id: Int64, isPurging: Bool)
    case change(FeedChange, id: Int64)
  }

  package var events: [Event] { recorded.withLock { $0 } }
  private let recorded = Locked<[Event]>([])
  private let removed: Result<RemovedFeed?, StoreError>
  private let changed: Result<Feed?, StoreError>

  package init(
    _ removed: Result<RemovedFeed?, StoreError> = .success(nil),
    changed: Result<Feed?, StoreError> = .success(nil)
  ) {
    self.removed = removed
    self.changed = changed
  }

  package func removeFeed(id: Int64, purging: Bool) throws(StoreError) -> RemovedFeed? {
    recorded.withLock { $0.append(.removal(id: id, isPurging: purging)) }
    return try removed.get()
  }

  package func set(_ change: FeedChange, ofFeed id: Int64) throws(StoreError) -> Feed? {
    recorded.withLock { $0.append(.change(change, id: id)) }
    return try changed.get()
  }
}
