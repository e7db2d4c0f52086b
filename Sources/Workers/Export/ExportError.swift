/// Why a copy could not be written.
package enum ExportError: Error, Sendable, Equatable {
  /// There is a file of that name, which may not be replaced.
  case exists(path: String)
  /// What is there under that name can be no file and takes no bytes.
  case notAFile(path: String)
  /// The system refused; its own words.
  case unwritable(path: String, message: String)
  /// Nobody reads what is written to standard output any more.
  case closed
  /// The stored picture could not be read; the system's own words.
  case unreadable(path: String, message: String)
  /// The stored picture is not what was stored; whether some of it went where it cannot be taken back.
  case damaged(path: String, isSpilt: Bool)
}
