import CPostgres
import Workers

/// A connection to a server, for one thread at a time.
final class PostgresConnection {
  private let connection: OpaquePointer
  /// The names of the prepared statements, by their texts.
  private var statements: [String: String] = [:]
  /// The number of prepared statements that the connection has run, unnamed ones included.
  private(set) var statementCount = 0

  /// Whether the connection's library is known to have a version that this program can use.
  var isChecked = false
  /// Whether `ChangeLog.noticeRestore` has run on this connection, in a transaction that was committed.
  var isNoticed = false

  init(_ address: PostgresAddress) throws(PostgresError) {
    let parameters = try address.parameters()
    let texts = (parameters.map(\.keyword) + parameters.map(\.value)).map { text -> [UInt8]? in
      text.utf8.filter { $0 != 0 } + [0]
    }
    let opened = texts.withPointers { texts in
      let keywords = texts.prefix(parameters.count) + [nil]
      let values = texts.dropFirst(parameters.count) + [nil]
      return cpostgres_connectdbParams(Array(keywords), Array(values), 1)
    }
    guard let opened else { throw PostgresError(message: "no memory is left") }
    connection = opened
    cpostgres_dropNotices(connection)
    guard isOpen else { throw lost() }
    let version = cpostgres_serverVersion(connection) / 10_000
    guard version >= 15 else {
      throw PostgresError(message: "the server is PostgreSQL \(version), and 15 is the oldest")
    }
  }

  deinit { cpostgres_finish(connection) }

  var isOpen: Bool { cpostgres_status(connection) == CPOSTGRES_CONNECTION_OK }

  /// Runs statements without parameters, one after another.
  func run(_ statements: String) throws(PostgresError) {
    _ = try checked(cpostgres_exec(connection, statements))
  }

  /// Runs a statement, which is prepared once, and returns its rows.
  @discardableResult
  func rows(
    _ statement: String,
    _ values: (any PostgresEncodable)?...
  ) throws(PostgresError) -> PostgresRows {
    try rows(statement, with: values)
  }

  /// Runs a statement as above, with its values in an array.
  @discardableResult
  func rows(
    _ statement: String,
    with values: [(any PostgresEncodable)?]
  ) throws(PostgresError) -> PostgresRows {
    let values = values.map { $0?.postgresValue ?? .null }
    if let name = statements[statement] { return try execute(name, values) }
    let name = "s\(statements.count)"
    try prepare(name, statement, values)
    statements[statement] = name
    return try execute(name, values)
  }

  /// The first column of the first row; nil when it is NULL, or when there is no row.
  func value<Value: PostgresDecodable>(
    _ statement: String,
    _ values: (any PostgresEncodable)?...
  ) throws -> Value? {
    try rows(statement, with: values).first?.value(0)
  }

  /// The first column of all rows.
  func column<Value: PostgresDecodable>(
    _ statement: String,
    _ values: (any PostgresEncodable)?...
  ) throws -> [Value] {
    try rows(statement, with: values).map { try $0.value(0) }
  }

  /// Whether the statement returns a row.
  func hasRow(
    _ statement: String,
    _ values: (any PostgresEncodable)?...
  ) throws(PostgresError) -> Bool {
    try rows(statement, with: values).count > 0
  }

  /// Runs a statement without keeping it prepared, because its text hardly ever repeats.
  func unpreparedRows(
    _ statement: String,
    with values: [any PostgresEncodable] = []
  ) throws(PostgresError) -> PostgresRows {
    let values = values.map(\.postgresValue)
    try prepare("", statement, values)
    return try execute("", values)
  }

  private func prepare(
    _ name: String,
    _ statement: String,
    _ values: [PostgresValue]
  ) throws(PostgresError) {
    let types = values.map(\.typeID)
    let result = cpostgres_prepare(connection, name, statement, Int32(types.count), types)
    cpostgres_clear(try checked(result))
  }

