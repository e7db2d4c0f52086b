import GRDB
internal import GRDBSQLite
import LibraryFiles
import Models
import Workers

/// Values for the parameters of a statement, in their order (sqlite.org/datatype3.html).
///
/// The bytes of all texts are in one buffer, from which SQLite reads them. An image has a dozen texts, and each would
/// otherwise be copied to a separate buffer first.
struct StatementValues {
  private enum Value {
    case null
    case integer(Int64)
    case text(Range<Int>)
    case blob(Range<Int>)
  }

  /// The bytes that are reserved for each value's text: texts are short, and many values have none.
  private static let bytesEach = 24

  private var values: [Value] = []
  private var bytes: [UInt8] = []

  /// Reserves memory for a number of values.
  init(count: Int) {
    values.reserveCapacity(count)
    bytes.reserveCapacity(count * Self.bytesEach)
  }

  var count: Int { values.count }

  /// Adds an integer, or NULL.
  mutating func add(_ integer: Int64?) {
    values.append(integer.map { .integer($0) } ?? .null)
  }

  /// Adds an integer, or NULL.
  mutating func add(_ integer: Int?) { add(integer.map { Int64($0) }) }

  /// Adds 1 or 0.
  mutating func add(_ isTrue: Bool) { add(isTrue ? 1 : 0) }

  /// Adds a text, or NULL.
  mutating func add(_ text: String?) {
    guard let text else { return values.append(.null) }
    let start = bytes.count
    text.utf8Span.span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    values.append(.text(start..<bytes.count))
  }

  /// Adds bytes.
  mutating func add(_ blob: [UInt8]) {
    let start = bytes.count
    bytes += blob
    values.append(.blob(start..<bytes.count))
  }

  /// Adds the 32 bytes of a hash.
  mutating func add(_ hash: SHA256Digest) {
    let start = bytes.count
    hash.appendBytes(to: &bytes)
    values.append(.blob(start..<bytes.count))
  }

  /// Binds the values to a statement while `body` runs.
  ///
  /// - Throws: the errors of `body`, and a `DatabaseError` for a value that SQLite does not accept.
  func whileBound(to statement: SQLiteStatement, _ body: () throws -> Void) throws {
    try bytes.withUnsafeBytes { bytes in
      // The bindings point into the bytes, which may move afterwards.
      defer { sqlite3_clear_bindings(statement) }
      for (index, value) in values.enumerated() {
        let code = Self.bind(value, of: bytes, to: statement, at: Int32(index + 1))
        if code != SQLITE_OK { throw DatabaseError(resultCode: .init(rawValue: code)) }
      }
      try body()
    }
  }

  private static func bind(
    _ value: Value,
    of bytes: UnsafeRawBufferPointer,
    to statement: SQLiteStatement,
    at index: Int32
  ) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
    case .blob(let range):
      // The last argument means SQLITE_STATIC: the bytes do not move while they are bound.
      sqlite3_bind_blob64(
        statement,
        index,
        bytes.baseAddress.map { $0 + range.lowerBound },
        UInt64(range.count),
        nil
      )
    case .text(let range):
      bind(UnsafeRawBufferPointer(rebasing: bytes[range]), to: statement, index)
    }
  }

  private static func bind(
    _ text: UnsafeRawBufferPointer,
    to statement: SQLiteStatement,
    _ index: Int32
  ) -> Int32 {
    // Without an address, the value would be NULL and not an empty text.
    guard let start = text.baseAddress else {
      return sqlite3_bind_text(statement, index, "", 0, copied)
    }
    let characters = start.assumingMemoryBound(to: CChar.self)
    // The last argument but one means SQLITE_STATIC: the bytes do not move while they are bound.
    return sqlite3_bind_text64(
      statement,
      index,
      characters,
      UInt64(text.count),
      nil,
      UInt8(SQLITE_UTF8)
    )
  }

  /// SQLITE_TRANSIENT, a marker and not an address: SQLite copies the bytes that it is given (sqlite3_bind_blob).
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}

/// Statements that are executed for each of many images.
///
/// GRDB's own arguments are existential values, which it puts into several arrays before SQLite gets them. For a row of
/// twenty columns, that takes as long as writing the row.
extension Statement {
  /// Executes a statement that returns no rows, with a value for each of its parameters, in order.
  func execute(with values: StatementValues) throws {
    // Values can be bound only after a reset (sqlite3_bind_blob).
    sqlite3_reset(sqliteStatement)
    guard sqlite3_bind_parameter_count(sqliteStatement) == values.count else {
      throw DatabaseError(resultCode: .SQLITE_RANGE, sql: sql)
    }
    try values.whileBound(to: sqliteStatement) {
      let code = sqlite3_step(sqliteStatement)
      guard code != SQLITE_DONE else { return }
      defer { sqlite3_reset(sqliteStatement) }
      throw failure(code)
    }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(
      resultCode: .init(rawValue: code),
      message: String(cString: sqlite3_errmsg(sqlite3_db_handle(sqliteStatement))),
      sql: sql
    )
  }
}

