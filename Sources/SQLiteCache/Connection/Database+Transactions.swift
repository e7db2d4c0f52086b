import GRDB

/// Transactions whose own statements are compiled once for a connection.
///
/// GRDB's `inTransaction` compiles them anew each time, which takes longer than most questions do.
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

  /// Writes all or nothing; waits first for whoever else writes.
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
