import Dispatch
package import FoundationEssentials
import Glibc
package import LibraryFiles
package import Store
package import Workers

/// A library in a folder: a SQLite database, and files beside it.
///
/// One connection writes, a few read (`ReadPool`), and one notices commits. Each opens on first use. The connections
/// that read create no file, take no write lock, and wait for no writer of this or another process. Each connection for
/// queries has a serial queue, so that a query blocks no thread of Swift's cooperative pool. See
/// `Documentation/Store.md`.
package final class SQLiteLibrary: DatabaseLibrary {
  package let folder: LibraryFolder
  private let reads: ReadPool
  let writeConnection: LazyConnection
  /// The connection that notices commits, so that it waits for no query.
  let commits: LazyConnection
  private let writes = DispatchQueue(label: "gallery.library.writes")
  /// Whether the library may be written while it is the unfinished copy of another one, or a backup.
  let writesCopies: Locked<Bool>
  /// The lock while the library becomes the copy of another one.
  let copyLock = Locked<FileLock?>(nil)
  /// The pack that thumbnails are appended to; nil before the first.
  let openPack = Locked<OpenPack?>(nil)
  /// The packs that thumbnails are read from by their hashes.
  let packs: OpenPacks
  let originalFolders: OriginalFolders
  /// Whether there are writes that a power cut could still lose.
  let isUnflushed = Locked(false)
  /// How many images of a document the next transaction may write.
  let lengths = Locked(TransactionLength(Limits.documentImagesPerTransaction))
  /// The limit that is set for the length of the log.
  let logLength = Locked(Connection.LogLength.short)
  /// The last state that clients of the change log have seen; nil before the first.
  let followed = Locked<LibraryVersion?>(nil)
  package let parts = PartCache()
  /// The room that originals take, and its bounds.
  package let room: OriginalRoom
  /// The name of the object store that originals go to; nil for none.
  let objects: String?
  /// Adds up the time that writing takes; nil without `--timings`.
  let stopwatch: Stopwatch?
  /// Nil: the library is in a folder of one machine.
  package var machine: String? { nil }

  /// - Parameters:
  ///   - path: The library's folder, which the first write creates.
  ///   - bounds: The bounds for the room that originals take.
  ///   - objects: The name of the object store that originals go to; nil for none.
  ///   - stopwatch: Adds up the time that writing takes; nil to measure nothing.
  package init(
    folder path: String,
    bounds: StorageBounds = StorageBounds(),
    objects: String? = nil,
    stopwatch: Stopwatch? = nil
  ) {
    self.objects = objects
    let folder = LibraryFolder(path)
    room = OriginalRoom(folder, bounds)
    let writesCopies = Locked(false)
    (self.folder, self.writesCopies) = (folder, writesCopies)
    packs = OpenPacks(folder)
    originalFolders = OriginalFolders(folder)
    self.stopwatch = stopwatch
    let readConnection = { @Sendable in
      LazyConnection { () throws(StoreError) in try ReadConnection.open(folder) }
    }
    reads = ReadPool(open: readConnection)
    commits = readConnection()
    writeConnection = LazyConnection(keeping: folder.database) { () throws(StoreError) in
      try WriteConnection.open(
        folder,
        writesCopies: writesCopies.withLock { $0 }
      )
    }
  }

  package func now() -> Date { Date() }

  // MARK: On the calling thread

  /// Runs queries against one state of the library; calls may be nested.
  func read<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result {
    try read(on: reads.connection, body)
  }

  /// Reads on the connection that writes, if it is open, because its cache has the pages that it has written.
  func readWritten<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result {
    try read(on: writeConnection.isOpen ? writeConnection : reads.connection, body)
  }

  private func read<Result>(
    on connection: LazyConnection,
    _ body: (Connection) throws -> Result
  ) throws(StoreError) -> Result {
    let connection = try connection.opened()
    return try StoreError.catching(folder.database) {
      try connection.use { db in try db.reading(body) }
    }
  }

  /// Writes in one transaction, which waits for other processes' transactions.
  func write<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result {
    let connection = try writeConnection.opened()
    let result = try StoreError.catching(folder.database) {
      try connection.write(timedBy: stopwatch, body)
    }
    isUnflushed.withLock { $0 = true }
    return result
  }

  /// Runs a step until it writes nothing, each time in a separate transaction, with pauses for other processes.
  ///
  /// - Parameters:
  ///   - lengths: The bounds for the number of rows of a step, which is lower when the last step took long.
  ///   - step: Takes the most rows that it may write; returns how many it has written.
  /// - Returns: The number of rows that all steps have written.
  /// - Throws: when the library cannot be written; the changes of completed steps stay.
  func writeInSteps(
    of lengths: ClosedRange<Int>,
    _ step: (Int, Connection) throws -> Int
  ) throws(StoreError) -> Int {
    var (sum, length) = (0, TransactionLength(lengths))
    while true {
      let count = try write { db in
        let start = ContinuousClock.now
        defer { length.note(start.duration(to: .now)) }
        return try step(length.rows, db)
      }
      if count == 0 { return sum }
      sum += count
      usleep(Limits.pauseMicroseconds)
    }
  }

  /// Runs a step for a limited number of rows to be deleted at a time, in transactions as above.
  func writeInSteps(
    over ids: [Int64],
    _ step: ([Int64], Connection) throws -> Void
  ) throws(StoreError) {
    var rest = ids[...]
    _ = try writeInSteps(of: Limits.deletionsPerTransaction) { limit, db in
      let ids = Array(rest.prefix(limit))
      rest = rest.dropFirst(ids.count)
      if !ids.isEmpty { try step(ids, db) }
      return ids.count
    }
  }

  // MARK: On a queue

  /// Runs blocking work that reads, on another queue than work that writes.
  func onReads<Value: Sendable>(
    _ length: ReadLength = .long,
    _ work: @escaping @Sendable () throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await reads.run(length, work)
  }

  /// Runs blocking work that writes.
  func onWrites<Value: Sendable>(
    _ work: @escaping @Sendable () throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await writes.run(work)
  }

  package func reading<Value: Sendable>(
    _ length: ReadLength,
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await onReads(length) { () throws(StoreError) in try self.read(body) }
  }

  /// Does the same as `reading`: a transaction costs nothing here.
  package func asking<Value: Sendable>(
    _ length: ReadLength,
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await reading(length, body)
  }

  /// Runs queries on the queue and the connection that write (`readWritten`).
  package func readingWritten<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await onWrites { () throws(StoreError) in try self.readWritten(body) }
  }

  package func writing<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await onWrites { () throws(StoreError) in try self.write(body) }
  }

  package func changing<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await onWrites { () throws(StoreError) in
      try self.checkExists()
      return try self.write(body)
    }
  }

  /// Fails when there is no library yet.
  func checkExists() throws(StoreError) { if !writeConnection.isOpen { try read { _ in } } }
}
