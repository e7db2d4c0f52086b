import CPostgres
import CSQLite
package import Models

/// A row of an answer, whose columns are read by number; it is valid until the next row.
package struct Row {
  enum Source {
    case sqlite(OpaquePointer)
    case postgres(OpaquePointer, row: Int32)
  }

  let source: Source
  /// Keeps a row of PostgreSQL valid outside the loop that reads it; nil within that loop.
  private let owner: PostgresRows?

  init(_ source: Source, of owner: PostgresRows? = nil) {
    self.source = source
    self.owner = owner
  }

  /// - Throws: when the value is NULL or of another type.
  package func value<Value: ColumnValue>(_ column: Int) throws -> Value {
    if let value = Value(self, Int32(column)) { return value }
    throw fault(of: column)
  }

  /// Nil for NULL.
  ///
  /// - Throws: when the value is of another type.
  package func value<Value: ColumnValue>(_ column: Int) throws -> Value? {
    if let value = Value(self, Int32(column)) { return value }
    if isNull(column) { return nil }
    throw fault(of: column)
  }

  /// The value whose raw value the column has; nil for NULL and for an unknown raw value.
  package func value<Value: RawRepresentable>(raw column: Int) throws -> Value?
  where Value.RawValue: ColumnValue {
    try (value(column) as Value.RawValue?).flatMap(Value.init)
  }

  /// The number of columns in a row of SQLite.
  package var count: Int {
    guard case .sqlite(let statement) = source else { return 0 }
    return Int(sqlite3_column_count(statement))
  }

  package func isNull(_ column: Int) -> Bool {
    switch source {
    case .sqlite(let statement):
      sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    case .postgres(let result, let row): cpostgres_getisnull(result, row, Int32(column)) != 0
    }
  }

  private func fault(of column: Int) -> UnexpectedAnswer {
    let fault = isNull(column) ? "NULL" : "of another type"
    return UnexpectedAnswer("column \(column) of an answer is \(fault)")
  }
}

/// A value that can be read from a column.
package protocol ColumnValue {
  /// Returns nil when the column is NULL or of another type.
  init?(_ row: Row, _ column: Int32)
}

extension Int64: ColumnValue {
  package init?(_ row: Row, _ column: Int32) {
    switch row.source {
    case .sqlite(let statement):
      guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
      self = sqlite3_column_int64(statement, column)
    case .postgres:
      guard let bytes = row.postgresBytes(column, of: .integer) else { return nil }
      switch bytes.count {
      case 8: self.init(bigEndian: bytes.loadUnaligned(as: Int64.self))
      case 4: self.init(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
      case 2: self.init(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
      default: return nil
      }
    }
  }
}

extension Int: ColumnValue {
  /// Reads a count, a length or an offset, limited so that sums of such numbers do not overflow.
  package init?(_ row: Row, _ column: Int32) {
    guard let value = Int64(row, column) else { return nil }
    self.init(value.bounded)
  }
}

extension Bool: ColumnValue {
  package init?(_ row: Row, _ column: Int32) {
    switch row.source {
    case .sqlite:
      guard let value = Int64(row, column) else { return nil }
      self = value != 0
    case .postgres:
      guard let bytes = row.postgresBytes(column, of: .boolean) else { return nil }
      self = bytes.first != 0
    }
  }
}

extension Double: ColumnValue {
  package init?(_ row: Row, _ column: Int32) {
    switch row.source {
    case .sqlite(let statement):
      let type = sqlite3_column_type(statement, column)
      guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
      self = sqlite3_column_double(statement, column)
    case .postgres:
      guard let bytes = row.postgresBytes(column, of: .real) else { return nil }
      self.init(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }
  }
}

extension String: ColumnValue {
  package init?(_ row: Row, _ column: Int32) {
    guard let bytes = row.text(column) else { return nil }
    self.init(decoding: bytes, as: UTF8.self)
  }
}

extension Bytes: ColumnValue {
  package init?(_ row: Row, _ column: Int32) {
    guard let bytes = row.blob(column) else { return nil }
    self.init(Array(bytes))
  }
}

extension SHA256Digest: ColumnValue {
  package init?(_ row: Row, _ column: Int32) {
    guard let bytes = row.blob(column) else { return nil }
    self.init(bytes: bytes)
  }
}

extension Row {
  fileprivate func text(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard case .sqlite(let statement) = source else {
      return postgresBytes(column, of: .text)
    }
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT else { return nil }
    // The text must be asked for before its length (sqlite.org/c3ref/column_blob.html).
    guard let start = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  fileprivate func blob(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard case .sqlite(let statement) = source else {
      return postgresBytes(column, of: .bytes)
    }
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
    let start = sqlite3_column_blob(statement, column)
    let count = Int(sqlite3_column_bytes(statement, column))
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// The bytes of a value in PostgreSQL's binary format, if it is of a kind.
  fileprivate func postgresBytes(_ column: Int32, of kind: Values.Kind) -> UnsafeRawBufferPointer? {
    guard case .postgres(let result, let row) = source,
      cpostgres_getisnull(result, row, column) == 0,
      PostgresType.isType(cpostgres_ftype(result, column), kind)
    else { return nil }
    let length = Int(cpostgres_getlength(result, row, column))
    return UnsafeRawBufferPointer(start: cpostgres_getvalue(result, row, column), count: length)
  }
}
