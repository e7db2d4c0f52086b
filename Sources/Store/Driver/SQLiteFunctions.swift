import CSQLite

extension SQLiteDriver {
  /// Adds a function of three texts to SQL, whose result depends on nothing else; a value that is not a text is nil.
  package func add(
    function name: String,
    _ body: @escaping (String?, String?, String?) -> String?
  ) throws(SQLiteError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    let box = Unmanaged.passRetained(TextFunction(body)).toOpaque()
    let code = sqlite3_create_function_v2(
      handle,
      name,
      3,
      flags,
      box,
      { context, _, values in TextFunction.call(context, values) },
      nil,
      nil,
      { box in box.map { Unmanaged<TextFunction>.fromOpaque($0).release() } }
    )
    if code != SQLITE_OK { throw SQLiteError(code, of: handle, name) }
  }
}

private final class TextFunction {
  let body: (String?, String?, String?) -> String?

  init(_ body: @escaping (String?, String?, String?) -> String?) { self.body = body }

  static func call(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let values, let box = sqlite3_user_data(context) else { return }
    let function = Unmanaged<TextFunction>.fromOpaque(box).takeUnretainedValue()
    guard let result = function.body(text(values[0]), text(values[1]), text(values[2])) else {
      return sqlite3_result_null(context)
    }
    let bytes = result.utf8Span.span
    bytes.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      sqlite3_result_text(context, start, Int32(bytes.count), SQLiteDriver.copied)
    }
  }

  private static func text(_ value: OpaquePointer?) -> String? {
    guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value) else {
      return nil
    }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension SQLiteDriver {
  /// SQLITE_TRANSIENT, a marker and not an address: SQLite copies the bytes that it is given (sqlite3_bind_blob).
  static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}
