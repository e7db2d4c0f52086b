package import Workers

/// Removes nothing; notes what it is to remove, and answers as it was told.
package final class FeedRemovingStub: FeedRemoving {
  package struct Removal: Equatable, Sendable {
    package var id: Int64
    package var isPurging: Bool

    package init(id: Int64, isPurging: Bool) {
      self.id = id
      self.isPurging = isPurging
    }
  }

  package var removals: [Removal] { recorded.withLock { $0 } }
  private let recorded = Locked<[Removal]>([])
  private let result: Result<RemovedFeed?, StoreError>

  package init(_ result: Result<RemovedFeed?, StoreError> = .success(nil)) { self.result = result }

  package func removeFeed(id: Int64, purging: Bool) throws(StoreError) -> RemovedFeed? {
    recorded.withLock { $0.append(Removal(id: id, isPurging: purging)) }
    return try result.get()
  }
}
