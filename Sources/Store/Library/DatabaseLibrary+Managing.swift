package import Models
package import Workers

/// What users change: a part of `LibraryManaging`.
///
/// What a user has decided is flushed at once. A database server does so itself.
extension DatabaseLibrary where Self: FeedStoring & PictureStoring {
  package func set(_ change: FeedChange, ofFeed id: Int64) async throws(StoreError) -> Feed? {
    let feed = try await changing { db in try FeedQueries.set(change, ofFeed: id, db) }
    if feed != nil { try await flush() }
    return feed
  }

  package func obstacle(
    toMoving id: Int64,
    toFolder address: WebAddress
  ) async throws(StoreError) -> FolderMoveObstacle? {
    try await reading(.short) { db in
      try AliasQueries.obstacle(toMoving: id, toFolder: address, db)
    }
  }

  package func setPinned(_ isPinned: Bool, imageIDs: [Int64]) async throws(StoreError) -> [Int64] {
    let now = now().storedSeconds
    return try await changing { db in try PinQueries.set(isPinned, imageIDs, now: now, db) }
  }

  package func takeNewer(imageID: Int64) async throws(StoreError) -> Bool {
    let now = now()
    let hasOriginal = try await changing { [folder] db in
      let before = try SuccessorQueries.takeOriginal(imageID: imageID, in: folder, now: now, db)
      guard let before else { return false }
      try BoundQueries.noteTaken(imageID: imageID, insteadOf: before, now: now, db)
      return true
    }
    let found = try await reading { db in
      try SuccessorQueries.thumbnail(besideThatOf: imageID, now: now, db)
    }
    guard let found else { return hasOriginal }
    // A thumbnail that changes alone outdates the original.
    let batch =
      hasOriginal
      ? PictureBatch(new: [found.thumbnail]) : PictureBatch(changed: [found.thumbnail])
    try await store(batch, found.kind)
    return true
  }

  package func followedFolders() async throws(StoreError) -> [FollowedFolder] {
    try await asking(.short) { [machine] db in try FollowedFolders.all(of: machine, db) }
  }

  package func follow(_ folder: FollowedFolder) async throws(StoreError) {
    try await writing { [machine] db in try FollowedFolders.store(folder, of: machine, db) }
    try await flush()
  }

  package func unfollow(folderAt path: String) async throws(StoreError) {
    try await changing { [machine] db in try FollowedFolders.forget(path, of: machine, db) }
    try await flush()
  }
}
