import GRDB
import Glibc
import Workers

extension StoreError {
  /// What SQLite, the system or the store itself said, as a fact about a path.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as StoreError: self = error
    case let error as UnsoundRow:
      self.init(reason: .unsound, path: path, message: error.message)
    case let error as DatabaseError:
      let message = error.message ?? "\(error.resultCode)"
      self.init(reason: Reason(error.extendedResultCode), path: path, message: message)
    case is RowDecodingError:
      self.init(reason: .unreadable, path: path, message: "a row holds what it cannot hold")
    default: self.init(reason: .other, path: path, message: "\(error)")
    }
  }

  /// The reason of a failed system call.
  init(errno code: Int32, path: String) {
    self.init(reason: Reason(errno: code), path: path, message: String(cString: strerror(code)))
  }

  /// Runs a call into SQLite with its errors as facts.
  static func catching<Result>(
    _ path: String,
    _ body: () throws -> Result
  ) throws(StoreError) -> Result {
    do { return try body() } catch { throw StoreError(error, path: path) }
  }
}

extension StoreError.Reason {
  /// What SQLite's code comes to (www.sqlite.org/rescode.html).
  ///
  /// It says "full" of one of the system's reasons only. An error in the SQL is none in ours: the
  /// tables are not those that the file's version promises.
  fileprivate init(_ code: ResultCode) {
    switch code {
    case .SQLITE_IOERR_SHMSIZE: self = .full
    case .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC,
      .SQLITE_IOERR_TRUNCATE:
      self = .readOnly
    default: self.init(primary: code.primaryResultCode)
    }
  }

  private init(primary code: ResultCode) {
    switch code {
    case .SQLITE_FULL: self = .full
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: self = .readOnly
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR: self = .unreadable
    default: self = .other
    }
  }

  fileprivate init(errno code: Int32) {
    switch code {
    case ENOSPC, EDQUOT: self = .full
    case EROFS, EACCES, EPERM, EFBIG: self = .readOnly
    default: self = .other
    }
  }
}
