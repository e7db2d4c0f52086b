import CLinux
import Dispatch
import Glibc
package import Models
package import Workers

/// An original that is arriving in `partial/`; its hash is computed as it arrives.
///
/// The note beside it is written only after the bytes that it counts are flushed. It is deleted before the first byte
/// of another version is written. So the bytes that a note counts always belong to the version that it names, even if
/// the program or the machine stops.
package final class OriginalFile: OriginalWriting {
  /// Names a complete file by its hash, and stores it for its image.
  package typealias Keeping =
    @Sendable (_ file: PartialFile, _ sha256: String, OriginalReceipt) async throws(StoreError) ->
    StoredOriginal

  /// Makes room for an original, as `OriginalWriting.makeRoom` does.
  package typealias MakingRoom =
    @Sendable (_ file: PartialFile, _ bytes: Int, _ total: Int?, _ purpose: OriginalPurpose)
    async throws(StoreError) -> Int

  private let imageID: Int64
  private let folder: LibraryFolder
  private let stopwatch: Stopwatch?
  private let room: MakingRoom
  private let keep: Keeping
  private let note: PartialNote
  /// Nil after it has been committed, suspended or discarded.
  private var file: PartialFile?
  package private(set) var kept: KeptOriginal?
  /// The version that the bytes belong to; nil before the first byte.
  private var version: OriginalVersion?
  /// Whether it is here only until its thumbnail is made.
  private var isPassing = false
  private var hash: ArrivalHash
  private var count = 0
  /// The number of bytes that had arrived when the last note was begun.
  private var begunCount = 0
  private var noter: PartialNoter

  /// Opens the partial file; waits for another process that is fetching the same original.
  ///
  /// - Parameters:
  ///   - imageID: The image that the original belongs to.
  ///   - folder: The library's folder, in which the folder for partial files is made.
  ///   - stopwatch: Adds up the time that writing takes.
  ///   - room: Makes room for the original.
  ///   - keep: Gets the file when it is complete.
  /// - Throws: when the file cannot be written.
  package init(
    imageID: Int64,
    in folder: LibraryFolder,
    timedBy stopwatch: Stopwatch?,
    room: @escaping MakingRoom,
    keep: @escaping Keeping
  ) async throws(StoreError) {
    let file = try await PartialFile.open(folder.partial(imageID: imageID))
    hash = try ArrivalHash(of: file.path)
    self.file = file
    self.imageID = imageID
    self.folder = folder
    self.stopwatch = stopwatch
    self.room = room
    self.keep = keep
    note = PartialNote(path: folder.note(imageID: imageID), folder: folder.partial)
    // A file that is shorter than its note says does not match the note.
    kept = note.read().flatMap { $0.length <= file.length ? $0 : nil }
    noter = PartialNoter(note, noted: 0)
  }

  deinit { suspend() }

  package var path: String { folder.partial(imageID: imageID) }

  package var sha256: String { hash.digits }

  package func makeRoom(
    for bytes: Int,
    of total: Int?,
    purpose: OriginalPurpose
  ) async throws(StoreError) -> Int {
    let file = try opened()
    isPassing = purpose == .thumbnail
    if isPassing { file.markPassing() }
    return try await room(file, bytes, total, purpose)
  }

  package func resume(_ body: ([UInt8]) -> Void) throws(StoreError) {
    let file = try opened()
    guard let kept else { return }
    try noter.settle()
    try note.removeDraft()
    try file.truncate(to: kept.length)
    let hash = try ArrivalHash(of: file.path)
    var count = 0
    try file.readBack { piece in
      hash.append(piece)
      count += piece.count
      body(piece)
    }
    guard count == kept.length else {
      throw StoreError(reason: .other, path: file.path, message: "it was changed meanwhile")
    }
    (self.hash, self.count, begunCount) = (hash, count, count)
    noter = PartialNoter(note, noted: count)
    version = kept.version
  }

  package func restart(_ version: OriginalVersion) throws(StoreError) {
    let old = try opened()
    try noter.settle()
    let file = try old.length > 0 ? folder.holdingRoom(old.replaced) : old
    self.file = file
    try note.removeDraft()
    try note.remove()
    kept = nil
    (hash, count, begunCount) = (try ArrivalHash(of: file.path), 0, 0)
    noter = PartialNoter(note, noted: 0)
    self.version = version
  }

  package func append(_ bytes: [UInt8]) throws(StoreError) {
    try stopwatch.measure(.filing) { () throws(StoreError) in
      let file = try opened()
      hash.append(bytes)
      try file.write(bytes)
      count += bytes.count
      if isNoteDue { try beginNote() }
    }
    stopwatch?.add { $0.counts.originalBytes += bytes.count }
  }

  package func commit(_ receipt: OriginalReceipt) async throws(StoreError) -> StoredOriginal {
    let file = try opened()
    var receipt = receipt
    receipt.info.bytes = count
    let (noter, imageID, stopwatch) = (noter, imageID, stopwatch)
    let arrived = receipt
    try await DispatchQueue.global().run { () throws(StoreError) in
      try stopwatch.measure(.filing) { () throws(StoreError) in
        try noter.settle()
        // A file beside the stored one must not be found again as the image's original.
        if arrived.doubts.isEmpty {
          file.note(try OriginOfFile(imageID: imageID, address: arrived.address))
        }
        try file.sync()
      }
    }
    let stored = try await keep(file, sha256, arrived)
    stopwatch?.add { $0.counts.originals += 1 }
    self.file = nil
    // A note without its file is harmless: the next attempt to fetch the image ignores it.
    try? note.drop()
    return stored
  }

  package func suspend() {
    guard let opened = file else { return }
    // A passing part stays only where there is room. If somebody has waited for it before, what was noted stays.
    let mayStay = opened.mayStay || kept?.isPassing == false
    let isNoted = mayStay && (version == nil ? kept != nil : noteRest() > 0)
    if !isNoted { return discard() }
    if !opened.mayStay, version != nil { try? opened.truncate(to: noter.noted) }
    file = nil
  }

  /// Deletes the names before it releases the lock, so that a waiting process does not lock a deleted file.
  package func discard() {
    guard let file else { return }
    self.file = nil
    noter.wait()
    // If a file cannot be removed now, the next attempt to fetch the image resumes or replaces it.
    try? note.remove()
    file.unlink()
  }

  /// Notes all bytes that have arrived; returns how many bytes are noted in the end.
  private func noteRest() -> Int {
    // If that fails, the previous note, if there is one, still describes bytes that are flushed.
    if version?.rangeValidator != nil, begunCount < count { try? beginNote() }
    return noter.noted
  }

  /// While a note is being written, the next one is due only after many more bytes.
  private var isNoteDue: Bool {
    let unnoted = count - begunCount
    guard unnoted >= FileLimits.bytesBetweenNotes else { return false }
    return unnoted >= FileLimits.bytesAheadOfNote || !noter.isAtWork
  }

  /// Begins to flush and to note the bytes that have arrived; a version that cannot be resumed, and one whose bytes
  /// may not stay, is flushed without a note.
  private func beginNote() throws(StoreError) {
    let file = try opened()
    let version = version.flatMap { $0.rangeValidator == nil || !file.mayStay ? nil : $0 }
    // A part that somebody has waited for stays one, whoever continues it.
    let isPassing = isPassing && kept?.isPassing != false
    try noter.begin(
      file,
      noting: version.map { KeptOriginal(version: $0, length: count, isPassing: isPassing) }
    )
    begunCount = count
  }

  private func opened() throws(StoreError) -> PartialFile {
    if let file { return file }
    throw StoreError(reason: .other, path: path, message: "it has been ended already")
  }
}

