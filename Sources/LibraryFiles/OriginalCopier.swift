import Glibc
package import Models
package import Workers

/// Copies or links the files of originals from one library's folder to another.
package final class OriginalCopier: OriginalCopying {
  private let source: LibraryFolder
  private let target: LibraryFolder
  private let links: Bool
  private let readsAll: Bool
  private let folders: OriginalFolders
  /// The folders whose new names are not flushed yet.
  private let unsynced = Locked<Set<String>>([])

  /// - Parameters:
  ///   - source: The folder of the library.
  ///   - target: The folder of its copy.
  ///   - links: Whether both may have one file, so that damage to it is damage to both.
  ///   - readsAll: Whether files that are there already are read, so that damaged ones are copied again.
  package init(
    from source: LibraryFolder,
    to target: LibraryFolder,
    links: Bool = true,
    readsAll: Bool = false
  ) {
    self.source = source
    self.target = target
    self.links = links
    self.readsAll = readsAll
    folders = OriginalFolders(target)
  }

  package func copy(
    _ hash: SHA256Digest,
    _ format: ImageFormat,
    bytes: Int
  ) throws(StoreError) -> CopiedOriginal {
    let sha256 = hash.hexadecimal
    let from = source.original(sha256: sha256, fileExtension: format.fileExtension)
    let to = target.original(sha256: sha256, fileExtension: format.fileExtension)
    let there = try FileSystem.kind(of: to)
    if there == .file(bytes: bytes), !readsAll || Self.isWhole(to, hash) { return .wasThere }
    let found = try FileSystem.kind(of: from)
    guard found == .file(bytes: bytes) else { return found == nil ? .missing : .damaged }
    try target.make()
    try folders.make(for: sha256)
    unsynced.withLock { _ = $0.insert(target.originalsFolder(sha256: sha256)) }
    if links {
      _ = try FileSystem.remove(to)
      if link(from, to) == 0 { return .linked }
    }
    // A file that is there is replaced only by a whole one.
    guard try copy(from, to: to, hash) else { return .damaged }
    return there == nil ? .copied : .renewed
  }

  /// Whether a file has the content that a hash names; one that cannot be read has not.
  private static func isWhole(_ path: String, _ hash: SHA256Digest) -> Bool {
    (try? FileHash.sha256(ofFileAt: path))?.hash == hash
  }

  /// Copies a file with its note and the time of its last change, and renames the copy if its content has the stored
  /// hash; returns whether it has.
  private func copy(
    _ path: String,
    to target: String,
    _ hash: SHA256Digest
  ) throws(StoreError) -> Bool {
    let part = target + ".part"
    let file = try Self.openAlone(part)
    // The lock ends after the file has its name.
    defer { close(file) }
    do throws(StoreError) {
      let found = try FileHash.sha256(ofFileAt: path) { (piece) throws(StoreError) in
        try FileSystem.write(Array(piece), to: file, path: part)
      }
      guard found.hash == hash else {
        unlink(part)
        return false
      }
      OriginOfFile(ofFileAt: path)?.write(to: file)
      Self.keepChange(of: path, in: file)
      guard fsync(file) == 0 else { throw StoreError(errno: errno, path: part) }
    } catch {
      unlink(part)
      throw error
    }
    try FileSystem.move(part, to: target)
    return true
  }

  /// Gives a copy the time of the last change, which tells the newer of two originals from one address if their rows are
  /// lost.
  private static func keepChange(of path: String, in file: Int32) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    let times = [timespec(tv_sec: 0, tv_nsec: FileSystem.omittedTime), status.st_mtim]
    _ = futimens(file, times)
  }

  /// Opens an empty file for a copy, and waits for another process that copies the same original.
  private static func openAlone(_ part: String) throws(StoreError) -> Int32 {
    while true {
      let file = open(part, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard file >= 0 else { throw StoreError(errno: errno, path: part) }
      // Without locks on this file system, the hash of the copy is the only check.
      _ = flock(file, LOCK_EX)
      // The other process may have renamed its file, or deleted it.
      if FileSystem.isAt(part, file), ftruncate(file, 0) == 0 { return file }
      close(file)
    }
  }

  package func settle() throws(StoreError) {
    let folders = unsynced.withLock { folders in
      defer { folders = [] }
      return folders
    }
    for folder in folders { try FileSystem.sync(folder: folder) }
  }
}
