import FoundationEssentials
import LibraryFiles
import Store
package import Workers

/// Cleans the library in many short transactions, as removing does.
///
/// Each transaction checks again that its rows and files may be deleted, so a sync that runs at the same time loses
/// nothing. The tables decide this, after a check of them. Nothing behind a symbolic link is deleted, except behind the
/// link that the user has confirmed for originals.
extension SQLiteLibrary: LibraryCleaning {
  package func clean(_ plan: CleaningPlan) async throws(StoreError) -> CleanedLibrary {
    try await onWrites { () throws(StoreError) in try self.cleanNow(plan) }
  }

  private func cleanNow(_ plan: CleaningPlan) throws(StoreError) -> CleanedLibrary {
    // The pictures that a backup keeps of removed images go as in any library.
    writesCopies.withLock { $0 = true }
    try checkFolders(plan)
    try checkSound()
    let trash = Trash(folder, isImmediate: plan.isImmediate)
    var cleaned = try found(trash)
    if plan.isRehearsal || cleaned.isEmpty { return cleaned }
    let emptied = cleaned.emptied
    cleaned = CleanedLibrary()
    try trash.empty()
    cleaned.emptied = emptied
    try purgeRemovedFeeds(&cleaned, trash)
    try deleteUnreferredOriginals(&cleaned, trash)
    try deleteStrays(&cleaned, trash)
    try write { db in
      try SuccessorQueries.forgetOldFormer(db)
      // The rows of a backup are those of its library, which deletes them.
      if try !CopyNotes.isBackup(db) { try DetailQueries.forgetUnused(db) }
    }
    while try write(RemovalQueries.shrink) {}
    try flushNow()
    cleaned.trash = try trash.content().all
    return cleaned
  }

  /// Throws when a folder is a symbolic link, unless it is the link that the user has confirmed for originals.
  private func checkFolders(_ plan: CleaningPlan) throws(StoreError) {
    let meant = try read(RemovalQueries.linkedOriginals)
    let target = folder.linkToMean(plan, meant: meant)
    if let target, !plan.isRehearsal {
      try write { db in try RemovalQueries.setLinkedOriginals(target, db) }
    }
    let folders = [folder.thumbnails, folder.partial, folder.locks, folder.trash]
    try folder.checkNoLinks(at: folders, meant: target ?? meant)
  }

  /// The files and rows that a cleaning would remove.
  private func found(_ trash: Trash) throws(StoreError) -> CleanedLibrary {
    let listing = FolderListing(folder)
    let strays = StrayFiles(listing)
    let locks = try listing.staleLocks()
    let content = try trash.content()
    return try read { db in
      var found = CleanedLibrary()
      (found.trash, found.emptied) = content
      let feeds = try VerificationQueries.removedFeeds(db)
      found.feeds = feeds.count
      for feed in feeds { found.images += try VerificationQueries.imageCount(feedID: feed, db) }
      for file in try VerificationQueries.originalsOfRemovedFeeds(db) {
        found.add(original: file.bytes)
      }
      for file in try VerificationQueries.unreferredOriginals(db) {
        found.add(original: file.bytes)
      }
      let files = try strays.originals(db) + strays.packs(db) + strays.partials(db) + locks
      for file in files { found.add(file: file.bytes) }
      return found
    }
  }

  private func purgeRemovedFeeds(
    _ cleaned: inout CleanedLibrary,
    _ trash: Trash
  ) throws(StoreError) {
    for id in try read(VerificationQueries.removedFeeds) {
      let before = try read(VerificationQueries.originalsOfRemovedFeeds)
      guard let removed = try purge(feedID: id, into: trash) else { continue }
      cleaned.feeds += 1
      cleaned.images += removed.images
      for file in before where FileSystem.size(of: path(of: file)) == nil {
        cleaned.add(original: file.bytes)
      }
    }
  }

  private func deleteUnreferredOriginals(
    _ cleaned: inout CleanedLibrary,
    _ trash: Trash
  ) throws(StoreError) {
    let files = try read(VerificationQueries.unreferredOriginals)
    let deleted = Set(try deleteOriginals(files.map(\.id), into: trash))
    for file in files where deleted.contains(file.id) { cleaned.add(original: file.bytes) }
  }

  private func deleteStrays(
    _ cleaned: inout CleanedLibrary,
    _ trash: Trash
  ) throws(StoreError) {
    let listing = FolderListing(folder)
    let strays = StrayFiles(listing)
    // Each file has its own transaction. An original gets its name and its row in one transaction, and a pack gets its
    // row before its file. So every new file has its row by now.
    for file in try read(strays.originals) + read(strays.packs) {
      let isTaken = try write { db in
        try strays.isReferred(file.path, db) ? false : trash.take(file.path)
      }
      if isTaken { cleaned.add(file: file.bytes) }
    }
    for file in try read(strays.partials)
    where try FileSystem.takeUnlocked(file.path, trash.take) {
      cleaned.add(file: file.bytes)
    }
    // A lock file has no content worth keeping, so it is deleted and not moved to the trash.
    for file in try listing.staleLocks()
    where try FileSystem.takeUnlocked(file.path, FileSystem.remove) {
      cleaned.add(file: file.bytes)
    }
  }
}

extension CleanedLibrary {
  fileprivate mutating func add(original bytes: Int) {
    originals += 1
    self.bytes += bytes
  }

  fileprivate mutating func add(file bytes: Int) {
    files += 1
    self.bytes += bytes
  }
}
