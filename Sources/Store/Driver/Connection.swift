/// A connection to a database, for one thread at a time: the one face that queries see.
///
/// A statement is the same text for both databases. Its parameters are `$1`, `$2` and so on, its types are the columns'
/// without casts, and `Dialect` spells the rest. The connection compiles each text once. See `Documentation/Store.md`.
package final class Connection {
  /// The two databases, which differ below this line only: no row passes through an existential value.
  enum Driver {
    case sqlite(SQLiteDriver)
    case postgres(PostgresDriver)
  }

  let driver: Driver
  package let dialect: Dialect
  /// Whether the rows of feeds are known to be sound.
  package internal(set) var soundFeeds = SoundFeeds()

  package init(_ driver: SQLiteDriver) {
    (self.driver, dialect) = (.sqlite(driver), .sqlite)
  }

  package init(_ driver: PostgresDriver) {
    (self.driver, dialect) = (.postgres(driver), .postgres)
  }

  // MARK: Statements

  /// Maps each row of the answer, and leaves out the rows for which `element` returns nil.
  package func rows<Element>(
    _ statement: String,
    _ values: any Parameter...,
    element: (Row) throws -> Element?
  ) throws -> [Element] {
    try rows(statement, with: values, element: element)
  }

  /// Does the same with the values in an array.
  package func rows<Element>(
    _ statement: String,
    with values: [any Parameter],
    element: (Row) throws -> Element?
  ) throws -> [Element] {
    var elements: [Element] = []
    try forEachRow(statement, with: Values(values)) { row in
      if let element = try element(row) { elements.append(element) }
      return true
    }
    return elements
  }

  /// The first row; nil when there is no row.
  package func row<Element>(
    _ statement: String,
    _ values: any Parameter...,
    element: (Row) throws -> Element?
  ) throws -> Element? {
    var first: Element?
    try forEachRow(statement, with: Values(values)) { row in
      first = try element(row)
      return false
    }
    return first
  }

  /// The first column of the first row; nil when it is NULL, or when there is no row.
  package func value<Value: ColumnValue>(
    _ statement: String,
    _ values: any Parameter...
  ) throws -> Value? {
    try value(statement, with: values)
  }

  /// Does the same with the values in an array.
  package func value<Value: ColumnValue>(
    _ statement: String,
    with values: [any Parameter]
  ) throws -> Value? {
    var first: Value?
    try forEachRow(statement, with: Values(values)) { row in
      first = try row.value(0)
      return false
    }
    return first
  }

  /// The first column of all rows.
  package func column<Value: ColumnValue>(
    _ statement: String,
    _ values: any Parameter...
  ) throws -> [Value] {
    var column: [Value] = []
    try forEachRow(statement, with: Values(values)) { row in
      column.append(try row.value(0))
      return true
    }
    return column
  }

  /// Whether the statement returns a row.
  package func hasRow(_ statement: String, _ values: any Parameter...) throws -> Bool {
    var hasRow = false
    try forEachRow(statement, with: Values(values)) { _ in
      hasRow = true
      return false
    }
    return hasRow
  }

  /// Runs a statement to its end, and returns the number of rows that it has written.
  @discardableResult
  package func run(_ statement: String, _ values: any Parameter...) throws -> Int {
    try run(statement, with: values)
  }

  /// Does the same with the values in an array.
  @discardableResult
  package func run(_ statement: String, with values: [any Parameter]) throws -> Int {
    try forEachRow(statement, with: Values(values)) { _ in true }
  }

  /// Runs statements without parameters, one after another, and compiles them each time.
  ///
  /// A PRAGMA that sets something must be run so: SQLite may do so while it compiles (sqlite.org/pragma.html).
  package func execute(_ statements: String) throws {
    switch driver {
    case .sqlite(let driver): try driver.execute(statements)
    case .postgres(let driver): try driver.execute(statements)
    }
  }

  /// Calls `body` with each row until it returns false; a row is valid in that call only.
  ///
  /// - Parameters:
  ///   - statement: The text of the statement.
  ///   - values: The values of its parameters.
  ///   - isKept: Whether the compiled statement is kept. It is not where the text hardly ever repeats.
  ///   - body: Takes the row.
  /// - Returns: The number of rows that the statement has written.
  /// - Throws: the error of the database, or of `body`.
  @discardableResult
  package func forEachRow(
    _ statement: String,
    with values: Values,
    isKept: Bool = true,
    _ body: (Row) throws -> Bool
  ) throws -> Int {
    switch driver {
    case .sqlite(let driver): try driver.forEachRow(statement, values, isKept: isKept, body)
    case .postgres(let driver): try driver.forEachRow(statement, values, isKept: isKept, body)
    }
  }

  /// Adds rows to a table, as fast as the database can.
  ///
  /// After an error, the transaction must be rolled back.
  package func insert(_ rows: NewRows) throws {
    switch driver {
    case .sqlite(let driver): try driver.insert(rows)
    case .postgres(let driver): try driver.insert(rows)
    }
  }

  /// Whether a table may have rows.
  ///
  /// A query on an empty table saves the rest of its work by this question. A server is not asked: its answer would
  /// take as long as the query.
  package func mayHaveRows(in table: String) throws -> Bool {
    guard case .sqlite = driver else { return true }
    return try hasRow("SELECT 1 FROM \(table) LIMIT 1")
  }
}

extension Connection {
  /// Whether the database has a table that a library of PostgreSQL gets with its next write.
  ///
  /// A connection that only reads an older file of SQLite makes such tables for itself.
  package func hasTable(_ name: String) throws -> Bool {
    guard case .postgres = driver else { return true }
    return try value("SELECT to_regclass($1) IS NOT NULL", name) ?? false
  }
}

// MARK: - Transactions

extension Connection {
  package enum Mode {
    /// Reads one state of the database.
    case reading
    /// Writes everything or nothing; with SQLite, after a wait for other writers.
    case writing
  }

  package func begin(_ mode: Mode) throws {
    switch (driver, mode) {
    case (.sqlite(let driver), .reading): try driver.run("BEGIN DEFERRED")
    case (.sqlite(let driver), .writing): try driver.run("BEGIN IMMEDIATE")
    case (.postgres(let driver), .reading):
      try driver.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    case (.postgres(let driver), .writing): try driver.execute("BEGIN")
    }
  }

  package func commit() throws { try end("COMMIT") }

  /// Rolls back the transaction, unless the database has already done it.
  package func rollBack() throws {
    if case .sqlite(let driver) = driver, !driver.isInTransaction { return }
    try end("ROLLBACK")
  }

  private func end(_ statement: String) throws {
    switch driver {
    case .sqlite(let driver): try driver.run(statement)
    case .postgres(let driver): try driver.execute(statement)
    }
  }

  /// Runs queries in one transaction, which an error rolls back.
  @discardableResult
  package func transaction<Result>(
    _ mode: Mode,
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    try begin(mode)
    do {
      let result = try body(self)
      try commit()
      return result
    } catch {
      // The first error is the one to report.
      try? rollBack()
      throw error
    }
  }

  /// Runs queries in a transaction, and undoes what they have written.
  package func undoing<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("SAVEPOINT undone")
    let result = Swift.Result { try body() }
    try execute("ROLLBACK TO undone; RELEASE undone")
    return try result.get()
  }
}

/// An answer that the rules of this program exclude: only a damaged database gives it.
package struct UnexpectedAnswer: Error {
  package var message: String

  package init(_ message: String) { self.message = message }
}
