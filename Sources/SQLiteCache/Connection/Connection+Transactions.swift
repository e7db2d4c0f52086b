import Store
import Workers

extension Connection {
  /// The bytes of all pages in use, including those that the current transaction has added.
  func usedBytes() throws -> Int {
    let sql = """
      SELECT (page_count - freelist_count) * page_size
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size
      """
    return try value(sql) ?? 0
  }

  /// The number of rows that all statements of this connection have written.
  fileprivate func rowsWritten() throws -> Int { try value("SELECT total_changes()") ?? 0 }

  /// Runs queries against one state of the file.
  func reading<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    if sqlite.isInTransaction { return try body(self) }
    return try transaction(.reading, body)
  }
}

extension FileConnection {
  /// Writes in one transaction, and adds its time and its rows to a stopwatch, if there is one.
  func write<Result>(
    timedBy stopwatch: Stopwatch?,
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    guard let stopwatch else { return try writing(body) }
    let start = stopwatch.now
    var end = start
    var rows = 0
    let result = try writing { db in
      let before = try db.rowsWritten()
      let result = try body(db)
      (end, rows) = (stopwatch.now, try db.rowsWritten() - before)
      return result
    }
    stopwatch.add(.committing, since: end) { $0.transactions += 1 }
    stopwatch.add { timings in
      timings[.storing] += end - start
      timings.counts.rows += rows
    }
    return result
  }

  /// Writes in a transaction of its own, or in that of a running copy (`LibraryCopying.beginCopy`).
  private func writing<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try use { db in
      func closing(_ db: Connection) throws -> Result {
        let result = try body(db)
        try ChangeLog.close(db)
        return result
      }
      return try db.sqlite.isInTransaction ? closing(db) : db.transaction(.writing, closing)
    }
  }
}

extension Connection {
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
    try execute("PRAGMA wal_autocheckpoint = \(pages); PRAGMA journal_size_limit = \(bytes)")
  }
}
