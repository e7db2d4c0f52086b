import GRDB
internal import GRDBSQLite

/// Values for the parameters of a statement, in their order (sqlite.org/datatype3.html).
///
/// The bytes of all texts stand one behind the other, where SQLite reads them: an image has a dozen texts,
/// and each would otherwise be copied to a place of its own first.
struct StatementValues {
  private enum Value {
    case null
    case integer(Int64)
    case text(Range<Int>)
  }

  /// Room for a value's text; they are short, many are none.
  private static let bytesEach = 24

  private var values: [Value] = []
  private var bytes: [UInt8] = []

  /// Makes room for so many values.
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

  /// Binds them to a statement for as long as `body` takes.
  ///
  /// - Throws: what `body` throws, and a `DatabaseError` for a value that SQLite does not take.
  func whileBound(to statement: SQLiteStatement, _ body: () throws -> Void) throws {
    try bytes.withUnsafeBytes { bytes in
      // What is bound points into the bytes, which may be elsewhere afterwards.
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
    case .text(let range):
      bind(UnsafeRawBufferPointer(rebasing: bytes[range]), to: statement, index)
    }
  }

  private static func bind(
    _ text: UnsafeRawBufferPointer,
    to statement: SQLiteStatement,
    _ index: Int32
  ) -> Int32 {
    // Without an address it would be NULL, and not empty.
    guard let start = text.baseAddress else {
      return sqlite3_bind_text(statement, index, "", 0, copied)
    }
    let characters = start.assumingMemoryBound(to: CChar.self)
    // The last but one is SQLITE_STATIC: the bytes stay where they are.
    return sqlite3_bind_text64(
      statement,
      index,
      characters,
      UInt64(text.count),
      nil,
      UInt8(SQLITE_UTF8)
    )
  }

  /// SQLITE_TRANSIENT, which is no address but a sign: SQLite is to copy what it is given
  /// (sqlite3_bind_blob).
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}
