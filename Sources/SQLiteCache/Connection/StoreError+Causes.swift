import GRDB
import Glibc
import Workers

extension StoreError {
  /// What SQLite, the system or the store itself said, as a fact about a path.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as StoreError: self = error
    case let error as DatabaseError:
      let message = error.message ?? "\(error.resultCode)"
      self.init(reason: Reason(error.resultCode), path: path, message: message)
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
  fileprivate init(_ code: ResultCode) {
    switch code.primaryResultCode {
    case .SQLITE_FULL: self = .full
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: self = .readOnly
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_CANTOPEN: self = .unreadable
    default: self = .other
    }
  }

  fileprivate init(errno code: Int32) {
    switch code {
    case ENOSPC, EDQUOT: self = .full
    case EROFS, EACCES, EPERM: self = .readOnly
    default: self = .other
    }
  }
}
