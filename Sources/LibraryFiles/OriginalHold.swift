import Glibc

/// A lock on the file of a stored original (flock(2)), which ends with the process.
///
/// Those who show an original share it, and so the file stays in every process. Who deletes the file has it alone, so
/// that nobody begins to show a file that is about to go. On a file system without locks, there is none.
package final class OriginalHold: Sendable {
  /// The attempts to hold a file that another process is about to delete, and the time between them.
  private static let (tries, pause) = (200, Duration.milliseconds(10))

  private let file: Int32

  private init(_ file: Int32) { self.file = file }

  deinit { close(file) }

  /// Opens the file at a path; nil when it cannot be opened.
  private static func open(_ path: String) -> OriginalHold? {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    return file < 0 ? nil : OriginalHold(file)
  }

  /// Whether another holder prevents the lock.
  private func isRefused(_ lock: Int32) -> Bool {
    while flock(file, lock | LOCK_NB) != 0 {
      if errno != EINTR { return errno == EWOULDBLOCK }
    }
    return false
  }

  /// Holds the file of an original that is shown; waits for one who is about to delete it.
  ///
  /// - Returns: Whether the file is there, and the hold; a file that cannot be opened has none.
  package static func showing(_ path: String) async -> (isThere: Bool, hold: OriginalHold?) {
    guard let hold = open(path) else { return (FileSystem.size(of: path) != nil, nil) }
    for _ in 0..<tries {
      if !hold.isRefused(LOCK_SH) { break }
      do { try await Task.sleep(for: pause) } catch { break }
    }
    return (FileSystem.isAt(path, hold.file), hold)
  }

  /// Whether the file at a path is being shown.
  package static func isShown(_ path: String) -> Bool {
    open(path)?.isRefused(LOCK_EX) ?? false
  }

  /// Locks the files that are to be deleted, and returns the paths of those that are being shown.
  package static func deleting(_ paths: [String]) -> (holds: [OriginalHold], shown: Set<String>) {
    var (holds, shown): ([OriginalHold], Set<String>) = ([], [])
    for path in paths {
      guard let hold = open(path) else { continue }
      if hold.isRefused(LOCK_EX) { shown.insert(path) } else { holds.append(hold) }
    }
    return (holds, shown)
  }
}
