import GRDB
import Glibc
import Workers

/// Opens a library's file for writing, and makes it when there is none.
enum WriteConnection {
  static func open(_ folder: LibraryFolder) throws(StoreError) -> DatabaseQueue {
    try folder.make()
    try folder.makeDatabaseFile()
    // SQLite would open a file that it cannot write for reading, and say so only at the first write.
    try FileSystem.checkWritable(folder.path)
    try FileSystem.checkWritable(folder.database)
    _ = try FileSystem.isThere(folder.database)
    try folder.checkDatabaseFile()
    return try StoreError.catching(folder.database) {
      if folder.isDatabaseBlank { try alone(in: folder) { try folder.clearBlankDatabase() } }
      let queue = try DatabaseQueue(path: folder.database, configuration: configuration)
      try queue.writeWithoutTransaction { db in try setUp(db, in: folder) }
      return queue
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Limits.busySeconds)
    configuration.prepareDatabase { db in LetterPairs.addFunction(to: db) }
    return configuration
  }

  /// Looks whose file it is before it changes a byte of it.
  private static func setUp(_ db: Database, in folder: LibraryFolder) throws {
    let version = try FileVersion(db)
    try version.check(path: folder.database)
    if version == .ours(Schema.version) {
      try tune(db)
    } else {
      try alone(in: folder) {
        if try FileVersion(db) == .empty { try SchemaSetup.prepareEmptyFile(db) }
        try tune(db)
        try SchemaSetup.migrate(db)
      }
    }
  }

  /// Sets up what holds for this connection only.
  ///
  /// With `synchronous = NORMAL` a commit waits for no disk: a power cut may take the last commits,
  /// never part of one. `flush` brings them to the disk where it matters, and `settle` at the end of
  /// every command.
  private static func tune(_ db: Database) throws {
    let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
    guard mode == "wal" else { throw DatabaseError(message: "no write-ahead log can be made") }
    try db.execute(
      sql: """
        PRAGMA synchronous = NORMAL;
        PRAGMA cache_size = -\(Limits.cacheKiB);
        """
    )
    try db.keepLog(.short)
  }

  /// Keeps two processes from setting up the same file at once.
  ///
  /// Changing its journal mode is the one step that SQLite does not wait for. Where a folder cannot
  /// be locked, SQLite's own locks remain.
  private static func alone(in folder: LibraryFolder, _ body: () throws -> Void) throws {
    let file = Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw StoreError(errno: errno, path: folder.path) }
    defer { close(file) }
    while flock(file, LOCK_EX) != 0, errno == EINTR {}
    try body()
  }
}
