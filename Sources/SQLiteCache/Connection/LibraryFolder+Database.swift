import FoundationEssentials
import Glibc
import LibraryFiles
import Workers

/// The database's file in a library's folder.
extension LibraryFolder {
  var database: String { path + "/gallery.sqlite" }
  /// The write-ahead log, which SQLite creates beside the target if the database is a symbolic link.
  var log: String { (Self.resolved(database) ?? database) + "-wal" }
  /// The folder in which SQLite creates its files.
  var logFolder: String { URL(filePath: log).deletingLastPathComponent().path }

  /// The bytes of the database and of its log, which grow with the first table.
  var databaseBytes: [Int] { [database, log].map { FileSystem.size(of: $0) ?? 0 } }

  /// Checks that a folder whose database has no library has no files of one either.
  ///
  /// Another process that begins a library makes tables before it stores a file.
  ///
  /// - Parameter bytes: `databaseBytes` from before the database was found to have no library.
  /// - Throws: `.lostDatabase` when there are such files.
  func checkNotLost(since bytes: [Int]) throws(StoreError) {
    guard let remains = try remains(), bytes == databaseBytes else { return }
    throw StoreError(reason: .lostDatabase(remains), path: path, message: "")
  }

  /// Throws when the database's name belongs to a folder, a pipe or a device.
  ///
  /// Opening a pipe would block forever.
  func checkDatabaseFile() throws(StoreError) {
    var status = stat()
    guard stat(database, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let message = isFolder ? "a folder has its name" : "it is not a plain file"
    throw StoreError(reason: .foreign, path: database, message: message)
  }

  /// Whether the database's file consists of zeros, at most one page of them.
  ///
  /// A power cut leaves such a file when its first page was not on the disk yet. A larger file is not opened here. A
  /// small file stays open until the process ends: closing it would drop the locks of this process's other connections
  /// (fcntl(2)), and let others delete the log that these read.
  var isDatabaseBlank: Bool {
    guard let size = FileSystem.size(of: database), (1...65_536).contains(size) else {
      return false
    }
    let file = open(database, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    var bytes = [UInt8](repeating: 1, count: size)
    return pread(file, &bytes, size, 0) == size && bytes.allSatisfy { $0 == 0 }
  }

  /// Truncates a blank file: SQLite accepts an empty file as a database, but not a file of zeros.
  func clearBlankDatabase() throws(StoreError) {
    guard isDatabaseBlank else { return }
    guard truncate(database, 0) == 0 else { throw StoreError(errno: errno, path: database) }
  }

  /// Creates the database's file, readable only by its owner.
  ///
  /// SQLite gives its log the same mode. An existing file is never opened: closing it would drop this process's locks
  /// on it.
  func makeDatabaseFile() throws(StoreError) {
    let file = open(database, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 {
      close(file)
      try FileSystem.sync(folder: path)
    } else if errno != EEXIST {
      throw StoreError(errno: errno, path: database)
    }
  }
}
