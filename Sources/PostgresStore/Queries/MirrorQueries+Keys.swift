import Store
import Workers

/// The keys with which mirrored galleries sign.
extension MirrorQueries {
  /// Whether the library has the table of keys; one that was made before them has it after its next write.
  static func hasKeys(_ db: Connection) throws -> Bool {
    try db.value("SELECT to_regclass('mirror_key') IS NOT NULL") ?? false
  }

  static func key(ofMirror id: Int64, _ db: Connection) throws -> LibraryKey? {
    guard try hasKeys(db) else { return nil }
    let text: String? = try db.value("SELECT public_key FROM mirror_key WHERE feed_id = $1", id)
    return text.flatMap(LibraryKey.init)
  }

  static func set(
    _ key: LibraryKey?,
    ofMirror id: Int64,
    _ db: Connection
  ) throws {
    let deletion = "DELETE FROM mirror_key WHERE feed_id = $1 AND public_key IS DISTINCT FROM $2"
    try db.rows(deletion, id, key?.text)
    guard let key else { return }
    let sql = "INSERT INTO mirror_key(feed_id, public_key) VALUES ($1, $2) ON CONFLICT DO NOTHING"
    try db.rows(sql, id, key.text)
  }
}
