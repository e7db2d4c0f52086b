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
  func execute(with values: [StatementValue]) throws {
    // Nothing can be bound between an execution and this (sqlite3_bind_blob).
    sqlite3_reset(sqliteStatement)
    guard sqlite3_bind_parameter_count(sqliteStatement) == values.count else {
      throw DatabaseError(resultCode: .SQLITE_RANGE, sql: sql)
    }
    for (place, value) in values.enumerated() {
      let code = bind(value, at: Int32(place + 1))
      if code != SQLITE_OK { throw DatabaseError(resultCode: .init(rawValue: code), sql: sql) }
    }
    try execute()
  }

  private func bind(_ value: StatementValue, at index: Int32) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(sqliteStatement, index)
    case .integer(let integer): sqlite3_bind_int64(sqliteStatement, index, integer)
    case .text(let text): text.utf8Span.span.withUnsafeBytes { bind($0, at: index) }
    }
  }

  private func bind(_ text: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
    // Without an address it would be NULL, and not empty.
    guard let start = text.baseAddress, !text.isEmpty else {
      return sqlite3_bind_text(sqliteStatement, index, "", 0, Self.copied)
    }
    let characters = start.assumingMemoryBound(to: CChar.self)
    let (count, encoding) = (UInt64(text.count), UInt8(SQLITE_UTF8))
    return sqlite3_bind_text64(sqliteStatement, index, characters, count, Self.copied, encoding)
  }

  /// SQLITE_TRANSIENT, which is no address but a sign: SQLite is to copy what it is given
  /// (sqlite3_bind_blob).
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}
