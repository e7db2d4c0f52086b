import CSQLite
import Glibc
import LibraryFiles
import Store
import Workers

/// A connection that opens on first use; a later use retries an opening that failed.
final class LazyConnection: Sendable {
  /// An open connection, and the file that its path named at that time.
  private struct Opened {
    var connection: FileConnection
    var file: FileIdentity?
    /// The connection before another process migrated the file; another thread may still use it.
    var outdated: FileConnection?
  }

  private let connection = Locked<Opened?>(nil)
  /// The path that must still name the open file; nil where that does not matter.
  private let path: String?
  private let open: @Sendable () throws(StoreError) -> FileConnection

  /// Configures SQLite once, before the first connection of the process.
  private static let configureSQLite: Void = csqlite_configure()

  init(
    keeping path: String? = nil,
    open: @escaping @Sendable () throws(StoreError) -> FileConnection
  ) {
    self.path = path
    self.open = open
  }

  /// Whether it has been opened.
  var isOpen: Bool { connection.withLock { $0 != nil } }

  /// - Throws: when it cannot be opened, or when its path no longer names the open file. Writes to that file would then
  ///   be in no library.
  func opened() throws(StoreError) -> FileConnection {
    let result: Result<FileConnection, StoreError> = connection.withLock { opened in
      do throws(StoreError) {
        if let opened, !opened.connection.isOutdated { return .success(try checked(opened)) }
        Self.configureSQLite
        let connection = try open()
        opened = Opened(
          connection: connection,
          file: path.flatMap(FileIdentity.init),
          outdated: opened?.connection
        )
        return .success(connection)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func checked(_ opened: Opened) throws(StoreError) -> FileConnection {
    guard let path, FileIdentity(path) != opened.file else { return opened.connection }
    let message = "it was deleted or replaced meanwhile"
    throw StoreError(reason: .readOnly, path: path, message: message)
  }
}

/// Opens a library's file for reading only.
///
/// A reader of a write-ahead log sees the last commit and never waits for a writer, but it needs the log's index file
/// beside the database. Where SQLite cannot create that file, the database is opened as one that no process changes.
/// This is done only if the log beside it is empty or missing: without its log, the database would be silently old or
/// wrong.
enum ReadConnection {
  static func open(_ folder: LibraryFolder) throws(StoreError) -> FileConnection {
    let bytes = folder.databaseBytes
    do throws(StoreError) {
      return try openLibrary(folder)
    } catch {
      if error.reason == .noLibrary { try folder.checkNotLost(since: bytes) }
      throw error
    }
  }

  private static func openLibrary(_ folder: LibraryFolder) throws(StoreError) -> FileConnection {
    guard try FileSystem.isThere(folder.database) else {
      try folder.checkPlace()
      throw noLibrary(folder)
    }
    try folder.checkDatabaseFile()
    // SQLite would delete the log beside an empty file, even to read: `recover` still reads that log.
    if FileSystem.size(of: folder.database) == 0 || folder.isDatabaseBlank {
      throw noLibrary(folder)
    }
    let plain: any Error
    do {
      return try open(folder.database, in: folder)
    } catch { plain = error }
    if isHalfMade(folder, plain) { throw noLibrary(folder) }
    guard canBeUnwritable(plain), !FileSystem.isWritable(folder.logFolder) else {
      throw StoreError(plain, path: folder.database)
    }
    try checkFinished(folder)
    return try StoreError.catching(folder.database) {
      try open(immutableAddress(of: folder.database), in: folder)
    }
  }

  /// Throws when the log is not empty, since the database alone would then be old or wrong.
  static func checkFinished(_ folder: LibraryFolder) throws(StoreError) {
    if FileSystem.size(of: folder.log) ?? 0 > 0 {
      throw StoreError(reason: .unfinishedLog, path: folder.log, message: "it cannot be read")
    }
  }

  /// The URI with which SQLite opens a path without locks and without new files.
  static func immutableAddress(of path: String) -> String {
    var address = "file:"
    for scalar in path.unicodeScalars {
      switch scalar {
      case "%": address += "%25"
      case "?": address += "%3f"
      case "#": address += "%23"
      default: address.unicodeScalars.append(scalar)
      }
    }
    return address + "?immutable=1"
  }

  private static func open(_ path: String, in folder: LibraryFolder) throws -> FileConnection {
    let db = try Connection.open(path, isReadOnly: true)
    try db.execute("PRAGMA cache_size = -\(Limits.readCacheKiB)")
    let version = try FileVersion(db)
    if version == .empty { throw noLibrary(folder) }
    try version.check(path: folder.database)
    guard case .ours(let number) = version, number < Schema.version else {
      return FileConnection(db)
    }
    try SchemaSetup.addMissingTables(to: number, db)
    return FileConnection(db, isOfOlderFile: true)
  }

  private static func noLibrary(_ folder: LibraryFolder) -> StoreError {
    StoreError(reason: .noLibrary, path: folder.path, message: "no such library")
  }

  /// Whether the process that was creating the file ended while it wrote the first page.
  ///
  /// SQLite rolls such a page back before it reads, which a connection that only reads may not do. A file of at most
  /// one page has no table with content. This program did not create a longer file of this kind, since it switches to
  /// the write-ahead log before it makes the first table.
  private static func isHalfMade(_ folder: LibraryFolder, _ error: any Error) -> Bool {
    guard let error = error as? SQLiteError, error.code == CSQLITE_READONLY_ROLLBACK else {
      return false
    }
    return FileSystem.size(of: folder.database) ?? 0 <= pageSize(of: folder.database)
  }

  /// The page size of a file in bytes, from its header (www.sqlite.org/fileformat.html, section 1.3.2); 0 when the
  /// header is cut.
  private static func pageSize(of path: String) -> Int {
    let header = FileSystem.beginning(of: path, count: 18)
    return header.count == 18 ? Int(header[16]) << 8 | Int(header[17]) : 0
  }

  /// Whether SQLite may have failed only because it could not write beside the file.
  private static func canBeUnwritable(_ error: any Error) -> Bool {
    guard let error = error as? SQLiteError else { return false }
    return [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_IOERR].contains(error.primaryCode)
  }
}

/// Opens a library's file for writing, and creates it if it is missing.
///
/// It begins no library over the files of another one, whose database is lost: a copy alone may come there.
enum WriteConnection {
  static func open(
    _ folder: LibraryFolder,
    writesCopies: Bool = false
  ) throws(StoreError) -> FileConnection {
    try folder.make()
    if !writesCopies { try checkNotLost(folder) }
    try folder.makeDatabaseFile()
    // SQLite would open an unwritable file for reading, and report that only at the first write.
    try FileSystem.checkWritable(folder.path)
    try FileSystem.checkWritable(folder.database)
    _ = try FileSystem.isThere(folder.database)
    try folder.checkDatabaseFile()
    return try StoreError.catching(folder.database) {
      if folder.isDatabaseBlank { try alone(in: folder) { try folder.clearBlankDatabase() } }
      let db = try Connection.open(folder.database)
      if writesCopies, try FileVersion(db) == .unfinished {
        try setUpUnfinished(db, in: folder)
      } else {
        try setUp(db, in: folder, writesCopies)
      }
      return FileConnection(db)
    }
  }

  /// Throws when the database is missing, empty or blank in a folder with files of a library.
  private static func checkNotLost(_ folder: LibraryFolder) throws(StoreError) {
    let bytes = folder.databaseBytes
    if try FileSystem.isThere(folder.database) {
      try folder.checkDatabaseFile()
      guard FileSystem.size(of: folder.database) == 0 || folder.isDatabaseBlank else { return }
    }
    try folder.checkNotLost(since: bytes)
  }

  /// Checks that the file is ours before a byte of it changes, and then brings it to the newest version.
  private static func setUp(
    _ db: Connection,
    in folder: LibraryFolder,
    _ writesCopies: Bool
  ) throws {
    let version = try FileVersion(db)
    try version.check(path: folder.database)
    if !writesCopies, version != .empty, try CopyNotes.isBackup(db) {
      throw StoreError(reason: .backup, path: folder.path, message: "")
    }
    if version == .ours(Schema.version) {
      try tune(db)
      try FollowedState.noticeRestore(db, in: folder)
    } else {
      try alone(in: folder) {
        let isNew = try FileVersion(db) == .empty
        if isNew {
          if !writesCopies { try folder.checkNotLost(since: folder.databaseBytes) }
          try SchemaSetup.prepareEmptyFile(db)
        }
        try tune(db)
        // The files of pictures are on the disk before their rows. So the first tables must be there before any file:
        // without them, a power cut would leave files of a library that seems to have lost its database.
        if isNew { try db.execute("PRAGMA synchronous = FULL") }
        try SchemaSetup.migrate(db)
        if isNew { try db.execute("PRAGMA synchronous = NORMAL") }
      }
    }
  }

  /// Does the same for an unfinished copy, which an older program may have begun.
  private static func setUpUnfinished(_ db: Connection, in folder: LibraryFolder) throws {
    let version = FileVersion.ours(try db.value("PRAGMA user_version") ?? 0)
    try version.check(path: folder.database)
    try tune(db)
    if version != .ours(Schema.version) { try alone(in: folder) { try SchemaSetup.migrate(db) } }
  }

  /// Sets the journal mode, and the options that last only for this connection.
  ///
  /// With `synchronous = NORMAL`, a commit does not wait for the disk. A power cut may lose the last commits, but never
  /// part of one. `flush` brings them to the disk where it matters, and `settle` does so at the end of every command.
  private static func tune(_ db: Connection) throws {
    let mode: String? = try db.value("PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw SQLiteError(SQLITE_ERROR, "no write-ahead log can be made")
    }
    try db.execute("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -\(Limits.cacheKiB)")
    try db.keepLog(.short)
  }

  /// Keeps two processes from setting up the same file at once.
  ///
  /// SQLite waits for other processes in every step except the change of the journal mode. Where a folder cannot be
  /// locked, only SQLite's own locks remain.
  private static func alone(in folder: LibraryFolder, _ body: () throws -> Void) throws {
    let file = Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw StoreError(errno: errno, path: folder.path) }
    defer { close(file) }
    while flock(file, LOCK_EX) != 0, errno == EINTR {}
    try body()
  }
}
