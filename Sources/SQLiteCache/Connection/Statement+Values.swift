import GRDB
internal import GRDBSQLite

/// Statements that are executed for each of many images.
///
/// GRDB's own arguments are existential values, of which it makes several arrays before SQLite has
/// them: with a row of twenty columns that takes as long as writing it.
extension Statement {
  /// Executes it with a value for each of its parameters, in their order.
  func execute(with values: [StatementValue]) throws {
    // GRDB takes the parameters for bound from here on, and leaves them alone.
    setUncheckedArguments([])
    guard sqlite3_bind_parameter_count(sqliteStatement) == values.count else {
      throw DatabaseError(resultCode: .SQLITE_RANGE, sql: sql)
    }
    var index: Int32 = 0
    for value in values {
      index += 1
      let code = bind(value, at: index)
      if code != SQLITE_OK { throw DatabaseError(resultCode: .init(rawValue: code), sql: sql) }
    }
    try execute()
  }

  private func bind(_ value: StatementValue, at index: Int32) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(sqliteStatement, index)
    case .integer(let integer): sqlite3_bind_int64(sqliteStatement, index, integer)
    case .text(let text): text.utf8Span.span.withUnsafeBytes { bind($0, at: index) }
    case .blob(let blob): blob.withUnsafeBytes { bind($0, at: index, asBlob: true) }
    }
  }

  private func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32, asBlob: Bool = false) -> Int32
  {
    let count = UInt64(bytes.count)
    // Without an address it would be NULL, and not empty.
    guard let start = bytes.baseAddress, count > 0 else {
      if asBlob { return sqlite3_bind_zeroblob(sqliteStatement, index, 0) }
      return sqlite3_bind_text(sqliteStatement, index, "", 0, Self.copied)
    }
    if asBlob { return sqlite3_bind_blob64(sqliteStatement, index, start, count, Self.copied) }
    let text = start.assumingMemoryBound(to: CChar.self)
    let encoding = UInt8(SQLITE_UTF8)
    return sqlite3_bind_text64(sqliteStatement, index, text, count, Self.copied, encoding)
  }

  /// SQLITE_TRANSIENT, which is no address but a sign: SQLite is to copy what it is given
  /// (sqlite3_bind_blob).
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}
