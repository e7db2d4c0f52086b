package import FoundationEssentials
package import LibraryFiles
package import Store
package import Workers

/// A library in a PostgreSQL database that many machines use at once, with originals in a folder.
///
/// Every method is a transaction. It reads one state of the library, and writes everything or nothing. After a loss of
/// the connection, the library connects again and repeats the transaction, unless the server may already have ended it.
/// See `Documentation/Scale.md`.
package final class PostgresLibrary: DatabaseLibrary {
  /// The folder of originals on this machine.
  package let folder: LibraryFolder
  let originalFolders: OriginalFolders
  package let room: OriginalRoom
  /// The name of the object store for originals; nil without one.
  let objects: String?
  /// The packs of thumbnails in the object store; nil without one.
  let packs = Locked<ThumbnailPacks?>(nil)
  private let address: PostgresAddress
  let pool: ConnectionPool
  /// The connection that holds the leases of feeds.
  ///
  /// While it is open, the server knows that this process is running.
  let locks: ConnectionPool.Lane
  /// The connection with the transaction of a copy that was completed before.
  private let copies: ConnectionPool.Lane
  /// Whether that transaction is open.
  private let isCopying = Locked(false)
  /// Whether the library may be written while it is a backup.
  let writesBackup = Locked(false)
  let leases = Locked(FeedLeases())
  package let parts = PartCache()
  package var machine: String? { FeedLeases.machine }
  /// A random number that distinguishes this process from all others.
  let holder = Int64.random(in: 1 ... .max)
  /// How far the clock of the server is ahead of this machine's, in seconds.
  let clockLead = Locked(0.0)
  /// Whether the tables are known to exist.
  private let isMade = Locked(false)

  /// - Parameters:
  ///   - address: The database; the first write creates the tables.
  ///   - folder: The folder for originals.
  ///   - bounds: The bounds for the space that originals take on this machine.
  ///   - objects: The name of the object store for originals; nil without one.
  package init(
    _ address: PostgresAddress,
    folder: String,
    bounds: StorageBounds = StorageBounds(),
    objects: String? = nil
  ) {
    self.objects = objects
    self.address = address
    self.folder = LibraryFolder(folder)
    originalFolders = OriginalFolders(self.folder)
    room = OriginalRoom(self.folder, bounds)
    let open = { @Sendable () throws(PostgresError) in
      let driver = try PostgresDriver(address.parameters())
      // Compiling a query for all partitions takes longer than running it. A backslash in the name of a camera, which is
      // a text in a query, means itself, whatever the server's setting.
      try driver.execute("SET jit = off; SET standard_conforming_strings = on")
      return Connection(driver)
    }
    pool = ConnectionPool(open)
    copies = ConnectionPool.Lane(open)
    locks = ConnectionPool.Lane { () throws(PostgresError) in
      let connection = try open()
      // If a crash of the server loses leases, it has also ended the sessions that held them.
      try connection.postgres.execute("SET synchronous_commit = off")
      return connection
    }
  }

  /// Reads thumbnails from packs in an object store from now on, and puts them there.
  package func usePacks(in objects: any ObjectStoring) {
    let packs = ThumbnailPacks(objects, PackCache(folder))
    self.packs.withLock { $0 = packs }
  }

  /// The time by the clock of the server, which all machines use together.
  package func now() -> Date { Date() + clockLead.withLock { $0 } }

  /// Notes the time of the server, in seconds since 1970, which it read at some time since it was asked.
  ///
  /// So a time between the question and now is no other clock, however late the answer is.
  func noteTime(ofServer seconds: Double, asked: Date) {
    let (start, end) = (asked.timeIntervalSince1970, Date().timeIntervalSince1970)
    let lead = seconds < start ? seconds - start : max(0, seconds - end)
    clockLead.withLock { $0 = abs(lead) < Self.smallLead ? 0 : lead }
  }

  /// A difference of clocks that is too small to matter.
  private static let smallLead = 2.0

  /// The address for messages.
  var path: String { address.name }

  // MARK: Copies

  /// Reads or writes a library that is a copy of another one, or will become one: in a transaction of its own, or in that
  /// of `beginCopying`.
  func copying<Value>(
    _ body: (Connection) throws -> Value
  ) throws(StoreError) -> Value {
    if isCopying.withLock({ $0 }) { return try inCopy(body) }
    return try pool.runNow { (lane) throws(StoreError) in
      try transact(.writing, on: lane, isChecking: false, body)
    }
  }

  /// Begins a transaction for all of the following changes of a copy.
  func beginCopying() throws(StoreError) {
    try copies.runNow { (lane) throws(StoreError) in
      try catching { try lane.opened().begin(.writing) }
    }
    isCopying.withLock { $0 = true }
  }

  func endCopying() throws(StoreError) {
    guard isCopying.withLock({ $0 }) else { return }
    try inCopy { db in try db.commit() }
    isCopying.withLock { $0 = false }
  }

  func undoCopying() {
    guard isCopying.withLock({ $0 }) else { return }
    // The server takes back what a lost connection has not committed.
    try? inCopy { db in if db.postgres.isOpen { try db.rollBack() } }
    isCopying.withLock { $0 = false }
  }

  /// Uses the connection with the open transaction, and never one that was opened after its loss.
  private func inCopy<Value>(
    _ body: (Connection) throws -> Value
  ) throws(StoreError) -> Value {
    try copies.runNow { (lane) throws(StoreError) in
      try catching {
        guard let connection = lane.openedConnection else { throw PostgresError("no connection") }
        return try body(connection)
      }
    }
  }

  // MARK: Tables

  /// Makes the tables unless they exist; several processes may call this at once.
  ///
  /// Without `beginsLibrary`, it makes only those that an older library lacks, and fails where there is no library.
  func makeTables(
    on lane: ConnectionPool.Lane,
    beginsLibrary: Bool = true
  ) throws(StoreError) {
    if isMade.withLock({ $0 }) { return }
    try transact(.writing, on: lane, isChecking: false) { connection in
      if !beginsLibrary, try !Self.isThere(connection) {
        throw self.noLibrary()
      }
      try Self.makeTables(connection) {
        let error = self.noLibrary()
        if error.reason != .noLibrary { throw error }
      }
      try self.checkVersion(lane, connection)
    }
    isMade.withLock { $0 = true }
  }

  private static func isThere(_ connection: Connection) throws -> Bool {
    try connection.value("SELECT to_regclass('library') IS NOT NULL") ?? false
  }

  /// The error for a database without a library: `.lostDatabase` if the folder of this machine has files of one.
  func noLibrary() -> StoreError {
    do throws(StoreError) {
      let remains = try folder.remains()
      return StoreError(
        reason: remains.map { .lostDatabase($0) } ?? .noLibrary,
        path: path,
        message: ""
      )
    } catch {
      return error
    }
  }

  /// Runs a query of the first table, without which there is no library.
  private func catchingNoLibrary<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as PostgresError
      where error.storeError(path).reason == .noLibrary
    {
      throw noLibrary()
    }
  }

  /// Makes the tables that are missing; `willBegin` runs before the first ones.
  static func makeTables(
    _ connection: Connection,
    willBegin: () throws -> Void = {}
  ) throws {
    // The first number is "galf" in ASCII. The second one gives each schema its own lock.
    try connection.run("SELECT pg_advisory_xact_lock(1734437990, hashtext(current_schema()))")
    if try !isThere(connection) {
      try willBegin()
      try connection.postgres.execute(Schema.statements)
      return
    }
    if try !MirrorQueries.hasKeys(connection) {
      try connection.postgres.execute(Schema.mirrorKeys)
    }
    if try !SuccessorQueries.hasTables(connection) {
      try connection.postgres.execute(Schema.successors + SuccessorQueries.askForOutdated)
    }
    if try !FolderQueries.areKept(connection) {
      try connection.postgres.execute(Schema.folderOriginals)
    }
    if try !DetailQueries.areKept(connection) {
      try connection.postgres.execute(Schema.details)
    }
    if try !DetailQueries.areIndexed(connection) {
      try connection.postgres.execute(Schema.detailIndexes)
    }
    if try !RenditionQueries.areKept(connection) {
      try connection.postgres.execute(Schema.renditions + ThumbnailWriting.turnFailed)
    }
    if try !FeedPictureQueries.areKept(connection) {
      try connection.postgres.execute(Schema.feedPictures)
    }
    if try Refolding.isNeeded(connection) { try Refolding.run(connection) }
  }

  /// The SQL of the server's present time; `now_seconds` is the time at which a transaction began.
  static let serverTime = "extract(epoch FROM clock_timestamp())::bigint"

  /// Checks the version once for each connection, and notes that this process uses the library (`FeedLeases.nodes`).
  func checkVersion(_ lane: ConnectionPool.Lane, _ connection: Connection) throws {
    if lane.isChecked { return }
    let sql = """
      SELECT schema_version, \(Self.serverTime), \(FeedLeases.useNote),
        EXISTS (SELECT 1 FROM setting WHERE name = 'backup') FROM library
      """
    let asked = Date()
    let rows = try catchingNoLibrary { try connection.rows(sql) }
    guard let row = rows.first else {
      throw StoreError(reason: .foreign, path: path, message: "its library has no row")
    }
    let version: Int64 = try row.value(0)
    noteTime(ofServer: Double(try row.value(1) as Int64), asked: asked)
    if version < 0 { throw StoreError(reason: .unfinishedCopy, path: path, message: "") }
    guard version <= Schema.version else {
      let message = "its version is \(version), this program knows up to \(Schema.version)"
      throw StoreError(reason: .newer, path: path, message: message)
    }
    lane.isOfBackup = try row.value(3)
    lane.isChecked = true
  }
}
