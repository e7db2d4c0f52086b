import CSQLite

/// Splits texts into words and folds them, as the full-text index does whose tokenizer is `unicode61` without
/// diacritics (sqlite.org/fts5.html, sections 4.3.1 and 7.1).
final class SQLiteTokenizer {
  private let tokenizer: fts5_tokenizer
  private let instance: OpaquePointer

  init(_ driver: SQLiteDriver) throws(SQLiteError) {
    var (tokenizer, context) = (fts5_tokenizer(), nil as UnsafeMutableRawPointer?)
    var instance: OpaquePointer?
    guard let interface = driver.fullTextInterface,
      interface.pointee.xFindTokenizer(interface, "unicode61", &context, &tokenizer) == SQLITE_OK,
      Self.make(tokenizer, context, &instance) == SQLITE_OK, let instance
    else { throw SQLiteError(SQLITE_ERROR, "there is no full-text search") }
    (self.tokenizer, self.instance) = (tokenizer, instance)
  }

  deinit { tokenizer.xDelete(instance) }

  private static func make(
    _ tokenizer: fts5_tokenizer,
    _ context: UnsafeMutableRawPointer?,
    _ instance: inout OpaquePointer?
  ) -> Int32 {
    "remove_diacritics".withCString { name in
      "2".withCString { value in
        var arguments: [UnsafePointer<CChar>?] = [name, value]
        return tokenizer.xCreate(context, &arguments, 2, &instance)
      }
    }
  }

  func words(of text: String) throws(SQLiteError) -> [String] {
    var words: [String] = []
    let code = withUnsafeMutablePointer(to: &words) { words in split(text, into: words) }
    if code != SQLITE_OK { throw SQLiteError(code, "a text cannot be split") }
    return words
  }

  private func split(_ text: String, into words: UnsafeMutablePointer<[String]>) -> Int32 {
    text.utf8Span.span.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      return tokenizer.xTokenize(
        instance,
        words,
        FTS5_TOKENIZE_QUERY,
        start,
        Int32(bytes.count),
        Self.append
      )
    }
  }

  /// Appends a word to the array to which the context points.
  private static let append:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
    ) -> Int32 = { words, _, word, count, _, _ in
      let bytes = UnsafeRawBufferPointer(start: word, count: Int(count))
      words?.assumingMemoryBound(to: [String].self).pointee
        .append(String(decoding: bytes, as: UTF8.self))
      return SQLITE_OK
    }
}

extension SQLiteDriver {
  /// The functions of FTS5, which a statement gives to a pointer of this type (sqlite.org/fts5.html, section 7).
  fileprivate var fullTextInterface: UnsafeMutablePointer<fts5_api>? {
    var interface: UnsafeMutablePointer<fts5_api>?
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, "SELECT fts5(?)", -1, &statement, nil) == SQLITE_OK else {
      return nil
    }
    defer { sqlite3_finalize(statement) }
    // The pointer must be valid until the statement has run.
    withUnsafeMutablePointer(to: &interface) { place in
      sqlite3_bind_pointer(statement, 1, place, "fts5_api_ptr", nil)
      sqlite3_step(statement)
    }
    return interface
  }
}
