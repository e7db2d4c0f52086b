import Foundation
import Workers

/// Finds the lock files of feeds that have another address since, or are synced no more.
struct StaleLocks {
  let folder: LibraryFolder
  let now: Date

  /// Those that nobody has taken for as long as a partial file that counts as given up is not touched; a
  /// sync may still hold one.
  func files() throws(StoreError) -> [StrayFile] {
    guard try FileSystem.isThere(folder.locks) else { return [] }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.locks).sorted()
    } catch {
      throw StoreError(error, path: folder.locks)
    }
    return names.map { "\(folder.locks)/\($0)" }.compactMap { path in
      guard FileSystem.age(of: path, now: now) ?? 0 > StrayFiles.partialAge else { return nil }
      return StrayFile(path: path, bytes: FileSystem.size(of: path) ?? 0)
    }
  }
}
