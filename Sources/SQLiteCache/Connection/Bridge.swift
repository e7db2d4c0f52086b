import FoundationEssentials
import LibraryFiles
import Models
package import Store
import Workers

// The names of the queries that do not use `Connection` as it is yet. This file goes when they do.

typealias Database = Connection

extension Connection {
  var store: Connection { self }

  func cachedStatement(sql: String) throws -> Statement { Statement(db: self, sql: sql) }

  func execute(sql: String, arguments: StatementArguments? = nil) throws {
    guard let arguments else { return try execute(sql) }
    try Statement(db: self, sql: sql).execute(arguments: arguments)
  }

  var lastInsertedRowID: Int64 { (try? value("SELECT last_insert_rowid()")) ?? 0 }
}

/// The values for a statement's parameters.
struct StatementArguments: ExpressibleByArrayLiteral {
  var values: [any Parameter] = []

  init(_ values: [any Parameter] = []) { self.values = values }
  init(arrayLiteral elements: any Parameter...) { values = elements }

  static func + (one: Self, other: Self) -> Self { Self(one.values + other.values) }
  static func += (one: inout Self, other: Self) { one.values += other.values }
}

struct Statement {
  let db: Connection
  let sql: String
  var isKept = true

  func execute(arguments: StatementArguments = []) throws {
    try execute(with: Values(arguments.values))
  }

  func execute(with values: Values) throws {
    try db.forEachRow(sql, with: values, isKept: isKept) { _ in true }
  }

  fileprivate func forEach(
    _ arguments: StatementArguments,
    _ body: (Store.Row) throws -> Bool
  ) throws {
    try db.forEachRow(sql, with: Values(arguments.values), isKept: isKept, body)
  }

  func rows<Element>(
    _ arguments: StatementArguments = [],
    _ element: (Row) throws -> Element?
  ) throws -> [Element] {
    var elements: [Element] = []
    try forEach(arguments) { row in
      if let element = try element(Row(row)) { elements.append(element) }
      return true
    }
    return elements
  }
}

/// A row that stays valid where it was copied.
struct Row {
  private enum Source {
    case live(Store.Row)
    case copied([DatabaseValue])
  }

  private let source: Source

  init(_ row: Store.Row) { source = .live(row) }

  fileprivate init(copying row: Store.Row) {
    source = .copied((0..<row.count).map { DatabaseValue(row, $0) })
  }

  subscript(_ index: Int) -> DatabaseValue {
    switch source {
    case .live(let row): DatabaseValue(row, index)
    case .copied(let values): values[index]
    }
  }

  func value<Value: Bridged>(_ index: Int) throws -> Value {
    guard let value: Value = try value(index) else { throw UnexpectedAnswer("NULL") }
    return value
  }

  func value<Value: Bridged>(_ index: Int) throws -> Value? {
    switch source {
    case .live(let row): return try row.value(index)
    case .copied(let values):
      if case .null = values[index] { return nil }
      guard let value = Value(values[index]) else { throw UnexpectedAnswer("of another type") }
      return value
    }
  }

  func bounded(_ index: Int) throws -> Int { try value(index) }
  func bounded(_ index: Int) throws -> Int64 { try (value(index) as Int64).bounded }

  func hash(_ index: Int) -> SHA256Digest? {
    guard case .blob(let bytes) = self[index] else { return nil }
    return SHA256Digest(bytes: bytes)
  }

  static func fetchAll(
    _ statement: Statement,
    arguments: StatementArguments = []
  ) throws -> [Row] {
    var rows: [Row] = []
    try statement.forEach(arguments) { row in
      rows.append(Row(copying: row))
      return true
    }
    return rows
  }

  static func fetchAll(
    _ db: Database,
    sql: String,
    arguments: StatementArguments = []
  ) throws -> [Row] { try fetchAll(Statement(db: db, sql: sql), arguments: arguments) }

  static func fetchOne(
    _ statement: Statement,
    arguments: StatementArguments = []
  ) throws -> Row? {
    var first: Row?
    try statement.forEach(arguments) { row in
      first = Row(copying: row)
      return false
    }
    return first
  }

