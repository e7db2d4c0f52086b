import FoundationEssentials
import LibraryFiles
package import Models
import Store
package import Workers

extension SQLiteLibrary: ChangeFollowing {
  package func prepareForFollowers() async throws(StoreError) {
    // A library that cannot be written cannot have been changed either.
    let isWritable = FileSystem.isWritable(folder.path)
    guard isWritable, try FileSystem.isThere(folder.database) else { return }
    try await onWrites { () throws(StoreError) in
      // Opening the connection checks whether a backup was restored.
      _ = try self.writeConnection.opened()
      try self.write { db in try ChangeLog.prune(db) }
      try self.sealPacks()
    }
  }

  package var changeMark: Int? {
    try? commits.opened().use { db in db.sqlite.commitMark() }
  }

  package func noteFollowed(_ version: LibraryVersion) async throws(StoreError) {
    let isNew = followed.withLock { followed in
      defer { followed = version }
      return followed != version
    }
    guard isNew, FileSystem.isWritable(folder.path) else { return }
    try await onWrites { () throws(StoreError) in
      if let note = FollowedState(in: self.folder), note.version.library == version.library,
        note.version.epoch == version.epoch, note.version.number > version.number
      {
        // A backup of the database was restored while this process was running.
        let connection = try self.writeConnection.opened()
        return try StoreError.catching(self.folder.database) {
          try connection.use { db in
            try FollowedState.noticeRestore(db, in: self.folder)
          }
        }
      }
      try FollowedState(version, in: self.folder).write(in: self.folder)
    }
  }

  package func changePage(_ request: ChangeRequest) async throws(StoreError) -> ChangePage {
    try await reading(orNone: .none) { [parts] db in
      try ChangePages.page(request, db) { version in
        try parts.images(of: request.part, in: version) {
          try ImageListing(ImageQuery(part: request.part), db).unsortedIDs(db)
        }
      } feed: { id in
        try FeedQueries.feed(id: id, db)
      }
    }
  }

  package func tree() async throws(StoreError) -> LibraryTree? {
    try await reading(orNone: nil) { db in try TreeQueries.tree(db) }
  }

  package func images(
    ofFeed feedID: Int64,
    month: Int,
    ids: ClosedRange<Int64>
  ) async throws(StoreError) -> [ImageState] {
    try await reading { db in
      try TreeQueries.images(ofFeed: feedID, month: month, ids: ids, db)
    }
  }

  package func pack(_ hash: SHA256Digest) async throws(StoreError) -> SealedPack? {
    try await onReads(.short) { () throws(StoreError) in try self.sealedPack(hash) }
  }

  package func changeCounts(after number: Int64) async throws(StoreError) -> ChangeCounts {
    try await reading(.short, orNone: ChangeCounts()) { db in
      try ChangeLog.counts(after: number, db)
    }
  }
}

extension SQLiteLibrary {
  package func takeNewer(imageID: Int64) async throws(StoreError) -> Bool {
    let (folder, now) = (folder, Date())
    let hasOriginal = try await changing { db in
      let before = try SuccessorQueries.takeOriginal(imageID: imageID, in: folder, now: now, db)
      if let before {
        let id = try OriginalQueries.originalID(of: imageID, db)
        if let id { try BoundQueries.note(now.storedSeconds, original: id, db) }
        try BoundQueries.noteUnreferred(original: before, db)
      }
      return before != nil
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

  package func setPinned(_ isPinned: Bool, imageIDs: [Int64]) async throws(StoreError) -> [Int64] {
    let now = Date().storedSeconds
    return try await changing { db in try PinQueries.set(isPinned, imageIDs, now: now, db) }
  }
}
