import CSQLite
import Store
import Workers

extension StoreError {
  /// Makes a fact about a path from an error of SQLite, the system or the store itself.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as StoreError: self = error
    case let error as UnsoundRow:
      self.init(reason: .unsound, path: path, message: error.message)
    case let error as SQLiteError:
      self.init(reason: Reason(error), path: path, message: error.meaning)
    case is UnexpectedAnswer:
      self.init(reason: .unreadable, path: path, message: "a row holds what it cannot hold")
    default: self.init(reason: .other, path: path, message: "\(error)")
    }
  }

  /// Runs a call into SQLite, and turns its errors into facts.
  static func catching<Result>(
    _ path: String,
    _ body: () throws -> Result
  ) throws(StoreError) -> Result {
    do { return try body() } catch { throw StoreError(error, path: path) }
  }
}

extension SQLiteError {
  /// The meaning of the code in words, with its number where only the number tells cases apart.
  fileprivate var meaning: String {
    switch primaryCode {
    case SQLITE_NOTADB: "the file is not an SQLite database"
    case SQLITE_CORRUPT: "its pages are damaged"
    case SQLITE_ERROR, SQLITE_FORMAT: "it does not have the tables that it should have"
    case SQLITE_BUSY, SQLITE_LOCKED: "another program uses it"
    case SQLITE_FULL: "the disk is full"
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: "writing to it is not allowed"
    case SQLITE_CANTOPEN: "the file cannot be opened"
    case SQLITE_NOMEM: "not enough memory"
    case SQLITE_CONSTRAINT, SQLITE_MISMATCH:
      "a row does not fit into its table (SQLite's error \(code))"
    case SQLITE_IOERR: "the disk could not be read or written (SQLite's error \(code))"
    default: "SQLite's error \(code)"
    }
  }
}

extension StoreError.Reason {
  /// The reason for a result code of SQLite (www.sqlite.org/rescode.html).
  ///
  /// Of the I/O errors, only SQLITE_IOERR_SHMSIZE means that the disk is full. The program's SQL is correct, so
  /// SQLITE_ERROR means that the file lacks tables which its version promises.
  fileprivate init(_ error: SQLiteError) {
    switch error.code {
    case CSQLITE_IOERR_SHMSIZE: self = .full
    case CSQLITE_IOERR_WRITE, CSQLITE_IOERR_FSYNC, CSQLITE_IOERR_DIR_FSYNC,
      CSQLITE_IOERR_TRUNCATE:
      self = .readOnly
    default: self.init(primary: error.primaryCode)
    }
  }

  private init(primary code: Int32) {
    switch code {
    case SQLITE_FULL: self = .full
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: self = .readOnly
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_ERROR: self = .unreadable
    default: self = .other
    }
  }
}
