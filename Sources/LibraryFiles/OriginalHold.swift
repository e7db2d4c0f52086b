import Glibc

/// A lock on the file of a stored original (flock(2)), which ends with the process.
///
/// Those who show an original share it, and so the file stays in every process. Who deletes the file has it alone, so
/// that no process begins to show a file that is about to go. A file system without locks has none.
///
/// On NFS, the kernel makes locks of byte ranges of these, which the server keeps for all of its clients (flock(2), "NFS
/// details"). A lock for one alone then needs a file that is open for writing. A mount with `nolock` has the locks of its
/// own machine only.
package final class OriginalHold: Sendable {
  /// The attempts to hold a file that another process is about to delete, and the time between them.
  private static let (tries, pause) = (200, Duration.milliseconds(10))

  private enum Answer { case locked, refused, notWritable, impossible }

  private let file: Int32

  private init(_ file: Int32) { self.file = file }

  deinit { FileSystem.unlock(file) }

  /// Opens the file at a path; nil when it cannot be opened.
  private static func open(_ path: String, _ access: Int32 = O_RDONLY) -> OriginalHold? {
    let file = Glibc.open(path, access | O_CLOEXEC | O_NOFOLLOW)
    return file < 0 ? nil : OriginalHold(file)
  }

  private func lock(_ kind: Int32) -> Answer {
    while flock(file, kind | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return .refused
      case EBADF: return .notWritable
      default: return .impossible
      }
    }
    return .locked
  }

  /// Locks the file at a path alone, as far as its file system has locks.
  ///
  /// - Returns: Whether another holder prevents that, and the hold; nil when the file cannot be opened.
  private static func alone(_ path: String) -> (isRefused: Bool, hold: OriginalHold)? {
    guard let hold = open(path) else { return nil }
    let answer = hold.lock(LOCK_EX)
    if answer == .notWritable, let writable = open(path, O_RDWR) {
      return (writable.lock(LOCK_EX) == .refused, writable)
    }
    return (answer == .refused, hold)
  }

  /// Holds the file of an original that is shown; waits for one who is about to delete it.
  ///
  /// - Returns: Whether the file is there, and the hold; a file that cannot be opened has none.
  package static func showing(_ path: String) async -> (isThere: Bool, hold: OriginalHold?) {
    guard let hold = open(path) else { return (FileSystem.size(of: path) != nil, nil) }
    for _ in 0..<tries {
      if hold.lock(LOCK_SH) != .refused { break }
      do { try await Task.sleep(for: pause) } catch { break }
    }
    return (FileSystem.isAt(path, hold.file), hold)
  }

  /// Whether the file at a path is being shown.
  package static func isShown(_ path: String) -> Bool {
    alone(path)?.isRefused ?? false
  }

  /// Locks the files that are to be deleted, and returns the paths of those that are being shown.
  package static func deleting(_ paths: [String]) -> (holds: [OriginalHold], shown: Set<String>) {
    var (holds, shown): ([OriginalHold], Set<String>) = ([], [])
    for path in paths {
      guard let (isRefused, hold) = alone(path) else { continue }
      if isRefused { shown.insert(path) } else { holds.append(hold) }
    }
    return (holds, shown)
  }
}
