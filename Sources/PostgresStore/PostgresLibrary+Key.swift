import LibraryFiles
import Store
package import Workers

/// The key pair of the library, in the setting `key`, so that all machines sign alike.
extension PostgresLibrary: LibraryKeyKeeping {
  package func signer() async throws(StoreError) -> (any LibrarySigning)? {
    guard let known = try await reading(orNone: nil, Self.known) else { return nil }
    if let text = known.key { return try key(text, of: known.library) }
    let text = KeyText.text(of: try SigningKey.random(), library: known.library)
    let kept = try await writing { db in
      // Another machine may have been faster.
      let sql = "INSERT INTO setting(name, value) VALUES ('key', $1) ON CONFLICT (name) DO NOTHING"
      try db.rows(sql, text)
      return try Self.known(db)
    }
    guard let kept else { return nil }
    return try key(kept.key ?? text, of: kept.library)
  }

  /// The key pair; nil before it was made.
  func keptKey() async throws(StoreError) -> (any LibrarySigning)? {
    guard let known = try await reading(orNone: nil, Self.known), let text = known.key else {
      return nil
    }
    return try key(text, of: known.library)
  }

  package func storedKey() throws(StoreError) -> (any LibrarySigning)? {
    guard let known = try askingNow(Self.known), let text = known.key else { return nil }
    return try key(text, of: known.library)
  }

  package func keepKey(_ key: any LibrarySigning, of library: String) throws(StoreError) {
    try copying { db in
      let sql = """
        INSERT INTO setting(name, value) VALUES ('key', $1)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """
      try db.rows(sql, KeyText.text(of: key, library: library))
    }
  }

  /// Forgets the key pair of a library that becomes the copy of another one.
  static func forgetKey(_ db: Connection) throws {
    try db.rows("DELETE FROM setting WHERE name = 'key'")
  }

  private func key(_ text: String, of library: String) throws(StoreError) -> any LibrarySigning {
    try KeyText.key(text, of: library, path: "\(path): the setting 'key'")
  }

  /// The UUID of the library, and the text of its key pair; nil before the first was made.
  private static func known(
    _ db: Connection
  ) throws -> (library: String, key: String?)? {
    let sql = "SELECT uuid::text, (SELECT value FROM setting WHERE name = 'key') FROM library"
    guard let row = try db.rows(sql).first else { return nil }
    return try (row.value(0), row.value(1))
  }
}
