package import FoundationEssentials
import Glibc
import LibraryFiles
package import Models
import Store
package import Workers

extension SQLiteLibrary: FeedStoring {
  /// Moves the log into the database, or flushes the log itself when it cannot be moved.
  ///
  /// The log cannot be moved while a reader needs it, or when the disk is full. Neither step waits for a reader.
  /// Afterwards, the room of the holes that existed before is given back.
  package func flush() async throws(StoreError) {
    try await onWrites { () throws(StoreError) in try self.flushNow() }
  }

  func flushNow() throws(StoreError) {
    let holes = try newHoles()
    isUnflushed.withLock { $0 = false }
    do throws(StoreError) {
      try stopwatch.measure(.flushing) { () throws(StoreError) in try bringToDisk() }
    } catch {
      isUnflushed.withLock { $0 = true }
      throw error
    }
    try giveBack(holes)
    stopwatch?.add { $0.counts.flushes += 1 }
  }

  /// Flushes the writes since the last flush; opens no connection if there were none.
  package func settle() throws(StoreError) {
    if isUnflushed.withLock({ $0 }) { try flushNow() }
  }

  private func bringToDisk() throws(StoreError) {
    if try !emptyLog() { try FileSystem.sync(file: folder.log) }
    _ = try writeConnection.opened()
  }

  /// Moves the log into the database; says whether all of it was moved.
  ///
  /// On a full disk it is not moved, and is as safe in the log.
  private func emptyLog() throws(StoreError) -> Bool {
    let connection = try writeConnection.opened()
    do throws(StoreError) {
      return try StoreError.catching(folder.database) {
        try connection.use { db in
          db.sqlite.wait(0)
          defer { db.sqlite.wait(Limits.busyMilliseconds) }
          // The first checkpoint does most of the work, and blocks no writer.
          try db.run("PRAGMA wal_checkpoint(PASSIVE)")
          return try db.value("PRAGMA wal_checkpoint(TRUNCATE)") == 0
        }
      }
    } catch  where error.reason == .full {
      return false
    }
  }
}

extension SQLiteLibrary {
  package func lockFeed(
    at address: WebAddress,
    now: Date
  ) async throws(StoreError) -> FeedLockResult {
    try await onWrites { () throws(StoreError) in
      _ = try self.writeConnection.opened()
      let folder = self.folder
      try self.makeLocks()
      let path = folder.lock(feedAt: address)
      guard let lock = try FileLock.take(path) else {
        return .held(by: LockHolder(text: FileLock.text(of: path)))
      }
      lock.write(LockHolder(process: Int(getpid()), since: now).text)
      return .taken(FeedLock { lock.release() })
    }
  }
}

extension SQLiteLibrary {
  /// Makes the folder of locks unless it exists.
  func makeLocks() throws(StoreError) {
    if !FileSystem.isFolder(folder.locks) { _ = try FileSystem.makeFolder(folder.locks) }
  }

  /// The processes of this machine that have locked a feed.
  package func nodes() async throws(StoreError) -> [Node] {
    let machine = ProcessInfo.processInfo.hostName
    var nodes: [Int: Node] = [:]
    let feeds = try await feeds()
    let held = Set(FileLock.held(among: feeds.map { folder.lock(feedAt: $0.address) }))
    for feed in feeds {
      let path = folder.lock(feedAt: feed.address)
      guard held.contains(path), let holder = LockHolder(text: FileLock.text(of: path)),
        holder.process != Int(getpid())
      else { continue }
      var node =
        nodes[holder.process]
        ?? Node(machine: machine, process: holder.process, since: holder.since)
      node.since = min(node.since, holder.since)
      let synced = SyncedFeed(
        id: feed.id,
        title: feed.title,
        address: feed.address.text,
        since: holder.since
      )
      node.feeds.append(synced)
      nodes[holder.process] = node
    }
    return nodes.values.sorted { $0.process < $1.process }
  }
}

extension SQLiteLibrary: HostPausing {
  /// The date until which a host has asked for a pause; nil without a library, which is not created for this.
  package func pause(of host: String) throws(StoreError) -> Date? {
    do throws(StoreError) {
      return try read { db in try HostQueries.pause(of: host, db) }
    } catch  where error.reason == .noLibrary {
      return nil
    }
  }

  package func notePause(of host: String, until date: Date) throws(StoreError) {
    try write { db in try HostQueries.notePause(of: host, until: date, db) }
  }
}
