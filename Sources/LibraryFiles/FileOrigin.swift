import CLinux
import Glibc
package import Workers

/// What tells a file from a copy of it: its number in the file system, and when it was made.
///
/// The number alone is given to another file once this one is deleted. File systems that do not know when a file was
/// made give the number alone all the same.
package enum FileOrigin {
  /// A text without blanks; nil when the path names nothing.
  package static func of(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    var (seconds, nanoseconds): (Int64, Int64) = (0, 0)
    guard clinux_birth(path, &seconds, &nanoseconds) == 0 else { return "\(status.st_ino)" }
    return "\(status.st_ino)-\(seconds)-\(nanoseconds)"
  }
}

extension FileSystem {
  /// Puts a small file in the place of another one in one step, readable by its owner alone.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
    let temporary = "\(path).\(getpid())"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw StoreError(errno: errno, path: temporary) }
    defer { close(file) }
    try write(bytes, to: file, path: temporary)
    try move(temporary, to: path)
  }
}
