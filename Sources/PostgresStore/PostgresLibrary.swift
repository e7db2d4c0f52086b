import Glibc
import LibraryFiles
package import Workers

/// A library in a PostgreSQL database, for many machines at once, and originals in a folder.
///
/// Every method is a transaction: what it reads is from one state of the library, and what it writes is there as a
/// whole or not at all. A connection that is lost is opened again, and the transaction with it, unless the server may
/// already have ended it. See `Documentation/Scale.md`.
package final class PostgresLibrary: Sendable {
  /// Where originals lie on this machine.
  let folder: LibraryFolder
  let originalFolders: OriginalFolders
  /// How much originals on this machine may take.
  let bounds: StorageBounds
  let room: OriginalRoom
  /// The name of the object store that originals go to; nil for none.
  let objects: String?
  /// The packs of thumbnails in the object store; nil without one.
  let packs = Locked<ThumbnailPacks?>(nil)
  private let address: PostgresAddress
  private let pool: ConnectionPool
  /// The connection that leases feeds: while it is open, the server knows that this process goes on.
  let locks: ConnectionPool.Lane
  let leases = Locked(FeedLeases())
  /// Tells this process from all others.
  let holder = Int64.random(in: 1 ... .max)
  /// Whether the tables are known to be there.
  private let isMade = Locked(false)

  /// - Parameters:
  ///   - address: The database; the tables are made with the first thing that is written.
  ///   - folder: The folder for originals.
  ///   - bounds: How much originals on this machine may take.
  ///   - objects: The name of the object store that originals go to; nil for none.
  package init(
    _ address: PostgresAddress,
    folder: String,
    bounds: StorageBounds = StorageBounds(),
    objects: String? = nil
  ) {
    self.bounds = bounds
    self.objects = objects
    self.address = address
    self.folder = LibraryFolder(folder)
    originalFolders = OriginalFolders(self.folder)
    room = OriginalRoom(self.folder)
    let open = { @Sendable () throws(PostgresError) in
      let connection = try PostgresConnection(address)
      // Compiling a question for all partitions takes longer than to answer it.
      try connection.run("SET jit = off")
      return connection
    }
    pool = ConnectionPool(open)
    locks = ConnectionPool.Lane { () throws(PostgresError) in
      let connection = try open()
      // Leases that a crash of the server loses have ended with the sessions that held them.
      try connection.run("SET synchronous_commit = off")
      return connection
    }
  }

  /// Has thumbnails read from packs in an object store from now on, and put there.
  package func usePacks(in objects: any ObjectStoring) {
    let packs = ThumbnailPacks(objects, PackCache(folder))
    self.packs.withLock { $0 = packs }
  }

  /// The address for messages.
  var path: String { address.name }

  // MARK: Transactions

  /// Asks questions of one state of the library.
  func reading<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await pool.run { (lane) throws(StoreError) in
      try self.transact(.reading, on: lane, body)
    }
  }

  /// Asks one question, which needs no transaction to be of one state: two messages less.
  func asking<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await pool.run { (lane) throws(StoreError) in
      try self.transact(.asking, on: lane, body)
    }
  }

  /// The same with an answer for a database without a library.
  func reading<Value: Sendable>(
    orNone none: Value,
    _ body: @escaping @Sendable (PostgresConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    do {
      return try await reading(body)
    } catch  where error.reason == .noLibrary {
      return none
    }
  }

  /// Writes in one transaction; the library is made when it is missing.
  func writing<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await pool.run { (lane) throws(StoreError) in
      try self.transact(.writing, on: lane, body)
    }
  }

  /// The same as `asking` for a thread that may wait.
  func askingNow<Value>(
    _ body: (PostgresConnection) throws -> Value
  ) throws(StoreError) -> Value {
    try pool.runNow { (lane) throws(StoreError) in try transact(.asking, on: lane, body) }
  }

  func writingNow<Value>(
    _ body: (PostgresConnection) throws -> Value
  ) throws(StoreError) -> Value {
    try pool.runNow { (lane) throws(StoreError) in try transact(.writing, on: lane, body) }
  }

  /// Runs statements in the session that has the locks, each in a transaction of its own.
  func locking<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await locks.run { (lane) throws(StoreError) in
      try self.makeTables(on: lane)
      return try self.catching { try body(try lane.opened()) }
    }
  }

  private enum Mode {
    case asking
    case reading
    case writing

    /// Nil for one statement, which is a transaction by itself.
    var begin: String? {
      switch self {
      case .asking: nil
      case .reading: "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
      case .writing: "BEGIN"
      }
    }
  }

  /// How often a transaction is tried that meets others, or whose connection is lost.
  private static let tries = 5

  private func transact<Value>(
    _ mode: Mode,
    on lane: ConnectionPool.Lane,
    isChecking: Bool = true,
    _ body: (PostgresConnection) throws -> Value
  ) throws(StoreError) -> Value {
    if mode == .writing, isChecking { try makeTables(on: lane) }
    var tries = 1
    while true {
      var isEnding = false
      do {
        return try attempt(mode, on: lane.opened(), isChecking, isEnding: &isEnding, body)
      } catch let error as PostgresError
        where tries < Self.tries && (error.isOfConcurrency || error.isConnectionLost && !isEnding)
      {
        // For two seconds together: another server may be taking over.
        if error.isConnectionLost { usleep(Self.pauseMicroseconds << UInt32(tries)) }
        tries += 1
      } catch {
        throw storeError(error)
      }
    }
  }

  private static let pauseMicroseconds: UInt32 = 66_000

  /// Tries a transaction once, and tells whether it came as far as its end.
  private func attempt<Value>(
    _ mode: Mode,
    on connection: PostgresConnection,
    _ isChecking: Bool,
    isEnding: inout Bool,
    _ body: (PostgresConnection) throws -> Value
  ) throws -> Value {
    do {
      if let begin = mode.begin { try connection.run(begin) }
      if isChecking { try checkVersion(connection) }
      if isChecking, mode == .writing, !connection.isNoticed {
        // A connection that was lost may lead to another server now.
        try ChangeLog.noticeRestore(connection)
      }
      let count = connection.statementCount
      let value = try body(connection)
      isEnding = mode == .writing
      if mode == .asking {
        assert(connection.statementCount <= count + 1, "more than one question")
      } else {
        try connection.run("COMMIT")
        if mode == .writing, isChecking { connection.isNoticed = true }
      }
      return value
    } catch {
      if connection.isOpen, mode != .asking { try connection.run("ROLLBACK") }
      throw error
    }
  }

  func catching<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
    do { return try body() } catch { throw storeError(error) }
  }

  private func storeError(_ error: any Error) -> StoreError {
    switch error {
    case let error as StoreError: error
    case let error as PostgresError: error.storeError(path)
    default: StoreError(reason: .other, path: path, message: "\(error)")
    }
  }

  /// Reads or writes a library that is the unfinished copy of another one, or is to become it.
  func copying<Value>(
    _ body: (PostgresConnection) throws -> Value
  ) throws(StoreError) -> Value {
    try pool.runNow { (lane) throws(StoreError) in
      try transact(.writing, on: lane, isChecking: false, body)
    }
  }

  // MARK: Tables

  /// Makes the tables unless they are there; several processes may come at once.
  private func makeTables(on lane: ConnectionPool.Lane) throws(StoreError) {
    if isMade.withLock({ $0 }) { return }
    try transact(.writing, on: lane, isChecking: false) { connection in
      try Self.makeTables(connection)
      try self.checkVersion(connection)
    }
    isMade.withLock { $0 = true }
  }

  static func makeTables(_ connection: PostgresConnection) throws {
    // "gallery" as a number: the lock of one schema's tables.
    try connection.run("SELECT pg_advisory_xact_lock(1734437990, hashtext(current_schema()))")
    let isThere: Bool? = try connection.value("SELECT to_regclass('library') IS NOT NULL")
    if isThere != true { try connection.run(Schema.statements) }
  }

  /// Looks once with each connection, and notes that its process uses the library (`FeedLeases.nodes`).
  private func checkVersion(_ connection: PostgresConnection) throws {
    if connection.isChecked { return }
    let sql = "SELECT schema_version, \(FeedLeases.useNote) FROM library"
    guard let version: Int64 = try connection.value(sql) else {
      throw StoreError(reason: .foreign, path: path, message: "its library has no row")
    }
    if version < 0 { throw StoreError(reason: .unfinishedCopy, path: path, message: "") }
    guard version <= Schema.version else {
      let message = "its version is \(version), this program knows up to \(Schema.version)"
      throw StoreError(reason: .newer, path: path, message: message)
    }
    connection.isChecked = true
  }
}
