import Dispatch
import FoundationEssentials
import Glibc
import Models
import Workers

/// A file in `partial/` that this process alone is writing.
///
/// The lock is on the open file, so that it ends with the process, however that ends. Who has
/// waited for it may hold a file that the one before has renamed or deleted meanwhile; so the lock
/// counts only while the path still means the locked file.
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

  /// Waits until no other process writes the file; not for ever.
  static func open(_ path: String) async throws(StoreError) -> PartialFile {
    for _ in 0..<FileLimits.lockTries {
      if let file = try tryOpen(path) { return file }
      do {
        try await Task.sleep(for: FileLimits.lockRetry)
      } catch {
        throw StoreError(reason: .busy, path: path, message: "cancelled while another wrote it")
      }
    }
    throw StoreError(reason: .busy, path: path, message: "another gallery is fetching it")
  }

  /// Nil while another process has it.
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

  /// Whether its path still means this file.
  var isAtItsPath: Bool { FileSystem.isAt(path, file) }

  /// How many bytes it has.
  var length: Int {
    var status = stat()
    return fstat(file, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Cuts off what lies behind the first `length` bytes, and goes on there.
  func truncate(to length: Int) throws(StoreError) {
    guard ftruncate(file, off_t(length)) == 0, lseek(file, off_t(length), SEEK_SET) >= 0 else {
      throw StoreError(errno: errno, path: path)
    }
  }

  /// Reads it from its first byte to its end, in pieces.
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

  /// Adds bytes at the end.
  func write(_ bytes: [UInt8]) throws(StoreError) {
    try FileSystem.write(bytes, to: file, path: path)
  }

  /// Notes on it of which image it is; with the content that comes to the disk.
  func note(_ origin: OriginOfFile) { origin.write(to: file) }

  /// Brings the content to the disk.
  func sync() throws(StoreError) {
    guard fsync(file) == 0 else { throw StoreError(errno: errno, path: path) }
  }

  /// Takes the file's name away, if it is still this file's; its content goes with the lock.
  ///
  /// A name that cannot be taken away is no harm: without a note the next one to fetch the same
  /// image empties the file.
  func unlink() {
    if isAtItsPath { _ = Glibc.unlink(path) }
  }
}

/// The note beside a partial file: what its bytes belong to, and how many are on the disk.
///
/// It is replaced as a whole, and written only after the bytes it tells of are on the disk, so that a
/// later attempt can rely on it. An unreadable note counts as missing.
struct PartialNote {
  let path: String
  let folder: String

  /// Nil if it is missing.
  func read() -> KeptOriginal? {
    // A note that cannot be read or understood only means to start over.
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

  /// The name under which it is written.
  private var draft: String { path + ".new" }

  /// Takes away what one who was killed while writing it left: for the holder of the file alone.
  func removeDraft() throws(StoreError) { _ = try FileSystem.remove(draft) }

  /// Takes it away, so that not even a power cut brings it back.
  func remove() throws(StoreError) {
    if try FileSystem.remove(path) { try FileSystem.sync(folder: folder) }
  }

  /// Takes it away where it does no harm when a power cut brings it back.
  func drop() throws(StoreError) { _ = try FileSystem.remove(path) }

  /// How it is written: JSON, for people who look into the folder.
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

    /// Nil when it tells of nothing that could be resumed.
    var kept: KeptOriginal? {
      guard let address = WebAddress(address), rangeValidator != nil, length > 0 else { return nil }
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

/// Brings what has arrived of an original to the disk and notes it, while more arrives.
///
/// Waited for on the way, the disk would be idle while bytes come, and the network while they are
/// written. One thing is under way at a time: the next one waits for it, and so does a change of
/// the file or takes away the note. A failure stays: the system tells it once (fsync(2)), and what it
/// told of must not count as being on the disk at the end.
final class PartialNoter: Sendable {
  private struct State: Sendable {
    /// What is to be done next.
    var file: PartialFile?
    var kept: KeptOriginal?
    var isAtWork = false
    /// How many bytes the note tells of.
    var noted = 0
    var failure: StoreError?
  }

  private let note: PartialNote
  private let queue = DispatchQueue(label: "gallery.partial")
  private let state: Locked<State>

  /// Takes the note, and how many bytes it tells of already.
  init(_ note: PartialNote, noted: Int) {
    self.note = note
    state = Locked(State(noted: noted))
  }

  /// Begins to bring to the disk what is in a file, and to note it then.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - kept: What to note; nil for bytes that cannot be resumed.
  /// - Throws: when what was begun before has failed.
  func begin(_ file: PartialFile, noting kept: KeptOriginal?) throws(StoreError) {
    try settle()
    state.withLock { ($0.file, $0.kept, $0.isAtWork) = (file, kept, true) }
    // What is to be done is in the state, not in the closure: with the end of the work the file is let
    // go of, and with it its lock.
    queue.async { [self] in work() }
  }

  /// How many bytes are noted, once nothing is under way any more.
  var noted: Int {
    wait()
    return state.withLock { $0.noted }
  }

  /// Waits until nothing is under way any more.
  func wait() { queue.sync {} }

  /// Waits until nothing is under way any more; throws when anything that was begun has failed.
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
