package import FoundationEssentials
import GRDB
package import Models
package import Workers

extension SQLiteLibrary: FeedStoring {
  package func prepare() throws(StoreError) { _ = try connection.opened() }

  package func feed(at address: WebAddress) throws(StoreError) -> Feed? {
    try reader.read { db in try FeedQueries.followed(at: address, db) }
  }

  package func members(ofFeedAt address: WebAddress) throws(StoreError) -> [FeedMember] {
    try reader.read { db in try MemberQueries.members(ofFeedAt: address, db) }
  }

  package func listedFeeds(ofListAt address: WebAddress) throws(StoreError) -> ListedFeeds {
    try reader.read { db in try ListQueries.listed(byListAt: address, db) }
  }

  package func noteListedPage(
    at page: WebAddress,
    leadsTo feed: WebAddress
  ) throws(StoreError) {
    try write { db in try ListQueries.note(page: page, leadsTo: feed, db) }
  }

  package func noteSync(
    ofFeedAt address: WebAddress,
    _ note: FeedNote,
    now: Date
  ) throws(StoreError) -> NotedFeed? {
    try write { db in try FeedQueries.take(note, at: address, now: now, db) }
  }

  package func checkRoom(for bytes: Int) throws(StoreError) {
    guard let disk = FileSystem.disk(of: folder.path) else { return }
    let reserve = Limits.reserve(ofDiskWith: disk.total)
    guard disk.free - bytes < reserve else { return }
    let message = "\(disk.free) bytes are free"
    throw StoreError(reason: .reserved(bytes: reserve), path: folder.path, message: message)
  }

  /// Moves as much of the log into the database as no reader needs (sqlite.org/pragma.html,
  /// wal_checkpoint).
  package func prepareFlush() {
    stopwatch.measure(.flushing) {
      try? connection.opened().writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
      }
    }
  }

  /// Moves the log into the database, or else brings the log itself to the disk.
  ///
  /// The latter where a reader still needs the log. Neither waits for a reader. The room of thumbnails
  /// whose rows were gone before is given back then.
  package func flush() throws(StoreError) {
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

  /// Flushes what was written since the last flush; opens nothing where nothing was.
  package func settle() throws(StoreError) {
    if isUnflushed.withLock({ $0 }) { try flush() }
  }

  private func bringToDisk() throws(StoreError) {
    if try !emptyLog() { try FileSystem.sync(file: folder.log) }
    _ = try self.connection.opened()
  }

  /// Says whether the database has all that the log had.
  ///
  /// On a full disk it has not, and the log is as safe.
  private func emptyLog() throws(StoreError) -> Bool {
    let connection = try connection.opened()
    do throws(StoreError) {
      return try StoreError.catching(folder.database) {
        try connection.writeWithoutTransaction { db in
          defer { Self.restoreBusyTimeout(db) }
          try db.execute(sql: "PRAGMA busy_timeout = 0")
          let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
          return try row?.value(0) == 0
        }
      }
    } catch  where error.reason == .full {
      return false
    }
  }

  /// A statement that cannot fail on an open connection; were it to, later writes would only give up
  /// sooner.
  private static func restoreBusyTimeout(_ db: Database) {
    let milliseconds = Int(Limits.busySeconds * 1_000)
    try? db.execute(sql: "PRAGMA busy_timeout = \(milliseconds)")
  }
}
