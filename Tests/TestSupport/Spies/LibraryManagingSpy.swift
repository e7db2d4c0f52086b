package import Models
package import Workers

/// Stores followed folders; records other requests, and returns the given answers.
package final class LibraryManagingSpy: LibraryManaging {
  package enum Event: Equatable, Sendable {
    case removal(id: Int64, isPurging: Bool)
    case change(FeedChange, id: Int64)
    case obstacle(id: Int64, WebAddress)
    case setPinned(Bool, imageIDs: [Int64])
    case takeNewer(imageID: Int64)
  }

  package var events: [Event] { recorded.withLock { $0 } }
  package var followed: [String: FollowedFolder] { folders.withLock { $0 } }
  private let recorded = Locked<[Event]>([])
  private let folders: Locked<[String: FollowedFolder]>
  private let removed: RemovedFeed?
  private let changed: Feed?
  private let obstacle: FolderMoveObstacle?
  private let missing: Set<Int64>
  private let error: StoreError?
  private let failures: Int

  /// Creates a spy with its answers; it knows every image that is not in `missing`.
  ///
  /// If there is an error, so many changes throw it, and usually every change.
  package init(
    removed: RemovedFeed? = nil,
    changed: Feed? = nil,
    obstacle: FolderMoveObstacle? = nil,
    missing: Set<Int64> = [],
    folders: [FollowedFolder] = [],
    error: StoreError? = nil,
    failures: Int = .max
  ) {
    self.removed = removed
    self.changed = changed
    self.obstacle = obstacle
    self.missing = missing
    self.folders = Locked(Dictionary(uniqueKeysWithValues: folders.map { ($0.path, $0) }))
    self.error = error
    self.failures = failures
  }

  package func removeFeed(id: Int64, purging: Bool) throws(StoreError) -> RemovedFeed? {
    try note(.removal(id: id, isPurging: purging))
    return removed
  }

  package func set(_ change: FeedChange, ofFeed id: Int64) throws(StoreError) -> Feed? {
    try note(.change(change, id: id))
    return changed
  }

  package func obstacle(
    toMoving id: Int64,
    toFolder address: WebAddress
  ) throws(StoreError) -> FolderMoveObstacle? {
    try note(.obstacle(id: id, address))
    return obstacle
  }

  package func setPinned(_ isPinned: Bool, imageIDs: [Int64]) throws(StoreError) -> [Int64] {
    try note(.setPinned(isPinned, imageIDs: imageIDs))
    return imageIDs.filter { !missing.contains($0) }
  }

  package func takeNewer(imageID: Int64) throws(StoreError) -> Bool {
    try note(.takeNewer(imageID: imageID))
    return !missing.contains(imageID)
  }

  package func followedFolders() -> [FollowedFolder] {
    followed.values.sorted { $0.path < $1.path }
  }

  package func follow(_ folder: FollowedFolder) {
    folders.withLock { $0[folder.path] = folder }
  }

  package func unfollow(folderAt path: String) { folders.withLock { $0[path] = nil } }

  private func note(_ event: Event) throws(StoreError) {
    let count = recorded.withLock { events in
      events.append(event)
      return events.count
    }
    if let error, count <= failures { throw error }
  }
}
