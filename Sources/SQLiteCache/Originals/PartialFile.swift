import Glibc
import Workers

/// A file in `partial/` that this process alone is writing.
///
/// The lock is on the open file, so that it ends with the process, however that ends. Who has
/// waited for it may hold a file that the one before has renamed or deleted meanwhile; so the lock
/// counts only while the path still means the locked file.
final class PartialFile {
  let path: String
  private var file: Int32

  private init(path: String, file: Int32) {
    self.path = path
    self.file = file
  }

  deinit {
    if file >= 0 { close(file) }
  }

  /// Waits until no other process writes the file, and empties it; not for ever.
  static func open(_ path: String) async throws(StoreError) -> PartialFile {
    for _ in 0..<Limits.lockTries {
      if let file = try tryOpen(path) { return file }
      do {
        try await Task.sleep(for: Limits.lockRetry)
      } catch {
        throw StoreError(reason: .busy, path: path, message: "cancelled while another wrote it")
      }
    }
    throw StoreError(reason: .busy, path: path, message: "another gallery is fetching it")
  }

  /// Nil while another process has it.
  private static func tryOpen(_ path: String) throws(StoreError) -> PartialFile? {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    let file = PartialFile(path: path, file: Glibc.open(path, flags, 0o600))
    guard file.file >= 0 else { throw StoreError(errno: errno, path: path) }
    guard flock(file.file, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK || errno == EINTR { return nil }
      throw StoreError(errno: errno, path: path)
    }
    guard file.isAtItsPath else { return nil }
    guard ftruncate(file.file, 0) == 0 else { throw StoreError(errno: errno, path: path) }
    return file
  }

  private var isAtItsPath: Bool {
    var opened = stat()
    var named = stat()
    guard fstat(file, &opened) == 0, stat(path, &named) == 0 else { return false }
    return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }

  /// Adds bytes at the end.
  func write(_ bytes: [UInt8]) throws(StoreError) {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StoreError(errno: errno, path: path) }
      start += count
    }
  }

  /// Brings the content to the disk.
  func sync() throws(StoreError) {
    guard fsync(file) == 0 else { throw StoreError(errno: errno, path: path) }
  }

  /// Takes the file's name away, if it is still this file's; its content goes with the lock.
  ///
  /// A name that cannot be taken away is no harm: the next one to fetch the same image empties the
  /// file.
  func unlink() {
    if isAtItsPath { _ = Glibc.unlink(path) }
  }
}
