import Glibc
package import Models
package import Workers

/// The parts of packs that were read from an object store lately: sparse files, one for each pack.
///
/// What a file lacks reads as zeros, which the hash of a thumbnail tells. So no part that is half written, or that another
/// process takes away, is ever taken for a thumbnail. Without room on the disk, nothing is kept.
package final class PackCache: Sendable {
  private let folder: LibraryFolder
  private let bound: Int
  /// Bytes that were written since room was made.
  private let written = Locked(FileLimits.packBytesBetweenLooks)

  package init(_ folder: LibraryFolder, bound: Int = FileLimits.cachedPackBytes) {
    self.folder = folder
    self.bound = bound
  }

  /// Bytes of a pack as they are here; nil when they are not all here.
  package func bytes(of pack: SHA256Digest, in range: Range<Int>) -> [UInt8]? {
    let file = open(path(of: pack), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, range.count, off_t(range.lowerBound)))
    }
    return bytes.count == range.count ? bytes : nil
  }

  /// Keeps bytes of a pack.
  package func keep(_ bytes: [UInt8], of pack: SHA256Digest, at offset: Int) {
    guard makeRoom(for: bytes.count) else { return }
    let file = open(path(of: pack), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    _ = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
  }

  /// Keeps a whole pack, whose file gets another name.
  package func keep(_ pack: ObjectPack) {
    let isKept = makeRoom(for: pack.bytes)
    if isKept, (try? FileSystem.move(pack.path, to: path(of: pack.hash))) != nil { return }
    _ = try? FileSystem.remove(pack.path)
  }

  private func path(of pack: SHA256Digest) -> String { folder.packs + "/" + pack.hexadecimal }

  /// Makes the folder; deletes the files that were written longest ago, when all take more than they may.
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
      // The next one looks again.
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
    /// On the disk.
    let bytes: Int
    /// When it was last written, in seconds.
    let written: Int

    init?(_ path: String) {
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      self.path = path
      // Of 512 bytes whatever the file system (stat(3type)).
      bytes = Int(status.st_blocks) * 512
      written = status.st_mtim.tv_sec
    }
  }
}

/// A new pack, written to a file that no other process knows.
///
/// Its first bytes are random, so that no two packs are the same: one can be deleted while another with the same thumbnails
/// is put.
package final class PackWriter {
  private static let nonceBytes = 16

  private let path: String
  private let file: Int32
  private var hash: SHA256
  /// How many bytes it has.
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

  /// The pack with all that was appended.
  package var pack: ObjectPack { ObjectPack(path: path, hash: hash.digest, bytes: count) }

  /// Deletes the file.
  package func discard() { _ = try? FileSystem.remove(path) }
}
