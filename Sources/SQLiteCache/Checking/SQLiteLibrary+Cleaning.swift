import FoundationEssentials
import GRDB
import Glibc
package import Workers

/// Cleaning takes many short transactions, as removing does; each looks anew at what it deletes, so
/// that a sync beside it loses nothing.
extension SQLiteLibrary: LibraryCleaning {
  package func clean(isRehearsal: Bool) throws(StoreError) -> CleanedLibrary {
    var cleaned = try found()
    if isRehearsal || cleaned.isEmpty { return cleaned }
    cleaned = CleanedLibrary()
    try purgeRemovedFeeds(&cleaned)
    try deleteUnreferredOriginals(&cleaned)
    try deleteStrays(&cleaned)
    while try write(RemovalQueries.shrink) {}
    try flush()
    return cleaned
  }

  /// What there is to delete.
  private func found() throws(StoreError) -> CleanedLibrary {
    let strays = StrayFiles(folder: folder, now: Date())
    let locks = try StaleLocks(folder: folder, now: Date()).files()
    return try reader.read { db in
      var found = CleanedLibrary()
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

  private func purgeRemovedFeeds(_ cleaned: inout CleanedLibrary) throws(StoreError) {
    for id in try reader.read(VerificationQueries.removedFeeds) {
      let before = try reader.read(VerificationQueries.originalsOfRemovedFeeds)
      guard let removed = try purge(feedID: id) else { continue }
      cleaned.feeds += 1
      cleaned.images += removed.images
      for file in before where FileSystem.size(of: path(of: file)) == nil {
        cleaned.add(original: file.bytes)
      }
    }
  }

  private func deleteUnreferredOriginals(_ cleaned: inout CleanedLibrary) throws(StoreError) {
    for file in try reader.read(VerificationQueries.unreferredOriginals)
    where try deleteOriginal(id: file.id) {
      cleaned.add(original: file.bytes)
    }
  }

  private func deleteStrays(_ cleaned: inout CleanedLibrary) throws(StoreError) {
    let strays = StrayFiles(folder: folder, now: Date())
    // In a transaction each: a file that has just got its name gets its row before this one begins, and
    // a pack has its row before its file.
    for file in try reader.read(strays.originals) + reader.read(strays.packs) {
      let isDeleted = try write { db in
        try strays.isReferred(file.path, db) ? false : FileSystem.remove(file.path)
      }
      if isDeleted { cleaned.add(file: file.bytes) }
    }
    let locks = try StaleLocks(folder: folder, now: Date()).files()
    for file in try reader.read(strays.partials) + locks where try removeUnlocked(file.path) {
      cleaned.add(file: file.bytes)
    }
  }

  /// Deletes a file unless a process is writing it.
  private func removeUnlocked(_ path: String) throws(StoreError) -> Bool {
    let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { close(file) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return false }
    return try FileSystem.remove(path)
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
