import Foundation
import Glibc
package import Workers

/// A lock on a file of its own, which the kernel takes away with the process that has it (flock(2)).
///
/// The file stays when the lock is given back, for the next one: to make a file takes far longer than to
/// lock it. What is written in it is only for others to read.
package final class FileLock: Sendable {
  /// How long the text in a file is, in bytes; what is shorter is filled up.
  private static let textLength = 64

  /// The open file; nil once the lock is given back.
  private let file: Locked<Int32?>

  private init(_ file: Int32) { self.file = Locked(file) }

  deinit { release() }

  /// Takes the lock; nil while another process, or another part of this one, has it.
  ///
  /// On a file system without locks it is always had: SQLite's own are all that is left there.
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
    // Somebody has deleted the file between our opening and our locking it: such a lock keeps out
    // no process that opens the path from here on.
    close(file)
    return try take(path)
  }

  package func release() {
    file.withLock { file in
      guard let open = file else { return }
      Self.fill(open, with: "")
      // A program that is just being started has the file, too, for a moment: closing it here is not enough.
      flock(open, LOCK_UN)
      close(open)
      file = nil
    }
  }

  /// Says in the file who has it.
  package func write(_ text: String) {
    file.withLock { file in
      if let file { Self.fill(file, with: text) }
    }
  }

  /// A disk with no room for the text takes nothing from the lock.
  ///
  /// The file is never cut off: ext4 brings what is written to such a file to the disk when it is closed
  /// (`auto_da_alloc`, ext4(5)), and this one has no business there.
  private static func fill(_ file: Int32, with text: String) {
    let text = Array(text.utf8.prefix(textLength))
    let filling = [UInt8](repeating: UInt8(ascii: " "), count: textLength - text.count)
    _ = (text + filling).withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
  }

  /// What is written in the file of a lock that another has; empty when it cannot be read.
  package static func text(of path: String) -> String {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: textLength)
    let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  /// Whether a process of this machine has the lock of a file, as the kernel tells (proc_locks(5)): to try would be to
  /// take it for a moment.
  package static func isHeld(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return heldFiles().contains(status.st_ino)
  }

  /// The numbers of the files that are locked.
  ///
  /// The device is not compared: /proc/locks (proc_locks(5)) and stat(2) give different devices on btrfs and overlayfs.
  private static func heldFiles() -> Set<ino_t> {
    let text = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
    return Set(
      text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard words.count > 5, words[1] == "FLOCK" else { return nil }
        return words[5].split(separator: ":").last.flatMap { ino_t($0) }
      }
    )
  }
}

/// The text in a feed's lock: the process's id and when it began, in seconds since 1970.
extension LockHolder {
  /// Nil for what no holder has written: it may not have come to that yet.
  package init?(text: String) {
    let numbers = text.split { $0 == " " || $0 == "\n" }.map { Int64($0) }
    guard numbers.count == 2, let process = numbers[0], let since = numbers[1] else { return nil }
    self.init(process: Int(process), since: Date(storedSeconds: since))
  }

  package var text: String { "\(process) \(since.storedSeconds)\n" }
}

extension FileSystem {
  /// Takes a file away unless a process is writing it.
  package static func takeUnlocked(
    _ path: String,
    _ take: (String) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { close(file) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return false }
    return try take(path)
  }
}
