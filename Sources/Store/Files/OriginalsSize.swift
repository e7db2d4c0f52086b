import Glibc
import LibraryFiles
import Models
package import Workers

/// The bytes of the files in `originals/`, counted again where they may have changed.
package final class OriginalsSize: Sendable {
  /// The bytes of the files in one folder, which are right as long as the folder has not changed since.
  private struct Count {
    var changed: timespec
    var bytes: Int
  }

  /// Within this time, a folder may change twice and have the same date, in nanoseconds: ticks of the kernel's clock.
  private static let tick = 100_000_000

  private let folder: LibraryFolder
  /// The last counts, by the paths of the folders in `originals/`.
  private let counts = Locked<[String: Count]>([:])

  init(_ folder: LibraryFolder) { self.folder = folder }

  /// The bytes of all files.
  ///
  /// A folder is read again only when its date has changed.
  package func bytes() throws(StoreError) -> Int {
    var bytes = 0
    for path in try FolderListing(folder).originalsFolders() {
      bytes = bytes.adding(try self.bytes(inFolder: path))
    }
    return bytes
  }

  private func bytes(inFolder path: String) throws(StoreError) -> Int {
    var (status, now) = (stat(), timespec())
    guard lstat(path, &status) == 0 else { return 0 }
    let changed = status.st_mtim
    let known = counts.withLock { $0[path] }
    if let known, changed.tv_sec == known.changed.tv_sec, changed.tv_nsec == known.changed.tv_nsec {
      return known.bytes
    }
    clock_gettime(CLOCK_REALTIME, &now)
    let files = try FileSystem.names(inFolder: path).compactMap {
      OriginalRoom.File(at: "\(path)/\($0)")
    }
    let bytes = files.reduce(0) { $0.adding($1.bytes) }
    let age = (now.tv_sec - changed.tv_sec) * 1_000_000_000 + now.tv_nsec - changed.tv_nsec
    if age > Self.tick { counts.withLock { $0[path] = Count(changed: changed, bytes: bytes) } }
    return bytes
  }
}
