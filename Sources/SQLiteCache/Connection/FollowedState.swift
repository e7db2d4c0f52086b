import FoundationEssentials
import LibraryFiles
import Models
import Store
import Workers

/// The last state of the library that clients of the change log have seen, in a file beside the database.
///
/// A restored backup is behind this state, or is not the file that the note names. It would use change numbers a second
/// time, for other changes. So the library gets a new epoch, which has its own numbers.
struct FollowedState: Equatable {
  var version: LibraryVersion
  /// The `FileOrigin` of the database.
  var origin: String

  /// Reads the note; nil when no client has seen a state.
  init?(in folder: LibraryFolder) {
    guard let text = try? String(contentsOfFile: folder.followedChanges, encoding: .utf8) else {
      return nil
    }
    let parts = text.split(whereSeparator: \.isWhitespace)
    guard parts.count == 4, let epoch = Int64(parts[1]), let number = Int64(parts[2]) else {
      return nil
    }
    version = LibraryVersion(library: String(parts[0]), epoch: epoch, number: number)
    origin = String(parts[3])
  }

  /// Makes the note for a version of the library and the current file of its database.
  init(_ version: LibraryVersion, in folder: LibraryFolder) {
    self.version = version
    origin = FileOrigin.of(folder.database) ?? "-"
  }

  func write(in folder: LibraryFolder) throws(StoreError) {
    let text = "\(version.library) \(version.epoch) \(version.number) \(origin)\n"
    try FileSystem.replace(folder.followedChanges, with: Array(text.utf8))
  }

  /// Gives the library a new epoch when a backup of it was restored since the note was written.
  static func noticeRestore(_ db: Connection, in folder: LibraryFolder) throws {
    guard let note = FollowedState(in: folder), try isRestored(db, note, in: folder) else { return }
    try db.transaction(.writing) { db in
      // Another process may have noticed it first.
      guard let note = FollowedState(in: folder), try isRestored(db, note, in: folder),
        let version = try ChangeLog.version(db)
      else { return }
      let epoch = max(note.version.epoch, version.epoch).adding(1)
      try db.run(
        "UPDATE library SET epoch = $1, change_seq = max(change_seq, $1 * $2)",
        epoch,
        LibraryVersion.numbersOfEpoch
      )
      if note.isAhead(of: version) {
        try db.run(
          "UPDATE sqlite_sequence SET seq = seq + $1 WHERE name IN ('image', 'feed')",
          LibraryVersion.idsLeftOut
        )
      }
      guard let version = try ChangeLog.version(db) else { return }
      try FollowedState(version, in: folder).write(in: folder)
    }
  }

  private static func isRestored(
    _ db: Connection,
    _ note: FollowedState,
    in folder: LibraryFolder
  ) throws -> Bool {
    guard let version = try ChangeLog.version(db), version.library == note.version.library
    else {
      return false
    }
    return note.isAhead(of: version) || note.origin != FileOrigin.of(folder.database)
  }

  /// Whether clients have seen changes that the library lacks.
  private func isAhead(of other: LibraryVersion) -> Bool {
    (other.epoch, other.number) < (version.epoch, version.number)
  }
}
