import CPostgres

/// The object identifiers of types (src/include/catalog/pg_type.dat).
package enum PostgresType {
  package static let boolean: UInt32 = 16
  package static let bytes: UInt32 = 17
  package static let integer: UInt32 = 20
  package static let text: UInt32 = 25
  static let real: UInt32 = 701

  /// The types of a parameter of a kind, and of an array of them.
  static func types(of kind: Values.Kind) -> (element: UInt32, array: UInt32) {
    switch kind {
    case .boolean: (boolean, 1000)
    case .integer: (integer, 1016)
    case .real: (real, 1022)
    case .text: (text, 1009)
    case .bytes: (bytes, 1001)
    }
  }

  /// Whether a column of a type is read as one of a kind: "name", "varchar", int2, int4 and oid are, too.
  static func isType(_ type: UInt32, _ kind: Values.Kind) -> Bool {
    switch kind {
    case .boolean: type == boolean
    case .integer: type == integer || type == 23 || type == 21 || type == 26
    case .real: type == real
    case .text: type == text || type == 1043 || type == 19
    case .bytes: type == bytes
    }
  }
}

/// The values of a statement's parameters in PostgreSQL's binary format, as they are sent.
struct PostgresValues {
  private(set) var types: [UInt32] = []
  /// The bytes of each value in `bytes`; nil for NULL.
  private var places: [Range<Int>?] = []
  private var bytes: [UInt8] = []

  init(_ values: Values) {
    for value in values.values { add(value, values) }
    // An empty value still has a pointer, so it is not NULL.
    bytes.append(0)
  }

  /// Passes pointers to all values, and their lengths, to a C function.
  func withPointers<Result>(
    _ body: (_ pointers: [UnsafePointer<CChar>?], _ lengths: [Int32]) -> Result
  ) -> Result {
    bytes.withUnsafeBytes { bytes in
      let start = bytes.bindMemory(to: CChar.self).baseAddress
      return body(
        places.map { place in place.flatMap { place in start.map { $0 + place.lowerBound } } },
        places.map { Int32($0?.count ?? 0) }
      )
    }
  }

  private mutating func add(_ value: Values.Value, _ values: Values) {
    let start = bytes.count
    var isNull = false
    switch value {
    case .null(let kind):
      // For 0, the server infers the type.
      types.append(kind.map { PostgresType.types(of: $0).element } ?? 0)
      isNull = true
    case .boolean: types.append(PostgresType.boolean)
    case .integer: types.append(PostgresType.integer)
    case .real: types.append(PostgresType.real)
    case .text: types.append(PostgresType.text)
    case .bytes: types.append(PostgresType.bytes)
    case .list(let kind, let range):
      types.append(PostgresType.types(of: kind).array)
      append(list: values.elements[range], kind, values)
    }
    append(value, values)
    places.append(isNull ? nil : start..<bytes.count)
  }

  private mutating func append(_ value: Values.Value, _ values: Values) {
    switch value {
    case .null, .list: break
    case .boolean(let isTrue): bytes.append(isTrue ? 1 : 0)
    case .integer(let integer): append(integer)
    case .real(let real): append(real.bitPattern)
    // PostgreSQL stores no null characters.
    case .text(let range): bytes += values.bytes[range].lazy.filter { $0 != 0 }
    case .bytes(let range): bytes += values.bytes[range]
    }
  }

  /// Appends an array of one dimension (array_recv in src/backend/utils/adt/arrayfuncs.c).
  private mutating func append(
    list: ArraySlice<Values.Value>,
    _ kind: Values.Kind,
    _ values: Values
  ) {
    let hasNull = list.contains { element in if case .null = element { true } else { false } }
    append(list.isEmpty ? 0 : 1 as Int32)
    append(hasNull ? 1 : 0 as Int32)
    append(PostgresType.types(of: kind).element)
    if list.isEmpty { return }
    append(Int32(list.count))
    append(1 as Int32)
    for element in list {
      if case .null = element {
        append(-1 as Int32)
        continue
      }
      let start = bytes.count
      append(0 as Int32)
      append(element, values)
      let length = Int32(bytes.count - start - 4)
      withUnsafeBytes(of: length.bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
    }
  }

  private mutating func append(_ integer: some FixedWidthInteger) {
    withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
  }
}

/// Rows in the text format of COPY (postgresql.org/docs/15/sql-copy.html, "File Formats").
struct CopyText {
  private(set) var bytes: [UInt8] = []

  init(_ rows: NewRows) {
    let values = rows.values
    let width = rows.columns.count
    bytes.reserveCapacity(values.bytes.count + 8 * values.count)
    for (index, value) in values.values.enumerated() {
      append(value, values)
      bytes.append(UInt8(ascii: (index + 1).isMultiple(of: width) ? "\n" : "\t"))
    }
  }

  private mutating func append(_ value: Values.Value, _ values: Values) {
    switch value {
    case .null, .list: bytes += #"\N"#.utf8
    case .boolean(let isTrue): bytes.append(UInt8(ascii: isTrue ? "1" : "0"))
    case .integer(let integer): bytes += String(integer).utf8
    case .real(let real): bytes += String(real).utf8
    case .text(let range): append(text: values.bytes[range])
    case .bytes(let range): append(hexadecimal: values.bytes[range])
    }
  }

  /// Appends a text without its null characters, which PostgreSQL does not store.
  private mutating func append(text: ArraySlice<UInt8>) {
    if !text.contains(where: { $0 <= UInt8(ascii: "\r") || $0 == UInt8(ascii: "\\") }) {
      bytes += text
      return
    }
    for byte in text where byte != 0 {
      switch byte {
      case UInt8(ascii: "\t"): bytes += #"\t"#.utf8
      case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
      case UInt8(ascii: "\r"): bytes += #"\r"#.utf8
      case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
      default: bytes.append(byte)
      }
    }
  }

  /// Appends bytes as hexadecimal digits (PostgreSQL, section 8.4.1).
  private mutating func append(hexadecimal value: ArraySlice<UInt8>) {
    bytes += #"\\x"#.utf8
    for byte in value {
      bytes.append(Self.digit(byte >> 4))
      bytes.append(Self.digit(byte & 15))
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }
}
