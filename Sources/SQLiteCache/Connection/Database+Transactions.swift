import GRDB
import Store
import Workers

/// Transactions whose `BEGIN` and `COMMIT` are compiled once for each connection.
///
/// GRDB's `inTransaction` compiles them each time, which takes longer than most queries.
extension Database {
  /// The bytes of all pages in use, including those that the current transaction has added.
  func usedBytes() throws -> Int {
    let statement = try cachedStatement(
      sql: """
        SELECT (page_count - freelist_count) * page_size
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size
        """
    )
    return try Int.fetchOne(statement) ?? 0
  }

  /// Runs queries against one state of the file.
  func reading<Result>(_ body: (Database) throws -> Result) throws -> Result {
    if isInsideTransaction { return try body(self) }
    return try inTransaction(begunBy: "BEGIN DEFERRED TRANSACTION", body)
  }

  /// Writes in one transaction, after a wait for other writers.
  func writing<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try inTransaction(begunBy: "BEGIN IMMEDIATE TRANSACTION", body)
  }

  private func inTransaction<Result>(
    begunBy beginning: String,
    _ body: (Database) throws -> Result
  ) throws -> Result {
    try cachedStatement(sql: beginning).execute()
    do {
      let result = try body(self)
      try cachedStatement(sql: "COMMIT TRANSACTION").execute()
      return result
    } catch {
      // The first error is the one to report. SQLite may have rolled back already.
      if isInsideTransaction { try? rollback() }
      throw error
    }
  }
}

extension DatabaseQueue {
  /// Writes in one transaction, and adds its time and its rows to a stopwatch, if there is one.
  func write<Result>(
    timedBy stopwatch: Stopwatch?,
    _ body: (Database) throws -> Result
  ) throws -> Result {
    guard let stopwatch else { return try writing(body) }
    let start = stopwatch.now
    var end = start
    var rows = 0
    let result = try writing { db in
      let before = db.totalChangesCount
      defer { (end, rows) = (stopwatch.now, db.totalChangesCount - before) }
      return try body(db)
    }
    stopwatch.add(.committing, since: end) { $0.transactions += 1 }
    stopwatch.add { timings in
      timings[.storing] += end - start
      timings.counts.rows += rows
    }
    return result
  }

  private func writing<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try writeWithoutTransaction { db in
      try db.writing { db in
        let result = try body(db)
        try ChangeLog.close(db.store)
        return result
      }
    }
  }
}

extension Database {
  /// The length of the write-ahead log before a checkpoint, and the part of its file that stays afterwards.
  enum LogLength {
    /// At most `Limits.logPages`; `Limits.logBytesKept` stay.
    case short
    /// At most `Limits.logPages`; the whole file stays, since continuous writing would only extend it again.
    case uncut
    /// At most `Limits.longLogPages`; the whole file stays.
    case long
  }

  /// Sets the length of the log at which a commit runs a checkpoint, and the length to which the file is cut afterwards
  /// (sqlite.org/pragma.html, wal_autocheckpoint and journal_size_limit).
  func keepLog(_ length: LogLength) throws {
    let (pages, bytes) =
      switch length {
      case .short: (Limits.logPages, Limits.logBytesKept)
      case .uncut: (Limits.logPages, -1)
      case .long: (Limits.longLogPages, -1)
      }
    try execute(
      sql: """
        PRAGMA wal_autocheckpoint = \(pages);
        PRAGMA journal_size_limit = \(bytes);
        """
    )
  }
}
