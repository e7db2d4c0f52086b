import Dispatch
import FoundationEssentials
import Glibc
import Models
import Workers

/// A file in `partial/` that only this process writes.
///
/// The lock is on the open file, so it always ends with the process. While a process waits for the lock, the previous
/// holder may rename or delete the file. So the lock counts only while the path still names the locked file.
package final class PartialFile: Sendable {
  package let path: String
  private let file: Int32

  private init(path: String, file: Int32) {
    self.path = path
    self.file = file
  }

  deinit {
    if file >= 0 { close(file) }
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

  /// Whether a process is writing the file at a path.
  package static func isBeingWritten(_ path: String) -> Bool {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { close(file) }
    return flock(file, LOCK_SH | LOCK_NB) != 0
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

  /// Puts an empty file in the place of this one.
  ///
  /// A program that has this file open keeps its bytes: a server that sends them never gets bytes of another version.
  func replaced() throws(StoreError) -> PartialFile {
    unlink()
    guard let file = try Self.tryOpen(path) else { throw Self.busy(path) }
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

    init(_ kept: KeptOriginal) {
      address = kept.version.address.text
      entityTag = kept.version.validators.entityTag
      lastModified = kept.version.validators.lastModified
      rangeValidator = kept.version.rangeValidator
      total = kept.version.total
      length = kept.length
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
      return KeptOriginal(version: version, length: length)
    }
  }
}

/// Flushes the bytes of an original and notes them, while more bytes arrive.
///
/// If the writer waited for each flush, the disk would be idle while bytes arrive, and the network while they are
/// flushed. One flush runs at a time. The next flush waits for it, and so does anything that changes the file or
/// removes the note. A failure is kept: the system reports it only once (fsync(2)), and the bytes that it affected must
/// not count as flushed later.
final class PartialNoter: Sendable {
  private struct State: Sendable {
    /// The flush to do next.
    var file: PartialFile?
    var kept: KeptOriginal?
    var isAtWork = false
    /// The number of bytes that the note counts.
    var noted = 0
    var failure: StoreError?
  }

  private let note: PartialNote
  private let queue = DispatchQueue(label: "gallery.partial")
  private let state: Locked<State>

  /// Takes the note, and the number of bytes that it already counts.
  init(_ note: PartialNote, noted: Int) {
    self.note = note
    state = Locked(State(noted: noted))
  }

  /// Begins to flush the content of a file, and to note it afterwards.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - kept: The note to write; nil for bytes that cannot be resumed.
  /// - Throws: when an earlier flush has failed.
  func begin(_ file: PartialFile, noting kept: KeptOriginal?) throws(StoreError) {
    try settle()
    state.withLock { ($0.file, $0.kept, $0.isAtWork) = (file, kept, true) }
    // The work is in the state, not in the closure, so that the file and its lock are released when the work ends.
    queue.async { [self] in work() }
  }

  /// The number of bytes that are noted, after running work has ended.
  var noted: Int {
    wait()
    return state.withLock { $0.noted }
  }

  /// Waits until running work has ended.
  func wait() { queue.sync {} }

  /// Waits until running work has ended; throws when any of it has failed.
  func settle() throws(StoreError) {
    wait()
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  var isAtWork: Bool { state.withLock { $0.isAtWork } }

  private func work() {
    defer { state.withLock { $0.isAtWork = false } }
    let (file, kept) = state.withLock { ($0.file.take(), $0.kept.take()) }
    guard let file else { return }
    do throws(StoreError) {
      guard file.isAtItsPath else { return }
      try file.sync()
      guard let kept else { return }
      try note.write(kept)
      state.withLock { $0.noted = kept.length }
    } catch {
      state.withLock { $0.failure = error }
    }
  }
}
