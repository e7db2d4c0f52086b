import CSQLite

/// Runs statements on a connection to SQLite (sqlite.org/cintro.html).
package final class SQLiteDriver {
  let handle: OpaquePointer
  /// The compiled statements, by their texts.
  private var statements: [String: SQLiteStatement] = [:]
  private var insertions: [Insertion: SQLiteStatement] = [:]
  /// The header of the log's index at the last look.
  private var logHeader = csqlite_log_header()
  /// The mark of the last commit, which begins at random: a connection that is opened later must not repeat it.
  private var mark = Int.random(in: 0..<1 << 62)
  /// Whether the file has a write-ahead log; one that is opened as a file that no process changes has none.
  private lazy var hasLog = (try? isLogged()) == true

  /// Opens a file, and creates it when it is missing; an empty path opens a temporary database.
  ///
  /// - Parameters:
  ///   - path: The path, or a URI (sqlite.org/uri.html).
  ///   - isReadOnly: Whether a missing file is an error, and every write, too.
  ///   - milliseconds: How long the connection waits for the locks of others.
  /// - Throws: when the file cannot be opened.
  package init(
    path: String,
    isReadOnly: Bool = false,
    waiting milliseconds: Int32
  ) throws(SQLiteError) {
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, nil)
    guard code == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw SQLiteError(code, of: handle)
    }
    sqlite3_extended_result_codes(handle, 1)
    self.handle = handle
    wait(milliseconds)
  }

  deinit {
    (statements, insertions) = ([:], [:])
    sqlite3_close_v2(handle)
  }

  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Sets how long the connection waits for the locks of others.
  package func wait(_ milliseconds: Int32) { csqlite_wait(handle, milliseconds) }

  /// A number that is another one after each commit, also of other processes; nil when that cannot be told without a
  /// transaction.
  package func commitMark() -> Int? {
    guard hasLog else { return nil }
    let isChanged = csqlite_log_changed(handle, &logHeader)
    if isChanged < 0 { return nil }
    mark += Int(isChanged)
    return mark
  }

  /// Whether the connection reads from a write-ahead log; reading a row opens it.
  private func isLogged() throws -> Bool {
    var mode = ""
    try forEachRow("SELECT count(*) FROM sqlite_schema", Values(), isKept: false) { _ in true }
    try forEachRow("PRAGMA journal_mode", Values(), isKept: false) { row in
      mode = try row.value(0)
      return true
    }
    return mode == "wal"
  }

  /// Runs statements without parameters, one after another, and compiles them each time.
  package func execute(_ statements: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, statements, nil, nil, nil)
    if code != SQLITE_OK { throw SQLiteError(code, of: handle, statements) }
  }

  func run(_ statement: String) throws {
    try forEachRow(statement, Values(), isKept: true) { _ in true }
  }

  @discardableResult
  func forEachRow(
    _ text: String,
    _ values: Values,
    isKept: Bool,
    _ body: (Row) throws -> Bool
  ) throws -> Int {
    let statement = try statement(text, isKept: isKept)
    try statement.forEachRow(values, values.values.indices, body)
    return statement.isReadOnly ? 0 : Int(sqlite3_changes(handle))
  }

  /// The compiled statement, which this compiles unless it is kept already.
  ///
  /// A statement that is still running, since a body for its rows runs it again, is compiled a second time.
  private func statement(_ text: String, isKept: Bool) throws(SQLiteError) -> SQLiteStatement {
    if let statement = statements[text], !statement.isRunning { return statement }
    let statement = try SQLiteStatement(text, handle, isKept: isKept)
    if isKept, statements[text] == nil { statements[text] = statement }
    return statement
  }
}

// MARK: - Many rows

extension SQLiteDriver {
  /// The numbers of rows that one statement adds, the longest first.
  private static let runs = [64, 8, 1]

  /// Adds rows to a table, in statements of many rows.
  ///
  /// Each statement opens and closes all indexes of the table, which takes a quarter as long as writing a row of images.
  /// SQLite usually copies a page before a statement first changes it, so that it can roll back the statement alone.
  /// `OR FAIL` avoids these copies where the caller rolls back the whole transaction (sqlite.org/lang_conflict.html).
  func insert(_ rows: NewRows) throws {
    let width = rows.columns.count
    var start = 0
    while start < rows.count {
      guard let run = Self.runs.first(where: { start + $0 <= rows.count }) else { return }
      let statement = try statement(Insertion(rows.table, rows.columns, count: run))
      let values = start * width..<(start + run) * width
      try statement.forEachRow(rows.values, values) { _ in true }
      start += run
    }
  }

  /// The compiled statement, which this compiles unless it has already.
  private func statement(_ insertion: Insertion) throws(SQLiteError) -> SQLiteStatement {
    if let statement = insertions[insertion] { return statement }
    let statement = try SQLiteStatement(insertion.text, handle, isKept: true)
    insertions[insertion] = statement
    return statement
  }
}

/// A statement that adds a number of rows, whose long text is made once.
private struct Insertion: Hashable {
  let table: String
  let columns: [String]
  let count: Int

  init(_ table: String, _ columns: [String], count: Int) {
    (self.table, self.columns, self.count) = (table, columns, count)
  }

  var text: String {
    let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
    let values = Array(repeating: row, count: count).joined(separator: ", ")
    return "INSERT OR FAIL INTO \(table) (\(columns.joined(separator: ", "))) VALUES \(values)"
  }
}

extension Connection {
  /// The driver, for what only SQLite has.
  package var sqlite: SQLiteDriver {
    guard case .sqlite(let driver) = driver else {
      preconditionFailure("a query of SQLite on another database")
    }
    return driver
  }
}

/// An error that SQLite has reported.
package struct SQLiteError: Error {
  /// The extended result code (sqlite.org/rescode.html).
  package var code: Int32
  package var message: String
  package var statement: String

  /// The code without the details: its low eight bits.
  package var primaryCode: Int32 { code & 0xFF }

  init(_ code: Int32, of handle: OpaquePointer?, _ statement: String = "") {
    self.code = handle.map { sqlite3_extended_errcode($0) } ?? code
    message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? ""
    self.statement = statement
  }

  package init(_ code: Int32, _ message: String, _ statement: String = "") {
    (self.code, self.message, self.statement) = (code, message, statement)
  }
}
