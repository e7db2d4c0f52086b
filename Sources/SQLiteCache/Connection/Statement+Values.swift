import GRDB
internal import GRDBSQLite

/// Statements that are executed for each of many images.
///
/// GRDB's own arguments are existential values, of which it makes several arrays before SQLite has
/// them: with a row of twenty columns that takes as long as writing it.
extension Statement {
  /// Executes it, one that answers with no rows, with a value for each of its parameters, in their order.
  func execute(with values: StatementValues) throws {
    // Nothing can be bound between an execution and this (sqlite3_bind_blob).
    sqlite3_reset(sqliteStatement)
    guard sqlite3_bind_parameter_count(sqliteStatement) == values.count else {
      throw DatabaseError(resultCode: .SQLITE_RANGE, sql: sql)
    }
    try values.whileBound(to: sqliteStatement) {
      let code = sqlite3_step(sqliteStatement)
      guard code != SQLITE_DONE else { return }
      defer { sqlite3_reset(sqliteStatement) }
      throw DatabaseError(
        resultCode: .init(rawValue: code),
        message: String(cString: sqlite3_errmsg(sqlite3_db_handle(sqliteStatement))),
        sql: sql
      )
    }
  }
}