  static func fetchOne(
    _ db: Database,
    sql: String,
    arguments: StatementArguments = []
  ) throws -> Row? { try fetchOne(Statement(db: db, sql: sql), arguments: arguments) }

  static func fetchCursor(
    _ statement: Statement,
    arguments: StatementArguments = []
  ) throws -> RowCursor { RowCursor(try fetchAll(statement, arguments: arguments)) }

  static func fetchCursor(
    _ db: Database,
    sql: String,
    arguments: StatementArguments = []
  ) throws -> RowCursor { RowCursor(try fetchAll(db, sql: sql, arguments: arguments)) }
}

final class RowCursor {
  private var rows: ArraySlice<Row>

  fileprivate init(_ rows: [Row]) { self.rows = rows[...] }

  func next() throws -> Row? { rows.popFirst() }
}

enum DatabaseValue: Parameter, Equatable {
  case null
  case int64(Int64)
  case double(Double)
  case string(String)
  case blob([UInt8])

  init(_ row: Store.Row, _ column: Int) {
    let index = Int32(column)
    if let value = Int64(row, index) {
      self = .int64(value)
    } else if let value = String(row, index) {
      self = .string(value)
    } else if let value = Bytes(row, index) {
      self = .blob(value.bytes)
    } else if let value = Double(row, index) {
      self = .double(value)
    } else {
      self = .null
    }
  }

  var storage: Self { self }
  var isNull: Bool { self == .null }

  func add(to values: inout Values) {
    switch self {
    case .null: values.addNull()
    case .int64(let value): value.add(to: &values)
    case .double(let value): value.add(to: &values)
    case .string(let value): value.add(to: &values)
    case .blob(let value): values.add(value)
    }
  }
}

protocol Bridged: ColumnValue { init?(_ value: DatabaseValue) }

extension Int64: Bridged {
  init?(_ value: DatabaseValue) {
    guard case .int64(let value) = value else { return nil }
    self = value
  }
}

extension Int: Bridged {
  init?(_ value: DatabaseValue) {
    guard case .int64(let value) = value else { return nil }
    self.init(value.bounded)
  }
}

extension Bool: Bridged {
  init?(_ value: DatabaseValue) {
    guard case .int64(let value) = value else { return nil }
    self = value != 0
  }
}

extension Double: Bridged {
  init?(_ value: DatabaseValue) {
    switch value {
    case .double(let value): self = value
    case .int64(let value): self.init(value)
    default: return nil
    }
  }
}

extension String: Bridged {
  init?(_ value: DatabaseValue) {
    guard case .string(let value) = value else { return nil }
    self = value
  }
}

extension Data: Bridged, Scalar {
  init?(_ value: DatabaseValue) {
    guard case .blob(let value) = value else { return nil }
    self.init(value)
  }

  package init?(_ row: Store.Row, _ column: Int32) {
    guard let bytes = Bytes(row, column)?.bytes else { return nil }
    self.init(bytes)
  }

  package static var kind: Values.Kind { .bytes }
  package func value(_ bytes: inout [UInt8]) -> Values.Value { Bytes(Array(self)).value(&bytes) }
}

extension ColumnValue {
  static func fetchAll(
    _ statement: Statement,
    arguments: StatementArguments = []
  ) throws -> [Self] {
    var values: [Self] = []
    try statement.forEach(arguments) { row in
      values.append(try row.value(0))
      return true
    }
    return values
  }

  static func fetchAll(
    _ db: Database,
    sql: String,
    arguments: StatementArguments = []
  ) throws -> [Self] { try fetchAll(Statement(db: db, sql: sql), arguments: arguments) }

  static func fetchCursor(
    _ db: Database,
    sql: String,
    arguments: StatementArguments = []
  ) throws -> [Self] { try fetchAll(db, sql: sql, arguments: arguments) }

  static func fetchOne(
    _ statement: Statement,
    arguments: StatementArguments = []
  ) throws -> Self? {
    var first: Self?
    try statement.forEach(arguments) { row in
      first = try row.value(0)
      return false
    }
    return first
  }

  static func fetchOne(
    _ db: Database,
    sql: String,
    arguments: StatementArguments = []
  ) throws -> Self? { try fetchOne(Statement(db: db, sql: sql), arguments: arguments) }
}
