import Foundation
import Glibc
import LibraryFiles
import Workers

/// The database's file in a library's folder.
extension LibraryFolder {
  var database: String { path + "/gallery.sqlite" }
  /// The write-ahead log, which SQLite puts beside the file itself, where a link may lead.
  var log: String { (Self.resolved(database) ?? database) + "-wal" }
  /// Where SQLite makes its files.
  var logFolder: String { URL(filePath: log).deletingLastPathComponent().path }

  /// Throws when what has the database's name is no file of ours to open: a pipe would wait for ever.
  func checkDatabaseFile() throws(StoreError) {
    var status = stat()
    guard stat(database, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let message = isFolder ? "a folder has its name" : "it is no plain file"
    throw StoreError(reason: .foreign, path: database, message: message)
  }

  /// Whether the database's file has nothing but zeros, and no more than a page of them: what a power cut
  /// leaves of a file whose first page was not on the disk yet.
  ///
  /// A larger file is not even opened, and a small one stays open to the end of the process: closing it would drop the
  /// locks of this process's other connections (fcntl(2)), and let others delete the log that these read.
  var isDatabaseBlank: Bool {
    guard let size = FileSystem.size(of: database), (1...65_536).contains(size) else {
      return false
    }
    let file = open(database, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    var bytes = [UInt8](repeating: 1, count: size)
    return pread(file, &bytes, size, 0) == size && bytes.allSatisfy { $0 == 0 }
  }

  /// Takes the zeros out of a blank file: SQLite takes an empty one for a database, but not zeros.
  func clearBlankDatabase() throws(StoreError) {
    guard isDatabaseBlank else { return }
    guard truncate(database, 0) == 0 else { throw StoreError(errno: errno, path: database) }
  }

  /// Makes the database's file, so that only its owner can read it.
  ///
  /// SQLite gives its log the same mode. Never opens a file that is there: closing it would drop
  /// this process's locks on it.
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
