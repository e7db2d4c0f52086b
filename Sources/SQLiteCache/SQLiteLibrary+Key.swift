import LibraryFiles
import Store
package import Workers

/// The key pair of the library: the private half is in a file, and the setting `public_key` names the public half.
///
/// So a file that is lost or replaced is noticed, and is never replaced by a new key.
extension SQLiteLibrary: LibraryKeyKeeping {
  package func signer() async throws(StoreError) -> (any LibrarySigning)? {
    guard let names = try await reading(.short, orNone: nil, KeyNames.init) else { return nil }
    if names.key != nil {
      return try await onReads(.short) { () throws(StoreError) in try self.key(names) }
    }
    return try await onWrites { () throws(StoreError) in try self.makeKey() }
  }

  /// The key pair; nil before the first was made.
  package func storedKey() throws(StoreError) -> (any LibrarySigning)? {
    guard let names = try read(KeyNames.init) else { return nil }
    return names.key == nil ? try KeyFile(in: folder).key(of: names.library) : try key(names)
  }

  package func keepKey(_ key: any LibrarySigning, of library: String) throws(StoreError) {
    try write { db in
      try KeyFile(in: folder).write(key, library: library)
      try KeyNames.set(key.key, db)
    }
  }

  /// Makes a key pair, unless another program was faster; the transaction keeps others from making one.
  private func makeKey() throws(StoreError) -> (any LibrarySigning)? {
    try write { db in
      guard let names = try KeyNames(db) else { return nil }
      if names.key != nil { return try key(names) }
      // If the file is there, the database is a backup from the time before the key was made.
      let kept = try KeyFile(in: folder).key(of: names.library)
      let made = try kept ?? makeKey(of: names.library)
      try KeyNames.set(made.key, db)
      return made
    }
  }

  /// Makes a new key pair if the file of the old one is missing.
  func makeKeyAgain() throws(StoreError) {
    try write { db in
      guard let names = try KeyNames(db), names.key != nil else { return }
      if try FileSystem.kind(of: folder.key) == nil {
        try KeyNames.set(try makeKey(of: names.library).key, db)
      } else {
        _ = try key(names)
      }
    }
  }

  private func makeKey(of library: String) throws(StoreError) -> SigningKey {
    let key = try SigningKey.random()
    try KeyFile(in: folder).write(key, library: library)
    return key
  }

  /// The key pair that the library names.
  private func key(_ names: KeyNames) throws(StoreError) -> any LibrarySigning {
    let file = KeyFile(in: folder)
    guard let key = try file.key(of: names.library) else {
      throw .unusableKey(file.path, "it is missing")
    }
    guard key.key.text == names.key else {
      throw .unusableKey(file.path, "it is not the key that the library has used before")
    }
    return key
  }
}

/// The names by which other galleries know a library.
struct KeyNames {
  /// The UUID of the library.
  var library: String
  /// The public half of its key pair; nil before the first was made.
  var key: String?

  init?(_ db: Connection) throws {
    let sql = """
      SELECT uuid, (SELECT value FROM setting WHERE name = 'public_key') FROM library
      """
    let names = try db.row(sql) { row in
      try (library: row.value(0) as String, key: row.value(1) as String?)
    }
    guard let names else { return nil }
    (library, key) = names
  }

  static func set(_ key: LibraryKey, _ db: Connection) throws {
    let sql = "INSERT OR REPLACE INTO setting(name, value) VALUES ('public_key', $1)"
    try db.run(sql, key.text)
  }

  /// Forgets the key pair of a library that becomes the copy of another one.
  ///
  /// Where the database of that other one was lost, its key pair may still be there, and stays. The file of any other
  /// key pair gets another name: the galleries that know its library accept no other.
  static func forget(
    _ db: Connection,
    in folder: LibraryFolder,
    unlessOf library: String
  ) throws {
    try db.run("DELETE FROM setting WHERE name = 'public_key'")
    guard (try? KeyFile(in: folder).key(of: library)) == nil,
      try FileSystem.kind(of: folder.key) != nil
    else { return }
    var (former, number) = (folder.key + ".former", 1)
    while try FileSystem.kind(of: former) != nil {
      number += 1
      former = folder.key + ".former-\(number)"
    }
    try FileSystem.move(folder.key, to: former)
  }
}
