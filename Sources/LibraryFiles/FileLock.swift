import FoundationEssentials
import Glibc
package import Workers

/// A lock on a separate file, which the kernel releases when its process ends (flock(2)).
///
/// The file remains after the lock is released, for the next lock: creating a file takes far longer than locking it.
/// Its text is only information for other processes.
package final class FileLock: Sendable {
  /// The length of the text in a file, in bytes; shorter text is padded.
  private static let textLength = 64

  /// The open file; nil after the lock is released.
  private let file: Locked<Int32?>

  private init(_ file: Int32) { self.file = Locked(file) }

  deinit { release() }

  /// Takes the lock; nil while another process, or another part of this one, has it.
  ///
  /// On a file system without locks, it always succeeds; only SQLite's own locks remain there.
  package static func take(_ path: String) throws(StoreError) -> FileLock? {
    let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw StoreError(errno: errno, path: path) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      if [EOPNOTSUPP, ENOLCK, ENOSYS, EINVAL].contains(code) { return FileLock(file) }
      close(file)
      if code == EWOULDBLOCK || code == EINTR { return nil }
      throw StoreError(errno: code, path: path)
    }
    if FileSystem.isAt(path, file) { return FileLock(file) }
    // Another process deleted the file after it was opened here and before it was locked. Such a lock does not stop
    // processes that open the path from now on.
    close(file)
    return try take(path)
  }

  package func release() {
    file.withLock { file in
      guard let open = file else { return }
      Self.fill(open, with: "")
      FileSystem.unlock(open)
      file = nil
    }
  }

  /// Writes into the file who has the lock.
  package func write(_ text: String) {
    file.withLock { file in
      if let file { Self.fill(file, with: text) }
    }
  }

  /// Writes padded text into the file; a failure, as on a full disk, does not affect the lock.
  ///
  /// The file is never truncated: ext4 flushes a truncated file when it is closed (`auto_da_alloc`, ext4(5)), and this
  /// file need not be flushed.
  private static func fill(_ file: Int32, with text: String) {
    let text = Array(text.utf8.prefix(textLength))
    let filling = [UInt8](repeating: UInt8(ascii: " "), count: textLength - text.count)
    _ = (text + filling).withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
  }

  /// The text in the file of a lock; empty when the file cannot be read.
  package static func text(of path: String) -> String {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: textLength)
    let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  /// Those of some files that a process of this machine has locked, as the kernel reports (proc_locks(5)).
  ///
  /// Trying to take the locks instead would hold them for a moment.
  package static func held(among paths: [String]) -> [String] {
    let held = heldFiles()
    return paths.filter { path in
      var status = stat()
      return stat(path, &status) == 0 && held.contains(status.st_ino)
    }
  }

  /// The inode numbers of locked files.
  ///
  /// Devices are not compared: /proc/locks (proc_locks(5)) and stat(2) give different devices on btrfs and overlayfs.
  ///
  /// The kernel gives a page of lines at a time. When a lock ends between two pages, the next page begins one line too
  /// late. So a longer text is read several times, and a lock counts if it is in one of them.
  private static func heldFiles() -> Set<ino_t> {
    var held: Set<ino_t> = []
    for _ in 0..<8 {
      let (text, pages) = locks()
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count > 5, words[1] == "FLOCK" else { continue }
        let place = words[5].split(separator: ":")
        if let inode = place.last.flatMap({ ino_t($0) }) { held.insert(inode) }
      }
      if pages < 2 { break }
    }
    return held
  }

  /// The text of /proc/locks, and the number of reads that gave it.
  private static func locks() -> (text: String, pages: Int) {
    let file = Glibc.open("/proc/locks", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return ("", 0) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var pages = 0
    var page = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = page.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      guard count > 0 else { return (String(decoding: bytes, as: UTF8.self), pages) }
      bytes += page.prefix(count)
      pages += 1
    }
  }
}

/// The text in a feed's lock: the process's id and when it began, in seconds since 1970.
extension LockHolder {
  /// Nil for a text that no holder has written; the holder may not have written it yet.
  package init?(text: String) {
    let numbers = text.split { $0 == " " || $0 == "\n" }.map { Int64($0) }
    guard numbers.count == 2, let process = numbers[0], let since = numbers[1] else { return nil }
    self.init(process: Int(process), since: Date(storedSeconds: since))
  }

  package var text: String { "\(process) \(since.storedSeconds)\n" }
}

extension FileSystem {
  /// Ends the locks of an open file or folder, and closes it.
  ///
  /// A process that is just being started has the file open for a moment, and a lock ends with the last descriptor
  /// (flock(2)). So closing the file is not enough for those who try the lock right afterwards.
  static func unlock(_ file: Int32) {
    flock(file, LOCK_UN)
    close(file)
  }

  /// Removes a file with `take`, unless a process is writing the file.
  package static func takeUnlocked(
    _ path: String,
    _ take: (String) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { unlock(file) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return false }
    return try take(path)
  }
}
