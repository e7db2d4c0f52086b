package import Workers

/// The settings of a library that is the copy of another one.
package enum CopyNotes {
  /// Whether the library is a backup.
  package static func isBackup(_ db: Connection) throws -> Bool {
    try db.hasRow("SELECT 1 FROM setting WHERE name = 'backup'")
  }

  /// Notes what a completed copy is for, and the number of its last change.
  ///
  /// A restored library stops being a copy, so that no later copy updates it.
  package static func set(_ purpose: CopyPurpose, number: Int64, _ db: Connection) throws {
    try db.run("DELETE FROM setting WHERE name IN ('copied', 'backup')")
    let add = "INSERT INTO setting(name, value) VALUES ($1, $2)"
    if purpose != .restore { try db.run(add, "copied", "\(number)") }
    if purpose == .backup { try db.run(add, "backup", "1") }
  }
}
