import Foundation
import GRDB
import LibraryFiles
import Workers

/// The last state of the library that clients of the change log have seen, in a file beside the database.
///
/// A restored backup of the database is behind that state, or it is another file than the one of the note. Its numbers
/// would be used a second time, for other changes, so the library gets a new epoch and numbers of their own.
struct FollowedState: Equatable {
  var version: LibraryVersion
  /// The `FileOrigin` of the database.
  var origin: String

  /// How many numbers an epoch has.
  ///
  /// All numbers stay exact in JSON (RFC 8259, section 6) for 8,000 epochs.
  private static let numbersOfEpoch: Int64 = 1 << 40

  /// Reads the note; nil when no client has seen any.
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

  /// The state of a library as its folder has it now.
  init(_ version: LibraryVersion, in folder: LibraryFolder) {
    self.version = version
    origin = FileOrigin.of(folder.database) ?? "-"
  }

  func write(in folder: LibraryFolder) throws(StoreError) {
    let text = "\(version.library) \(version.epoch) \(version.number) \(origin)\n"
    try FileSystem.replace(folder.followedChanges, with: Array(text.utf8))
  }

  /// Gives the library a new epoch when a backup of it was restored since the note was written.
  static func noticeRestore(_ db: Database, in folder: LibraryFolder) throws {
    guard let note = FollowedState(in: folder), try isRestored(db, note, in: folder) else { return }
    try db.writing { db in
      // Another process may have been faster.
      guard let note = FollowedState(in: folder), try isRestored(db, note, in: folder),
        let version = try ChangeLog.version(db)
      else { return }
      let epoch = max(note.version.epoch, version.epoch) + 1
      try db.execute(
        sql: "UPDATE library SET epoch = ?1, change_seq = max(change_seq, ?1 * ?2)",
        arguments: [epoch, numbersOfEpoch]
      )
      guard let version = try ChangeLog.version(db) else { return }
      try FollowedState(version, in: folder).write(in: folder)
    }
  }

  private static func isRestored(
    _ db: Database,
    _ note: FollowedState,
    in folder: LibraryFolder
  ) throws -> Bool {
    guard let version = try ChangeLog.version(db), version.library == note.version.library else {
      return false
    }
    return version.epoch < note.version.epoch
      || version.epoch == note.version.epoch && version.number < note.version.number
      || note.origin != FileOrigin.of(folder.database)
  }
}
