import GRDB
import Workers

/// Opens a library's file for reading only.
///
/// A reader of a write-ahead log sees the last commit and never waits for a writer, but it needs
/// the log's index beside the file. On a medium where that cannot be made, the file is read as one
/// that nobody changes, and only when no log with unfinished business lies beside it: without that
/// log, the file alone would be silently old or wrong.
enum ReadConnection {
  static func open(_ folder: LibraryFolder) throws(StoreError) -> DatabaseQueue {
    guard try FileSystem.isThere(folder.database) else {
      try folder.checkPlace()
      throw noLibrary(folder)
    }
    try folder.checkDatabaseFile()
    if folder.isDatabaseBlank { throw noLibrary(folder) }
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

  /// Throws when the log holds what the file alone does not.
  static func checkFinished(_ folder: LibraryFolder) throws(StoreError) {
    if FileSystem.size(of: folder.log) ?? 0 > 0 {
      throw StoreError(reason: .unfinishedLog, path: folder.log, message: "it cannot be read")
    }
  }

  /// The form of a path that makes SQLite take no lock and make no file.
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

  private static func open(_ path: String, in folder: LibraryFolder) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(Limits.busySeconds)
    configuration.prepareDatabase { db in LetterPairs.addFunction(to: db) }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let version = try queue.unsafeRead { db in
      try db.makeStatement(sql: "PRAGMA cache_size = -\(Limits.cacheKiB)").execute()
      return try FileVersion(db)
    }
    if version == .empty { throw noLibrary(folder) }
    try version.check(path: folder.database)
    return queue
  }

  private static func noLibrary(_ folder: LibraryFolder) -> StoreError {
    StoreError(reason: .noLibrary, path: folder.path, message: "no such library")
  }

  /// Whether whoever was making the file was ended in the middle of its first page.
  ///
  /// SQLite takes such a page back before it reads, which a reader may not do. A file that is no
  /// longer has no table that anything could be in; one that is was not made by this program, for
  /// which the write-ahead log is there before the first table.
  private static func isHalfMade(_ folder: LibraryFolder, _ error: any Error) -> Bool {
    guard let error = error as? DatabaseError,
      error.extendedResultCode == .SQLITE_READONLY_ROLLBACK
    else { return false }
    return FileSystem.size(of: folder.database) ?? 0 <= pageSize(of: folder.database)
  }

  /// How many bytes a page of a file has, as its header says (www.sqlite.org/fileformat.html, section
  /// 1.3.2); 0 when it does not.
  private static func pageSize(of path: String) -> Int {
    let header = FileSystem.beginning(of: path, count: 18)
    return header.count == 18 ? Int(header[16]) << 8 | Int(header[17]) : 0
  }

  /// Whether SQLite may have failed only because it could not write beside the file.
  private static func canBeUnwritable(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_IOERR]
      .contains(error.resultCode.primaryResultCode)
  }
}
