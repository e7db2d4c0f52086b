import Glibc
import Workers

/// A file in `partial/` that this process alone is writing.
///
/// The lock is on the open file, so that it ends with the process, however that ends. Who has
/// waited for it may hold a file that the one before has renamed or deleted meanwhile; so the lock
/// counts only while the path still means the locked file.
final class PartialFile: Sendable {
  let path: String
  private let file: Int32

  private init(path: String, file: Int32) {
    self.path = path
    self.file = file
  }

  deinit {
    if file >= 0 { close(file) }
  }

  /// Waits until no other process writes the file; not for ever.
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
    return file
  }

  /// Whether its path still means this file.
  var isAtItsPath: Bool {
    var opened = stat()
    return fstat(file, &opened) == 0 && FileIdentity(path) == FileIdentity(opened)
  }

  /// How many bytes it has.
  var length: Int {
    var status = stat()
    return fstat(file, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Cuts off what lies behind the first `length` bytes, and goes on there.
  func truncate(to length: Int) throws(StoreError) {
    guard ftruncate(file, off_t(length)) == 0, lseek(file, off_t(length), SEEK_SET) >= 0 else {
      throw StoreError(errno: errno, path: path)
    }
  }

  /// Reads it from its first byte to its end, in pieces.
  func readBack(_ body: ([UInt8]) -> Void) throws(StoreError) {
    var offset = 0
    while true {
      let piece = try piece(at: offset)
      if piece.isEmpty { return }
      offset += piece.count
      body(piece)
    }
  }

  private func piece(at offset: Int) throws(StoreError) -> [UInt8] {
    var read = 0
    let piece = [UInt8](unsafeUninitializedCapacity: Limits.readBackBytes) { buffer, count in
      repeat {
        read = pread(file, buffer.baseAddress, buffer.count, off_t(offset))
      } while read < 0 && errno == EINTR
      count = max(0, read)
    }
    guard read >= 0 else { throw StoreError(errno: errno, path: path) }
    return piece
  }

  /// Adds bytes at the end.
  func write(_ bytes: [UInt8]) throws(StoreError) {
    try FileSystem.write(bytes, to: file, path: path)
  }

  /// Notes on it of which image it is; with the content that comes to the disk.
  func note(_ origin: OriginOfFile) { origin.write(to: file) }

  /// Brings the content to the disk.
  func sync() throws(StoreError) {
    guard fsync(file) == 0 else { throw StoreError(errno: errno, path: path) }
  }

  /// Takes the file's name away, if it is still this file's; its content goes with the lock.
  ///
  /// A name that cannot be taken away is no harm: without a note the next one to fetch the same
  /// image empties the file.
  func unlink() {
    if isAtItsPath { _ = Glibc.unlink(path) }
  }
}
