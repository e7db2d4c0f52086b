import Store

/// Rows in memory, for the queries of this store alone; those of `Store` read each row in a closure.
extension Connection {
  /// Runs a statement, and returns its rows.
  @discardableResult
  func rows(_ statement: String, _ values: any Parameter...) throws(PostgresError) -> PostgresRows {
    try rows(statement, with: values)
  }

  /// Runs a statement as above, with its values in an array.
  @discardableResult
  func rows(
    _ statement: String,
    with values: [any Parameter]
  ) throws(PostgresError) -> PostgresRows {
    try postgres.rows(statement, Values(values), isKept: true)
  }

  /// Runs a statement without keeping it prepared, because its text hardly ever repeats.
  func unpreparedRows(
    _ statement: String,
    with values: [any Parameter] = []
  ) throws(PostgresError) -> PostgresRows {
    try postgres.rows(statement, Values(values), isKept: false)
  }
}
