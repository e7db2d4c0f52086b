import CSQLite

/// A compiled statement of SQLite.
final class SQLiteStatement {
  private let pointer: OpaquePointer
  private let text: String
  /// SQLite's numbers of the parameters `$1`, `$2` and so on; nil when they are the same.
  private let places: [Int32]?
  /// The number of values.
  private let count: Int
  /// Whether its rows are being read.
  private(set) var isRunning = false

  init(_ text: String, _ handle: OpaquePointer, isKept: Bool) throws(SQLiteError) {
    var pointer: OpaquePointer?
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = sqlite3_prepare_v3(handle, text, -1, flags, &pointer, nil)
    guard code == SQLITE_OK, let pointer else { throw SQLiteError(code, of: handle, text) }
    (self.pointer, self.text) = (pointer, text)
    do throws(SQLiteError) {
      (count, places) = try Self.places(pointer, text)
    } catch {
      sqlite3_finalize(pointer)
      throw error
    }
  }

  deinit { sqlite3_finalize(pointer) }

  var isReadOnly: Bool { sqlite3_stmt_readonly(pointer) != 0 }

  /// Reads the names of the parameters: SQLite numbers `$2` as 1 when it stands before `$1`.
  private static func places(
    _ pointer: OpaquePointer,
    _ text: String
  ) throws(SQLiteError) -> (count: Int, places: [Int32]?) {
    let most = sqlite3_bind_parameter_count(pointer)
    var places: [Int32] = []
    for place in 0..<most {
      // A plain "?" has no name, and the next number.
      let name = sqlite3_bind_parameter_name(pointer, place + 1).map { String(cString: $0) }
      // A cast by "::" would be part of the name.
      guard let number = name.map({ Int($0.dropFirst()) }) ?? Int(place + 1), number > 0 else {
        throw SQLiteError(SQLITE_ERROR, "\(name ?? "?") is not a number", text)
      }
      while places.count < number { places.append(0) }
      places[number - 1] = place + 1
    }
    if places.isEmpty { return (Int(most), nil) }
    return (places.count, places == Array(1...most) ? nil : places)
  }

  /// Runs the statement with a range of values, and calls `body` with each row until it returns false.
  func forEachRow(
    _ values: Values,
    _ range: Range<Int>,
    _ body: (Row) throws -> Bool
  ) throws {
    guard range.count == count else {
      throw SQLiteError(SQLITE_RANGE, "\(range.count) values for \(count) parameters", text)
    }
    try values.bytes.withUnsafeBytes { bytes in
      isRunning = true
      // The bindings point into the bytes, which may move afterwards.
      defer {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
        isRunning = false
      }
      for index in 0..<count {
        let place = places?[index] ?? Int32(index + 1)
        if place == 0 { continue }
        try check(bind(values.values[range.lowerBound + index], values, bytes, at: place))
      }
      try step(body)
    }
  }

  private func step(_ body: (Row) throws -> Bool) throws {
    while true {
      switch sqlite3_step(pointer) {
      case SQLITE_ROW: if try !body(Row(.sqlite(pointer))) { return }
      case SQLITE_DONE: return
      case let code: throw SQLiteError(code, of: sqlite3_db_handle(pointer), text)
      }
    }
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    if code != SQLITE_OK { throw SQLiteError(code, of: sqlite3_db_handle(pointer), text) }
  }

  private func bind(
    _ value: Values.Value,
    _ values: Values,
    _ bytes: UnsafeRawBufferPointer,
    at place: Int32
  ) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(pointer, place)
    case .boolean(let isTrue): sqlite3_bind_int(pointer, place, isTrue ? 1 : 0)
    case .integer(let integer): sqlite3_bind_int64(pointer, place, integer)
    case .real(let real): sqlite3_bind_double(pointer, place, real)
    case .text(let range): bind(text: UnsafeRawBufferPointer(rebasing: bytes[range]), at: place)
    case .bytes(let range):
      // Without an address, the value would be NULL. Without a destructor, SQLite does not copy the bytes.
      range.isEmpty
        ? sqlite3_bind_zeroblob(pointer, place, 0)
        : sqlite3_bind_blob64(
          pointer,
          place,
          bytes.baseAddress.map { $0 + range.lowerBound },
          UInt64(range.count),
          nil
        )
    case .list(_, let range): bind(list: values.elements[range], bytes, at: place)
    }
  }

  private func bind(text: UnsafeRawBufferPointer, at place: Int32) -> Int32 {
    // Without an address, the value would be NULL and not an empty text.
    guard let start = text.baseAddress else {
      return sqlite3_bind_text(pointer, place, "", 0, SQLiteDriver.copied)
    }
    // Without a destructor, SQLite does not copy the bytes, which do not move while they are bound.
    return sqlite3_bind_text64(
      pointer,
      place,
      start.assumingMemoryBound(to: CChar.self),
      UInt64(text.count),
      nil,
      UInt8(SQLITE_UTF8)
    )
  }

  /// Binds a list of integers or texts as a JSON array (sqlite.org/json1.html).
  private func bind(
    list: ArraySlice<Values.Value>,
    _ bytes: UnsafeRawBufferPointer,
    at place: Int32
  ) -> Int32 {
    var json = "["
    for element in list {
      if json.utf8.count > 1 { json += "," }
      switch element {
      case .integer(let integer): json += String(integer)
      case .text(let range):
        json += Self.quoted(UnsafeRawBufferPointer(rebasing: bytes[range]))
      default: return SQLITE_MISMATCH
      }
    }
    json += "]"
    return sqlite3_bind_text(pointer, place, json, -1, SQLiteDriver.copied)
  }

  /// A text as a string of JSON (RFC 8259, section 7).
  private static func quoted(_ text: UnsafeRawBufferPointer) -> String {
    var quoted = "\""
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
