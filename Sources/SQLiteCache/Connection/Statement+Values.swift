import GRDB
internal import GRDBSQLite

extension Database {
  /// A statement for `execute(with:)`.
  func valueStatement(sql: String) throws -> Statement {
    let statement = try cachedStatement(sql: sql)
    // GRDB takes the parameters for bound from here on, and leaves them alone.
    statement.setUncheckedArguments([])
    return statement
  }
}

/// Statements that are executed for each of many images.
///
/// GRDB's own arguments are existential values, of which it makes several arrays before SQLite has
/// them: with a row of twenty columns that takes as long as writing it.
extension Statement {
  /// Executes it, one that `valueStatement(sql:)` has given, with a value for each of its parameters, in
  /// their order.
  func execute(with values: StatementValues) throws {
    // Nothing can be bound between an execution and this (sqlite3_bind_blob).
    sqlite3_reset(sqliteStatement)
    guard sqlite3_bind_parameter_count(sqliteStatement) == values.count else {
      throw DatabaseError(resultCode: .SQLITE_RANGE, sql: sql)
    }
    try values.whileBound(to: sqliteStatement) { try execute() }
  }
}