/// Makes the folders for originals, each only once in a process.
package final class OriginalFolders: Sendable {
  private let folder: LibraryFolder
  /// The folders that are known to be flushed.
  private let synced = Locked<Set<String>>([])

  package init(_ folder: LibraryFolder) { self.folder = folder }

  /// Makes the folders that every original needs.
  package func makeCommon() throws(StoreError) {
    try make([folder.originals, folder.partial], in: folder.path)
  }

  /// Makes the folder for the file of an original.
  package func make(for sha256: String) throws(StoreError) {
    try make([folder.originals], in: folder.path)
    try make([folder.originalsFolder(sha256: sha256)], in: folder.originals)
  }

  /// Renames a complete file to its final name; replaces a file with the same hash, which may be damaged.
  ///
  /// The name is flushed when this returns.
  package func name(
    _ file: PartialFile,
    sha256: String,
    _ format: ImageFormat
  ) throws(StoreError) {
    let path = folder.original(sha256: sha256, fileExtension: format.fileExtension)
    try FileSystem.removeEmptyFolder(path)
    try folder.holdingRoom { () throws(StoreError) in try FileSystem.move(file.path, to: path) }
    try FileSystem.sync(folder: folder.originalsFolder(sha256: sha256))
  }

  /// Makes folders and flushes them, even if they exist: another process may have been killed before it flushed them.
  private func make(_ paths: [String], in parent: String) throws(StoreError) {
    let known = synced.withLock { $0 }
    let missing = paths.filter { !known.contains($0) }
    if missing.isEmpty { return }
    for path in missing { _ = try FileSystem.makeFolder(path) }
    try FileSystem.sync(folder: parent)
    synced.withLock { $0.formUnion(missing) }
  }
}

/// The note of an original's image and address, as an extended attribute of its file (xattr(7)).
///
/// It is flushed with the file's content, so it survives if a power cut or a restored database loses the row. It holds
/// only a hash of the address, because addresses can contain secrets and files are copied with their attributes. On a
/// file system without attributes, there are no such notes.
package struct OriginOfFile: Equatable {
  private static let name = "user.gallery.origin"
  private static let longest = 128

  package let imageID: Int64
  /// The SHA-256 of the address's identity.
  package let addressHash: String

  init(imageID: Int64, address: WebAddress) throws(StoreError) {
    self.imageID = imageID
    addressHash = try Self.hash(address)
  }

  /// Nil for a file without such a note.
  package init?(ofFileAt path: String) {
    var text = [UInt8](repeating: 0, count: Self.longest)
    let count = clinux_attribute(path, Self.name, &text, text.count)
    guard count > 0 else { return nil }
    let words = String(decoding: text.prefix(count), as: UTF8.self).split(separator: " ")
    guard words.count == 2, let imageID = Int64(words[0]) else { return nil }
    self.imageID = imageID
    addressHash = String(words[1])
  }

  /// Whether the original came from an address, in any spelling.
  package func isOf(_ address: WebAddress) throws(StoreError) -> Bool {
    try addressHash == Self.hash(address)
  }

  /// Writes the note to an open file; it is permanent once the file is flushed.
  func write(to file: Int32) {
    let text = Array("\(imageID) \(addressHash)".utf8)
    _ = clinux_set_attribute(file, Self.name, text, text.count)
  }

  package static func hash(_ address: WebAddress) throws(StoreError) -> String {
    try SHA256.digits(of: Array(address.identity.utf8), path: name)
  }
}
