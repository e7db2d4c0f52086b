import FoundationEssentials
import Glibc
import Models
package import Workers

/// A file in `partial/` that only this process writes.
///
/// The lock is on the open file, so it always ends with the process. While a process waits for the lock, the previous
/// holder may rename or delete the file. So the lock counts only while the path still names the locked file.
package final class PartialFile: Sendable {
  package let path: String
  private let file: Int32
  /// How many bytes of the disk are reserved for this file.
  private let reserved = Locked(0)
  /// Whether it was marked by `markPassing`.
  private let isPassing = Locked(false)
  /// Whether its bytes exceed the bound for originals, so that nothing of them may stay.
  private let isBeyond = Locked(false)
  /// The byte whose lock marks a passing file; no file reaches it.
  private static let passingMark = 1 << 62

  private init(path: String, file: Int32) {
    self.path = path
    self.file = file
  }

  deinit {
    guard file >= 0 else { return }
    // All bytes from the start on.
    try? lock(F_UNLCK, from: 0, count: 0)
    FileSystem.unlock(file)
  }

  /// Opens the file when no other process writes it; gives up after a while.
  static func open(_ path: String) async throws(StoreError) -> PartialFile {
    for _ in 0..<FileLimits.lockTries {
      if let file = try tryOpen(path) { return file }
      do {
        try await Task.sleep(for: FileLimits.lockRetry)
      } catch {
        throw StoreError(reason: .busy, path: path, message: "cancelled while another wrote it")
      }
    }
    throw busy(path)
  }

  private static func busy(_ path: String) -> StoreError {
    StoreError(reason: .busy, path: path, message: "another gallery is fetching it")
  }

  /// Nil while another process has locked the file.
  private static func tryOpen(_ path: String) throws(StoreError) -> PartialFile? {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    let file = PartialFile(path: path, file: Glibc.open(path, flags, 0o600))
    guard file.file >= 0 else { throw StoreError(errno: errno, path: path) }
    guard flock(file.file, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK || errno == EINTR { return nil }
      throw StoreError(errno: errno, path: path)
    }
    guard file.isAtItsPath else { return nil }
    return file
  }

  /// Opens the file that an earlier process left; nil while another process has locked it.
  fileprivate static func openLeft(_ path: String) throws(StoreError) -> PartialFile? {
    try tryOpen(path)
  }

  /// Whether a process is writing the file at a path.
  package static func isBeingWritten(_ path: String) -> Bool {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { FileSystem.unlock(file) }
    return flock(file, LOCK_SH | LOCK_NB) != 0
  }

  /// Reserves bytes of the disk for this file, in place of those that are reserved for it already.
  ///
  /// A reservation is a lock on as many bytes of the file, which ends with the process.
  package func reserve(_ bytes: Int) throws(StoreError) {
    let bytes = min(bytes, Self.passingMark - 1)
    // A length of 0 would mean all bytes from the start on.
    if bytes > 0 { try lock(F_WRLCK, from: 0, count: bytes) }
    try lock(F_UNLCK, from: bytes, count: Self.passingMark - bytes)
    reserved.withLock { $0 = bytes }
  }

  /// Marks an original that is here only until its thumbnail is made: nothing gives way to it, in any process.
  ///
  /// The mark is a lock, which ends with the process. On a file system without locks, there is no mark.
  func markPassing() {
    let isMarked = isPassing.withLock { isPassing in
      defer { isPassing = true }
      return isPassing
    }
    if !isMarked { try? lock(F_WRLCK, from: Self.passingMark, count: 1) }
  }

  /// Whether a process is writing a passing original to the file at a path.
  package static func isPassing(_ path: String) -> Bool {
    lockedBytes(at: path, from: passingMark, count: 1) > 0
  }

  /// Notes whether the bytes of a passing original exceed the bound, so that no part of it is kept.
  package func noteBeyond(_ isBeyond: Bool) { self.isBeyond.withLock { $0 = isBeyond } }

  /// Whether a part of it may be kept.
  var mayStay: Bool { !isBeyond.withLock { $0 } }

  private func lock(_ type: Int32, from start: Int, count: Int) throws(StoreError) {
    var lock = ByteLock.of(type, from: start, count: count)
    if fcntl(file, ByteLock.set, &lock) == 0 { return }
    throw StoreError(errno: errno, path: path)
  }

  /// How many bytes another process, or another part of this one, has reserved for the file at a path.
  package static func reservedBytes(at path: String) -> Int {
    lockedBytes(at: path, from: 0, count: passingMark)
  }

  /// The length of the first lock on some bytes of the file at a path; 0 for none.
  private static func lockedBytes(at path: String, from start: Int, count: Int) -> Int {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    var lock = ByteLock.of(F_WRLCK, from: start, count: count)
    guard fcntl(file, ByteLock.get, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return 0 }
    return Int(lock.l_len)
  }

  /// Whether the path still names this file.
  var isAtItsPath: Bool { FileSystem.isAt(path, file) }

  /// The number of bytes in the file.
  var length: Int {
    var status = stat()
    return fstat(file, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Truncates the file to `length` bytes; the next write appends there.
  func truncate(to length: Int) throws(StoreError) {
    guard ftruncate(file, off_t(length)) == 0, lseek(file, off_t(length), SEEK_SET) >= 0 else {
      throw StoreError(errno: errno, path: path)
    }
  }

  /// Puts an empty file, with the same reservation and mark, in the place of this one.
  ///
  /// A program that has this file open keeps its bytes: a server that sends them never gets bytes of another version.
  func replaced() throws(StoreError) -> PartialFile {
    unlink()
    guard let file = try Self.tryOpen(path) else { throw Self.busy(path) }
    try file.reserve(reserved.withLock { $0 })
    if isPassing.withLock({ $0 }) { file.markPassing() }
    file.noteBeyond(!mayStay)
    try file.truncate(to: 0)
    return file
  }

  /// Reads the file from start to end, in pieces.
  func readBack(_ body: ([UInt8]) -> Void) throws(StoreError) {
    var offset = 0
    while true {
      let piece = try piece(at: offset)
      if piece.isEmpty { return }
      offset += piece.count
      body(piece)
    }
  }

  private func piece(at offset: Int) throws(StoreError) -> [UInt8] {
    var read = 0
    let piece = [UInt8](unsafeUninitializedCapacity: FileLimits.readBackBytes) { buffer, count in
      repeat {
        read = pread(file, buffer.baseAddress, buffer.count, off_t(offset))
      } while read < 0 && errno == EINTR
      count = max(0, read)
    }
    guard read >= 0 else { throw StoreError(errno: errno, path: path) }
    return piece
  }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws(StoreError) {
    try FileSystem.write(bytes, to: file, path: path)
  }

  /// Writes the note of its image to the file; it is flushed together with the content.
  func note(_ origin: OriginOfFile) { origin.write(to: file) }

  /// Flushes the content to the disk.
  func sync() throws(StoreError) {
    guard fsync(file) == 0 else { throw StoreError(errno: errno, path: path) }
  }

  /// Removes the file's name, if it still names this file; the content is freed when the lock ends.
  ///
  /// If the name cannot be removed, that does no harm: without a note, the next process to fetch the image empties the
  /// file.
  func unlink() {
    if isAtItsPath { _ = Glibc.unlink(path) }
  }
}

extension LibraryFolder {
  /// Deletes the parts that broken transfers left of passing originals, and bytes that no transfer can resume.
  ///
  /// They are only good for a thumbnail, so they go before any original does.
  ///
  /// - Parameter own: A partial file that stays.
  /// - Returns: Whether there were any.
  /// - Throws: when the files cannot be listed or deleted.
  package func dropPassingParts(besides own: String? = nil) throws(StoreError) -> Bool {
    try holdingRoom { () throws(StoreError) in
      var isAny = false
      for id in try partialBytes().keys where partial(imageID: id) != own {
        // A file that a process writes is locked.
        guard let file = try? PartialFile.openLeft(partial(imageID: id)) else { continue }
        let note = PartialNote(path: note(imageID: id), folder: partial)
        if let kept = note.read(), !kept.isPassing {
          guard kept.length < file.length else { continue }
          try file.truncate(to: kept.length)
          isAny = true
          continue
        }
        try note.drop()
        file.unlink()
        isAny = isAny || FileSystem.size(of: file.path) == nil
      }
      return isAny
    }
  }
}

/// A lock on bytes of an open file (fcntl_locking(2)), which the kernel ends when the file is closed.
private enum ByteLock {
  /// F_OFD_GETLK and F_OFD_SETLK.
  static let (get, set): (Int32, Int32) = (36, 37)

  static func of(_ type: Int32, from start: Int, count: Int) -> flock {
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(type), Int16(SEEK_SET))
    (lock.l_start, lock.l_len) = (off_t(start), off_t(count))
    return lock
  }
}

/// The note beside a partial file: the version that its bytes belong to, and how many of them are flushed.
///
/// It is replaced as a whole, and written only after the bytes that it counts are flushed, so that a later attempt can
/// rely on it. An unreadable note counts as missing.
struct PartialNote {
  let path: String
  let folder: String

  /// Reads the note; nil when it is missing or unusable.
  func read() -> KeptOriginal? {
    // Without a readable note, the attempt just starts from the beginning.
    guard case .file(let size) = try? FileSystem.kind(of: path), size <= FileLimits.noteBytes,
      let data = try? Data(contentsOf: URL(filePath: path)),
      let content = try? JSONDecoder().decode(Content.self, from: data)
    else { return nil }
    return content.kept
  }

  func write(_ kept: KeptOriginal) throws(StoreError) {
    let new = draft
    let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw StoreError(errno: errno, path: new) }
    defer { close(file) }
    let bytes: [UInt8]
    do { bytes = try [UInt8](JSONEncoder().encode(Content(kept))) } catch {
      throw StoreError(reason: .other, path: path, message: "\(error)")
    }
    try FileSystem.write(bytes, to: file, path: new)
    guard fsync(file) == 0 else { throw StoreError(errno: errno, path: new) }
    try FileSystem.move(new, to: path)
    try FileSystem.sync(folder: folder)
  }

  /// The temporary name under which the note is written.
  private var draft: String { path + ".new" }

  /// Removes a note that a killed process left incomplete; only the holder of the lock may call this.
  func removeDraft() throws(StoreError) { _ = try FileSystem.remove(draft) }

  /// Removes the note, and flushes the removal, so that not even a power cut restores it.
  func remove() throws(StoreError) {
    if try FileSystem.remove(path) { try FileSystem.sync(folder: folder) }
  }

  /// Removes the note without flushing; used when a restored note does no harm.
  func drop() throws(StoreError) { _ = try FileSystem.remove(path) }

  /// The written form: JSON, for people who look into the folder.
  private struct Content: Codable {
    var address: String
    var entityTag: String?
    var lastModified: String?
    var rangeValidator: String?
    var total: Int?
    var length: Int
    /// Whether it is a part of a passing original; missing for false.
    var isPassing: Bool?

    init(_ kept: KeptOriginal) {
      address = kept.version.address.text
      entityTag = kept.version.validators.entityTag
      lastModified = kept.version.validators.lastModified
      rangeValidator = kept.version.rangeValidator
      total = kept.version.total
      length = kept.length
      isPassing = kept.isPassing ? true : nil
    }

    /// Nil when the note describes nothing that could be resumed.
    var kept: KeptOriginal? {
      guard let address = WebAddress(address), rangeValidator != nil, length > 0,
        total ?? length >= length
      else { return nil }
      let version = OriginalVersion(
        address: address,
        validators: Validators(entityTag: entityTag, lastModified: lastModified),
        rangeValidator: rangeValidator,
        total: total
      )
      return KeptOriginal(version: version, length: length, isPassing: isPassing ?? false)
    }
  }
}