extension Statement {
  /// Maps each row of the result, and leaves out the rows for which `element` returns nil.
  ///
  /// GRDB's own cursors are generic types. To instantiate each of them once in a process takes longer than to read a
  /// few rows.
  func rows<Element>(
    _ arguments: StatementArguments = [],
    _ element: (Row) throws -> Element?
  ) throws -> [Element] {
    var elements: [Element] = []
    let rows = try Row.fetchCursor(self, arguments: arguments)
    while let row = try rows.next() {
      if let element = try element(row) { elements.append(element) }
    }
    return elements
  }
}

/// Reading without an object for each row or value, for very many rows and for very frequent queries.
extension Statement {
  /// Calls `body` with the first two columns of each row, which are integers.
  func forEachPair(_ arguments: StatementArguments, _ body: (Int64, Int64) -> Void) throws {
    try setArguments(arguments)
    try forEachRow { row in
      body(row.integer(0), row.integer(1))
      return true
    }
  }

  /// Calls `body` with the first row of a query with one integer parameter, if there is a row.
  func firstRow<Value>(with integer: Int64, _ body: (RawRow) throws -> Value?) throws -> Value? {
    sqlite3_reset(sqliteStatement)
    sqlite3_bind_int64(sqliteStatement, 1, integer)
    var result: Result<Value?, any Error> = .success(nil)
    try forEachRow { row in
      result = Result { try body(row) }
      return false
    }
    return try result.get()
  }

  /// Calls `body` with each row of a query with one hash parameter, until it returns false.
  func forEachRow(with hash: SHA256Digest, _ body: (RawRow) -> Bool) throws {
    sqlite3_reset(sqliteStatement)
    var words = hash.words
    for index in 0..<4 { words[index] = words[index].bigEndian }
    try withUnsafeBytes(of: words) { bytes in
      defer { sqlite3_clear_bindings(sqliteStatement) }
      // No destructor means SQLITE_STATIC: the bytes do not move while they are bound.
      sqlite3_bind_blob64(sqliteStatement, 1, bytes.baseAddress, UInt64(bytes.count), nil)
      try forEachRow(body)
    }
  }

  private func forEachRow(_ body: (RawRow) -> Bool) throws {
    defer { sqlite3_reset(sqliteStatement) }
    while true {
      let code = sqlite3_step(sqliteStatement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw failure(code) }
      if !body(RawRow(statement: sqliteStatement)) { return }
    }
  }
}

/// A row of a statement, valid until the next step.
struct RawRow {
  fileprivate let statement: SQLiteStatement

  /// 0 for a value that is not a number.
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func text(_ column: Int32) -> String? {
    sqlite3_column_text(statement, column).map { String(cString: $0) }
  }

  /// Nil for NULL.
  func optionalInteger(_ column: Int32) -> Int64? {
    sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : integer(column)
  }

  /// A length or a size; nil for NULL.
  func size(_ column: Int32) -> Int? { optionalInteger(column).map { Int($0.bounded) } }

  /// Nil for NULL, and for an empty blob.
  func bytes(_ column: Int32) -> [UInt8]? {
    guard let bytes = sqlite3_column_blob(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Nil for NULL, and for bytes that are not a hash.
  func hash(_ column: Int32) -> SHA256Digest? {
    guard let bytes = sqlite3_column_blob(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return SHA256Digest(bytes: UnsafeRawBufferPointer(start: bytes, count: count))
  }
}

extension Row {
  /// The value of a column, by its index; throws when the value does not have the type that is asked for.
  ///
  /// Only a damaged file has such a value. GRDB's subscript would end the program.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ index: Int
  ) throws -> Value {
    try decode(Value.self, atIndex: index)
  }

  /// A count, a length or an offset, limited so that sums of such numbers do not overflow.
  ///
  /// Only a damaged file has numbers beyond the limit.
  func bounded<Value: DatabaseValueConvertible & StatementColumnConvertible & FixedWidthInteger>(
    _ index: Int
  ) throws -> Value { try (value(index) as Value).bounded }
}