  private func execute(
    _ name: String,
    _ values: [PostgresValue]
  ) throws(PostgresError) -> PostgresRows {
    statementCount += 1
    let lengths = values.map { Int32($0.bytes?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: values.count)
    let result = values.map(\.bytes).withPointers { pointers in
      let count = Int32(pointers.count)
      return cpostgres_execPrepared(connection, name, count, pointers, lengths, formats, 1)
    }
    return PostgresRows(try checked(result))
  }

  /// Adds rows to a table with `COPY … FROM STDIN` (postgresql.org/docs/15/libpq-copy.html).
  ///
  /// - Parameters:
  ///   - columns: The columns of the table that the rows have.
  ///   - table: The table.
  ///   - rows: The rows.
  /// - Throws: when the server refuses the rows.
  func copy(_ columns: [String], of table: String, _ rows: CopyRows) throws(PostgresError) {
    let statement = "COPY \(table) (\(columns.joined(separator: ", "))) FROM STDIN"
    cpostgres_clear(try checked(cpostgres_exec(connection, statement)))
    let sent = rows.bytes.withUnsafeBytes { bytes in
      let start = bytes.bindMemory(to: CChar.self).baseAddress
      return cpostgres_putCopyData(connection, start, Int32(bytes.count))
    }
    guard sent == 1, cpostgres_putCopyEnd(connection, nil) == 1 else { throw lost() }
    let result = cpostgres_getResult(connection)
    defer { while let next = cpostgres_getResult(connection) { cpostgres_clear(next) } }
    cpostgres_clear(try checked(result))
  }

  private func checked(_ result: OpaquePointer?) throws(PostgresError) -> OpaquePointer {
    guard let result else { throw lost() }
    let status = Int(cpostgres_resultStatus(result))
    let isGood = [CPOSTGRES_TUPLES_OK, CPOSTGRES_COMMAND_OK, CPOSTGRES_COPY_IN].contains { good in
      Int(good) == status
    }
    if isGood { return result }
    defer { cpostgres_clear(result) }
    func field(_ code: Int) -> String? {
      cpostgres_resultErrorField(result, Int32(code)).map { String(cString: $0) }
    }
    guard let state = field(Int(CPOSTGRES_SQLSTATE)) else { throw lost() }
    let message = field(Int(CPOSTGRES_MESSAGE)) ?? "it says nothing"
    throw PostgresError(state: state, message: message, isConnectionLost: !isOpen)
  }

  private func lost() -> PostgresError {
    let message = Self.line(String(cString: cpostgres_errorMessage(connection)))
    return PostgresError(message: message, isConnectionLost: true)
  }

  /// Puts a message of libpq on one line.
  static func line(_ message: String) -> String {
    message.split(whereSeparator: \.isNewline).joined(separator: "; ")
  }
}

extension [[UInt8]?] {
  /// Passes pointers to the bytes of all values to a C function.
  fileprivate func withPointers<Result>(
    _ body: ([UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    // All values share one buffer, because a pointer to each array would need a separate closure. An empty value still
    // has a pointer, so it is not NULL.
    var bytes: [UInt8] = []
    for value in self { bytes += value ?? [] }
    bytes.append(0)
    return bytes.withUnsafeBytes { buffer in
      let start = buffer.bindMemory(to: CChar.self).baseAddress
      var offset = 0
      let pointers = map { value -> UnsafePointer<CChar>? in
        guard let count = value?.count else { return nil }
        defer { offset += count }
        return start.map { $0 + offset }
      }
      return body(pointers)
    }
  }
}

/// An error that a server or libpq has reported.
struct PostgresError: Error {
  /// Five digits and letters (postgresql.org/docs/15/errcodes-appendix.html); empty when the server did not answer.
  var state = ""
  var message: String
  /// Whether the connection was lost with this error.
  var isConnectionLost = false

  /// Whether another attempt at the transaction may succeed, because other transactions wrote the same rows.
  var isOfConcurrency: Bool { ["40001", "40P01", "23505"].contains(state) }

  /// This error as an error of the store.
  func storeError(_ path: String) -> StoreError {
    StoreError(reason: reason, path: path, message: message)
  }

  private var reason: StoreError.Reason {
    switch state {
    case "42P01", "3F000": .noLibrary
    case "53100": .full
    case "25006": .readOnly
    case "55P03", "57014", "40001", "40P01", "53300": .busy
    case _ where state == "42501" || state.hasPrefix("28"): .forbidden
    case _ where state.hasPrefix("XX"): .unsound
    case _ where state.hasPrefix("08") || isConnectionLost: .databaseUnreachable
    default: .other
    }
  }
}
