package import FoundationEssentials
import Models
package import Workers

/// Notes in the folder of a library when a backup of it was last made in another folder.
///
/// A folder without the backup that was made there is mostly the place of a disk that is not mounted. A backup would then
/// fill the disk of the system. For a library in a database, each machine has notes of its own.
package struct BackupNotes: Sendable {
  private let library: LibraryFolder
  private let backup: LibraryFolder

  /// - Parameters:
  ///   - library: The folder of the library.
  ///   - backup: The folder of the backup.
  package init(of library: LibraryFolder, at backup: LibraryFolder) {
    (self.library, self.backup) = (library, backup)
  }

  /// Whether a backup of the library was made in the folder.
  package var isNoted: Bool { read()[backup.path] != nil }

  /// - Throws: `.backupGone` when the backup that was made in the folder is missing; `.otherFiles` when the folder has
  ///   other files.
  package func check() throws(StoreError) {
    guard try FileSystem.kind(of: backup.databaseFile) == nil else { return }
    if let seconds = read()[backup.path] {
      let date = Date(timeIntervalSince1970: seconds)
      throw StoreError(reason: .backupGone(since: date), path: backup.path, message: "")
    }
    try backup.checkNoOtherFiles()
  }

  /// Moves the database and the thumbnails of a backup that was made in the folder into another folder there, so that
  /// another backup can begin.
  ///
  /// The originals stay: their hashes tell whether they are right. Without a note, nothing is moved.
  ///
  /// - Parameter date: The present time, which names the other folder.
  /// - Throws: when a file cannot be moved.
  package func setAside(_ date: Date) throws(StoreError) {
    guard isNoted, try FileSystem.kind(of: backup.databaseFile) != nil else {
      return
    }
    let former = "\(backup.path)/former-\(Int(saturating: date.timeIntervalSince1970))"
    _ = try FileSystem.makeFolder(former)
    // The database goes last: without its log, an interrupted run leaves one that the next run moves.
    for name in ["gallery.sqlite-wal", "gallery.sqlite-shm", "thumbnails", "gallery.sqlite"] {
      let path = "\(backup.path)/\(name)"
      guard try FileSystem.kind(of: path) != nil else { continue }
      try FileSystem.move(path, to: "\(former)/\(name)")
    }
  }

  /// Notes that a backup was completed.
  ///
  /// An error is ignored: the backup is complete, and a library that cannot be written needs no note to be read.
  package func add(_ date: Date) {
    var notes = read()
    notes[backup.path] = date.timeIntervalSince1970.rounded()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(notes), (try? library.make()) != nil else { return }
    try? FileSystem.replace(library.backups, with: Array(bytes))
  }

  /// The dates of backups in seconds since 1970, by the paths of their folders.
  private func read() -> [String: Double] { Self.read(in: library) }

  /// The folders to which backups of a library were made, the newest backup first.
  package static func places(of library: LibraryFolder) -> [String] {
    read(in: library).sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  private static func read(in library: LibraryFolder) -> [String: Double] {
    guard let data = try? Data(contentsOf: URL(filePath: library.backups)) else { return [:] }
    return (try? JSONDecoder().decode([String: Double].self, from: data)) ?? [:]
  }
}
