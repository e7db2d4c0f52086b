package import FoundationEssentials
import Glibc
import LibraryFiles
import Models
package import Workers

// MARK: - Originals that are shown

extension OriginalRoom {
  /// As in `OriginalFetching`.
  package func hold(_ path: String, for time: OriginalHoldTime) async -> Bool {
    let (isThere, hold) = await OriginalHold.showing(path)
    if !isThere { return false }
    holds.withLock { holds in
      holds = holds.filter { $0.value.time == .untilEnd }
      // A lock holds a file open, of which a process may have some 1,000. Beyond that, only this process knows.
      let mayLock = holds.count < Self.mostLocks
      if holds[path] == nil { holds[path] = Held(lock: mayLock ? hold : nil, time: time) }
    }
    return true
  }

  /// As in `OriginalFetching`.
  package func letGo() {
    holds.withLock { holds in holds = holds.filter { $0.value.time == .untilEnd } }
  }

  /// The most files that are locked because this process shows them.
  private static let mostLocks = 256

  /// Whether this process, or another one, shows the original at a path.
  func isShown(_ path: String) -> Bool {
    holds.withLock { $0[path] != nil } || OriginalHold.isShown(path)
  }

  /// Deletes originals, except those that somebody has begun to look at.
  func delete(
    _ victims: [Victim],
    _ evict: ([Victim]) throws(StoreError) -> Void
  ) throws(StoreError) {
    let (locks, shown) = OriginalHold.deleting(victims.map(\.path))
    defer { withExtendedLifetime(locks) {} }
    let rest = victims.filter { victim in
      !shown.contains(victim.path) && holds.withLock { $0[victim.path] == nil }
    }
    if !rest.isEmpty { try evict(rest) }
  }
}

// MARK: - Access times

/// The access times of originals, which tell with PostgreSQL when each of them was viewed on this machine.
extension OriginalRoom {
  /// The file of an original.
  package struct File: Sendable {
    package var path: String
    package var sha256: String
    package var bytes: Int
    /// The time of the last read, in seconds since 1970.
    package var read: Int

    /// Nil when the path is not that of an original.
    package init?(at path: String) {
      var status = stat()
      sha256 = LibraryFolder.sha256(ofOriginalAt: path)
      guard lstat(path, &status) == 0, sha256.isSHA256 else { return nil }
      self.path = path
      (bytes, read) = (Int(status.st_size), status.st_atim.tv_sec)
    }
  }

  /// The files of originals, least recently read first.
  package func files() throws(StoreError) -> [File] {
    try FolderListing(folder).originals().compactMap(File.init)
      .sorted { ($0.read, $0.sha256) < ($1.read, $1.sha256) }
  }

  /// Makes a file the first to give way.
  package func noteUnneeded(_ path: String) {
    let omitted = timespec(tv_sec: 0, tv_nsec: FileSystem.omittedTime)
    let times = [timespec(tv_sec: 0, tv_nsec: 0), omitted]
    _ = utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW)
  }

  /// Sets the access time of a file to `now`, unless it is at most `seconds` older.
  package func noteLook(
    at path: String,
    now: Date,
    unlessWithin seconds: Int = OriginalRoom.secondsBetweenLooks
  ) {
    var status = stat()
    let time = Int(now.timeIntervalSince1970)
    guard lstat(path, &status) == 0, time - status.st_atim.tv_sec > seconds else { return }
    let omitted = timespec(tv_sec: 0, tv_nsec: FileSystem.omittedTime)
    let times = [timespec(tv_sec: time, tv_nsec: 0), omitted]
    _ = utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW)
  }
}
