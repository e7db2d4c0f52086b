import CPostgres
package import Workers

/// Runs statements on a connection to a server of PostgreSQL through libpq.
package final class PostgresDriver {
  private let connection: OpaquePointer
  /// The names of the prepared statements, by their texts.
  private var statements: [String: String] = [:]
  /// The number of prepared statements that the connection has run, unnamed ones included.
  package private(set) var statementCount = 0

  /// Connects to a server.
  ///
  /// - Parameter parameters: The parameters for libpq; of two with the same keyword, the last one counts.
  /// - Throws: when the server cannot be reached, or is too old.
  package init(_ parameters: [(keyword: String, value: String)]) throws(PostgresError) {
    var texts = Values(count: 2 * parameters.count)
    for parameter in parameters { texts.add(parameter.keyword + "\0") }
    for parameter in parameters { texts.add(parameter.value.filter { $0 != "\0" } + "\0") }
    guard let opened = Self.connect(texts) else { throw PostgresError("no memory is left") }
    connection = opened
    cpostgres_dropNotices(connection)
    guard isOpen else { throw lost() }
    let version = cpostgres_serverVersion(connection) / 10_000
    guard version >= 15 else {
      throw PostgresError("the server is PostgreSQL \(version), and 15 is the oldest")
    }
  }

  deinit { cpostgres_finish(connection) }

  package var isOpen: Bool { cpostgres_status(connection) == CPOSTGRES_CONNECTION_OK }

  /// Runs statements without parameters, one after another.
  package func execute(_ statements: String) throws(PostgresError) {
    cpostgres_clear(try checked(cpostgres_exec(connection, statements)))
  }

  func forEachRow(
    _ statement: String,
    _ values: Values,
    isKept: Bool,
    _ body: (Row) throws -> Bool
  ) throws -> Int {
    let rows = try rows(statement, values, isKept: isKept)
    for index in rows.indices where try !body(Row(.postgres(rows.result, row: Int32(index)))) {
      break
    }
    return rows.written
  }

  /// Runs a statement, and returns its rows.
  package func rows(
    _ statement: String,
    _ values: Values,
    isKept: Bool
  ) throws(PostgresError) -> PostgresRows {
    let values = PostgresValues(values)
    if !isKept {
      try prepare("", statement, values.types)
      return try execute("", values)
    }
    if let name = statements[statement] { return try execute(name, values) }
    let name = "s\(statements.count)"
    try prepare(name, statement, values.types)
    statements[statement] = name
    return try execute(name, values)
  }

  private func prepare(
    _ name: String,
    _ statement: String,
    _ types: [UInt32]
  ) throws(PostgresError) {
    let result = cpostgres_prepare(connection, name, statement, Int32(types.count), types)
    cpostgres_clear(try checked(result))
  }

  private func execute(
    _ name: String,
    _ values: PostgresValues
  ) throws(PostgresError) -> PostgresRows {
    statementCount += 1
    let formats = [Int32](repeating: 1, count: values.types.count)
    let result = values.withPointers { pointers, lengths in
      let count = Int32(pointers.count)
      return cpostgres_execPrepared(connection, name, count, pointers, lengths, formats, 1)
    }
    return PostgresRows(try checked(result))
  }

  /// Adds rows to a table with `COPY … FROM STDIN` (postgresql.org/docs/15/libpq-copy.html).
  ///
  /// - Throws: when the server refuses the rows.
  func insert(_ rows: NewRows) throws(PostgresError) {
    let columns = rows.columns.joined(separator: ", ")
    let statement = "COPY \(rows.table) (\(columns)) FROM STDIN"
    cpostgres_clear(try checked(cpostgres_exec(connection, statement)))
    let sent = CopyText(rows).bytes.withUnsafeBytes { bytes in
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
    throw PostgresError(message, state: state, isConnectionLost: !isOpen)
  }

  private func lost() -> PostgresError {
    let message = Self.line(String(cString: cpostgres_errorMessage(connection)))
    return PostgresError(message, isConnectionLost: true)
  }

  /// Puts a message of libpq on one line.
  package static func line(_ message: String) -> String {
    message.split(whereSeparator: \.isNewline).joined(separator: "; ")
  }

  /// Connects with keywords and then as many values, each of which ends with a null character.
  private static func connect(_ texts: Values) -> OpaquePointer? {
    texts.bytes.withUnsafeBytes { bytes in
      let start = bytes.bindMemory(to: CChar.self).baseAddress
      let pointers = texts.values.map { value -> UnsafePointer<CChar>? in
        guard case .text(let range) = value else { return nil }
        return start.map { $0 + range.lowerBound }
      }
      let count = pointers.count / 2
      let (keywords, values) = (pointers.prefix(count) + [nil], pointers.dropFirst(count) + [nil])
      return cpostgres_connectdbParams(Array(keywords), Array(values), 1)
    }
  }
}

extension Connection {
  /// The driver, for what only PostgreSQL has.
  package var postgres: PostgresDriver {
    guard case .postgres(let driver) = driver else {
      preconditionFailure("a query of PostgreSQL on another database")
    }
    return driver
  }
}

/// An error that a server or libpq has reported.
package struct PostgresError: Error {
  /// The state of a parameter that has no such value, and of an address that cannot be read.
  package static let unusableParameter = "22023"

  package var message: String
  /// Five digits and letters (postgresql.org/docs/15/errcodes-appendix.html); empty when the server did not answer.
  package var state: String
  /// Whether the connection was lost with this error.
  package var isConnectionLost: Bool

  package init(_ message: String, state: String = "", isConnectionLost: Bool = false) {
    (self.message, self.state, self.isConnectionLost) = (message, state, isConnectionLost)
  }

  /// Whether another attempt at the transaction may succeed, because other transactions wrote the same rows.
  package var isOfConcurrency: Bool { ["40001", "40P01", "23505"].contains(state) }

  /// This error as an error of the store.
  package func storeError(_ path: String) -> StoreError {
    StoreError(reason: reason, path: path, message: isOfPooler ? Self.ofPooler : message)
  }

  /// Whether a pooler has given a transaction another server than the one that knows the prepared statements: one with
  /// such a statement, or without.
  private var isOfPooler: Bool { ["42P05", "26000"].contains(state) }

  private static let ofPooler =
    "a pooler gives each transaction another server, and must keep one for each session (pool_mode = session)"

  private var reason: StoreError.Reason {
    switch state {
    case "42P01", "3F000": .noLibrary
    case "53100": .full
    case "25006": .readOnly
    case Self.unusableParameter: .unusablePlace
    case _ where isOfConcurrency: .busy
    case "55P03", "57014", "53300": .busy
    case _ where state == "42501" || state.hasPrefix("28"): .forbidden
    case _ where state.hasPrefix("XX"): .unsound
    case _ where state.hasPrefix("08") || isConnectionLost: .databaseUnreachable
    default: .other
    }
  }
}
