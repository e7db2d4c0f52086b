import Glibc
package import Models
package import Workers

/// The parts of packs that were recently read from an object store, as sparse files, one for each pack.
///
/// Missing bytes read as zeros, and the hash of the thumbnail does not match then. So a part that is half written, or
/// that another process deletes, is never used as a thumbnail. On a full disk, nothing is cached.
package final class PackCache: Sendable {
  private let folder: LibraryFolder
  private let bound: Int
  /// The bytes that were written since the cache was last trimmed.
  private let written = Locked(FileLimits.packBytesBetweenLooks)

  package init(_ folder: LibraryFolder, bound: Int = FileLimits.cachedPackBytes) {
    self.folder = folder
    self.bound = bound
  }

  /// Cached bytes of a pack; nil when the file does not contain all of the range.
  package func bytes(of pack: SHA256Digest, in range: Range<Int>) -> [UInt8]? {
    let file = open(path(of: pack), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, range.count, off_t(range.lowerBound)))
    }
    return bytes.count == range.count ? bytes : nil
  }

  /// Caches bytes of a pack.
  package func keep(_ bytes: [UInt8], of pack: SHA256Digest, at offset: Int) {
    guard makeRoom(for: bytes.count) else { return }
    let file = open(path(of: pack), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    _ = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
  }

  /// Caches a whole pack by renaming its file; deletes the file if that fails.
  package func keep(_ pack: ObjectPack) {
    let isKept = makeRoom(for: pack.bytes)
    if isKept, (try? FileSystem.move(pack.path, to: path(of: pack.hash))) != nil { return }
    _ = try? FileSystem.remove(pack.path)
  }

  private func path(of pack: SHA256Digest) -> String { folder.packs + "/" + pack.hexadecimal }

  /// Makes the folder, and deletes the files written longest ago while all together exceed the limit.
  private func makeRoom(for bytes: Int) -> Bool {
    let isDue = written.withLock { written in
      written += bytes
      guard written >= FileLimits.packBytesBetweenLooks else { return false }
      written = 0
      return true
    }
    guard isDue else { return true }
    guard (try? folder.make()) != nil, (try? FileSystem.makeFolder(folder.packs)) != nil,
      (try? folder.checkRoom(for: bytes)) != nil
    else {
      // The next call checks again.
      written.withLock { $0 = FileLimits.packBytesBetweenLooks }
      return false
    }
    let names = (try? FileSystem.names(inFolder: folder.packs)) ?? []
    var files = names.compactMap { KeptFile(folder.packs + "/" + $0) }
    files.sort { $0.written < $1.written }
    var used = files.reduce(0) { $0 + $1.bytes }
    for file in files where used > bound {
      _ = try? FileSystem.remove(file.path)
      used -= file.bytes
    }
    return true
  }

  /// A file of the cache.
  private struct KeptFile {
    let path: String
    /// The bytes that it takes on the disk.
    let bytes: Int
    /// The time of its last change, in seconds.
    let written: Int

    init?(_ path: String) {
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      self.path = path
      // Blocks of 512 bytes on every file system (stat(3type)).
      bytes = Int(status.st_blocks) * 512
      written = status.st_mtim.tv_sec
    }
  }
}

/// A new pack, written to a file that no other process knows.
///
/// Its first bytes are random, so that no two packs are equal. So one can be deleted while another with the same
/// thumbnails is uploaded.
package final class PackWriter {
  private static let nonceBytes = 16

  private let path: String
  private let file: Int32
  private var hash: SHA256
  /// The number of bytes written so far.
  package private(set) var count = 0

  package init(in folder: LibraryFolder) throws(StoreError) {
    try folder.make()
    _ = try FileSystem.makeFolder(folder.packs)
    let nonce = (0..<Self.nonceBytes).map { _ in UInt8.random(in: 0...255) }
    path = "\(folder.packs)/\(UInt64.random(in: 0 ... .max)).new"
    hash = try SHA256(of: path)
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw StoreError(errno: errno, path: path) }
    try append(nonce)
  }

  deinit {
    if file >= 0 { close(file) }
  }

  /// Appends a thumbnail.
  package func append(_ bytes: [UInt8]) throws(StoreError) {
    try FileSystem.write(bytes, to: file, path: path)
    hash.update(bytes)
    count += bytes.count
  }

  /// The pack with everything that was appended.
  package var pack: ObjectPack { ObjectPack(path: path, hash: hash.digest, bytes: count) }

  /// Deletes the file.
  package func discard() { _ = try? FileSystem.remove(path) }
}
