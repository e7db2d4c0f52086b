import GRDB
import Workers

/// Transactions whose own statements are compiled once for a connection.
///
/// GRDB's `inTransaction` compiles them each time, which takes longer than most queries.
extension Database {
  /// Bytes of the pages that are in use; within a transaction, of those that it has taken so far, too.
  func usedBytes() throws -> Int {
    let statement = try cachedStatement(
      sql: """
        SELECT (page_count - freelist_count) * page_size
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size
        """
    )
    return try Int.fetchOne(statement) ?? 0
  }

  /// Answers questions about one state of the file.
  func reading<Result>(_ body: (Database) throws -> Result) throws -> Result {
    if isInsideTransaction { return try body(self) }
    return try inTransaction(begunBy: "BEGIN DEFERRED TRANSACTION", body)
  }

  /// Writes all or nothing; waits first for other writers.
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
      // What went wrong first is what there is to tell; SQLite may have taken all back already.
      if isInsideTransaction { try? rollback() }
      throw error
    }
  }
}

extension DatabaseQueue {
  /// Writes in one transaction, and tells a stopwatch, if there is one, what that took.
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
        try ChangeLog.close(db)
        return result
      }
    }
  }
}

extension Database {
  /// How long the write-ahead log becomes before what is in it is moved, and how much of its file stays then.
  enum LogLength {
    /// `Limits.logPages`, and `Limits.logBytesKept`.
    case short
    /// As many pages, and all of the file: what is written without a pause would only make it longer again.
    case uncut
    /// `Limits.longLogPages`, and all of the file.
    case long
  }

  /// Says when a transaction moves the log, and what the next one behind such a move does with the file
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
