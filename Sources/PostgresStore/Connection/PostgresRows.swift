import CPostgres
import FoundationEssentials
import Models
import Workers

/// The rows that a statement has returned, in memory.
final class PostgresRows: RandomAccessCollection {
  private let result: OpaquePointer
  let startIndex = 0
  let endIndex: Int

  /// Takes ownership of a result of libpq in the binary format.
  init(_ result: OpaquePointer) {
    self.result = result
    endIndex = Int(cpostgres_ntuples(result))
  }

  deinit { cpostgres_clear(result) }

  /// The number of rows that the statement has written.
  var written: Int { Int(String(cString: cpostgres_cmdTuples(result))) ?? 0 }

  subscript(index: Int) -> PostgresRow { PostgresRow(rows: self, index: index) }

  /// The object identifier of a column's type.
  func type(ofColumn column: Int) -> UInt32 { cpostgres_ftype(result, Int32(column)) }

  fileprivate func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    let (row, column) = (Int32(row), Int32(column))
    if cpostgres_getisnull(result, row, column) != 0 { return nil }
    let length = Int(cpostgres_getlength(result, row, column))
    return UnsafeRawBufferPointer(start: cpostgres_getvalue(result, row, column), count: length)
  }
}

/// A row whose columns are read by number.
struct PostgresRow {
  fileprivate let rows: PostgresRows
  fileprivate let index: Int

  /// - Throws: when the value is NULL or of another type.
  func value<Value: PostgresDecodable>(_ column: Int) throws -> Value {
    guard let value: Value = try value(column) else {
      throw PostgresError(message: "column \(column) of an answer is NULL")
    }
    return value
  }

  /// Nil for NULL.
  func value<Value: PostgresDecodable>(_ column: Int) throws -> Value? {
    guard let bytes = rows.bytes(index, column) else { return nil }
    guard let value = Value(postgres: bytes) else {
      throw PostgresError(message: "column \(column) of an answer is of another type")
    }
    return value
  }

  /// The value whose raw value the column has; nil for NULL and for an unknown raw value.
  func value<Value: RawRepresentable>(raw column: Int) throws -> Value?
  where Value.RawValue: PostgresDecodable {
    try (value(column) as Value.RawValue?).flatMap(Value.init)
  }

  func date(_ column: Int) throws -> Date? {
    try (value(column) as Int64?).map(Date.init(storedSeconds:))
  }

  /// Nil for an invalid address, which this program never writes.
  func address(_ column: Int) throws -> WebAddress? {
    try (value(column) as String?).flatMap(WebAddress.init)
  }

  func hash(_ column: Int) -> SHA256Digest? {
    rows.bytes(index, column).flatMap { SHA256Digest(bytes: $0) }
  }

  /// The ids in an array that the statement has cast to text.
  func ids(_ column: Int) throws -> [Int64] {
    try (value(column) as String).split { !$0.isNumber }.compactMap { Int64($0) }
  }

  /// The picture in four columns: format, length, width and height; nil when the format is unknown.
  func picture(_ column: Int, hash: SHA256Digest? = nil) throws -> PictureInfo? {
    guard let format: ImageFormat = try value(raw: column) else { return nil }
    return try PictureInfo(
      format: format,
      bytes: value(column + 1) ?? 0,
      width: value(column + 2),
      height: value(column + 3),
      hash: hash
    )
  }

  /// The fields of an image, in ten columns.
  func fields(_ column: Int) throws -> ImageFields {
    try ImageFields(
      title: value(column),
      caption: value(column + 1),
      author: value(column + 2),
      licence: value(column + 3),
      published: value(column + 4),
      pageAddress: value(column + 5),
      thumbnailAddress: value(column + 6),
      originalAddress: value(column + 7),
      width: value(column + 8),
      height: value(column + 9)
    )
  }
}

/// Rows in the text format of COPY (postgresql.org/docs/15/sql-copy.html, "File Formats").
struct CopyRows {
  private(set) var bytes: [UInt8] = []
  private var isInRow = false

  mutating func add<Number: BinaryInteger>(_ number: Number?) {
    guard let number else { return addNull() }
    begin()
    bytes += String(number).utf8
  }

  /// Adds a text without its null characters, which PostgreSQL does not store.
  mutating func add(_ text: String?) {
    guard let text else { return addNull() }
    begin()
    if !text.utf8.contains(where: { $0 <= UInt8(ascii: "\r") || $0 == UInt8(ascii: "\\") }) {
      bytes += text.utf8
      return
    }
    for byte in text.utf8 where byte != 0 {
      switch byte {
      case UInt8(ascii: "\t"): bytes += #"\t"#.utf8
      case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
      case UInt8(ascii: "\r"): bytes += #"\r"#.utf8
      case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
      default: bytes.append(byte)
      }
    }
  }

  /// Adds bytes as hexadecimal digits (PostgreSQL, section 8.4.1).
  mutating func add(_ value: [UInt8]) {
    begin()
    bytes.reserveCapacity(bytes.count + 2 * value.count + 4)
    bytes += #"\\x"#.utf8
    for byte in value {
      bytes.append(Self.digit(byte >> 4))
      bytes.append(Self.digit(byte & 15))
    }
  }

  mutating func addNull() {
    begin()
    bytes += #"\N"#.utf8
  }

  mutating func endRow() {
    bytes.append(UInt8(ascii: "\n"))
    isInRow = false
  }

  private mutating func begin() {
    if isInRow { bytes.append(UInt8(ascii: "\t")) }
    isInRow = true
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }
}
