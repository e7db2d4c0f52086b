import CLinux
import GRDB
import Glibc
import Models
import Workers

/// An original that is arriving in `partial/`; its hash is computed on the way.
///
/// The note beside it is written only when the bytes it tells of are on the disk, and taken away
/// before the first byte of another version is written: whenever the program or the machine stops,
/// the bytes that the note counts are those of the version it names.
final class OriginalFile: OriginalWriting {
  private let imageID: Int64
  private let library: SQLiteLibrary
  private let note: PartialNote
  /// Nil when it has been ended.
  private var file: PartialFile?
  private(set) var kept: KeptOriginal?
  /// What the bytes belong to; nil before the first of them.
  private var version: OriginalVersion?
  private var hash: ArrivalHash
  private var count = 0
  /// How many bytes were here when the last note was begun.
  private var begunCount = 0
  private var noter: PartialNoter

  init(_ file: PartialFile, imageID: Int64, library: SQLiteLibrary) throws(StoreError) {
    hash = try ArrivalHash(of: file.path)
    self.file = file
    self.imageID = imageID
    self.library = library
    note = PartialNote(
      path: library.folder.note(imageID: imageID),
      folder: library.folder.partial
    )
    // Less than was noted is not what was noted.
    kept = note.read().flatMap { $0.length <= file.length ? $0 : nil }
    noter = PartialNoter(note, noted: 0)
  }

  deinit { suspend() }

  var path: String { library.folder.partial(imageID: imageID) }

  var sha256: String { hash.digits }

  func resume(_ body: ([UInt8]) -> Void) throws(StoreError) {
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

  func restart(_ version: OriginalVersion) throws(StoreError) {
    let file = try opened()
    try noter.settle()
    try note.removeDraft()
    try note.remove()
    kept = nil
    try file.truncate(to: 0)
    (hash, count, begunCount) = (try ArrivalHash(of: file.path), 0, 0)
    noter = PartialNoter(note, noted: 0)
    self.version = version
  }

  func append(_ bytes: [UInt8]) throws(StoreError) {
    try library.stopwatch.measure(.filing) { () throws(StoreError) in
      let file = try opened()
      hash.append(bytes)
      try file.write(bytes)
      count += bytes.count
      if isNoteDue { try beginNote() }
    }
    library.stopwatch?.add { $0.counts.originalBytes += bytes.count }
  }

  func commit(_ receipt: OriginalReceipt) async throws(StoreError) -> StoredOriginal {
    let file = try opened()
    var receipt = receipt
    receipt.info.bytes = count
    let (library, noter, imageID, sha256) = (library, noter, imageID, sha256)
    let arrived = receipt
    try await library.onFiles { () throws(StoreError) in
      try library.stopwatch.measure(.filing) { () throws(StoreError) in
        try noter.settle()
        file.note(try OriginOfFile(imageID: imageID, address: arrived.address))
        try file.sync()
      }
    }
    let stored = try await library.onWrites { () throws(StoreError) in
      try library.keep(file, of: imageID, sha256: sha256, arrived)
    }
    library.stopwatch?.add { $0.counts.originals += 1 }
    self.file = nil
    // A note without its file does no harm: the next attempt to fetch the image ignores it.
    try? note.drop()
    return stored
  }

  func suspend() {
    guard file != nil else { return }
    let isNoted = version == nil ? kept != nil : noteRest() > 0
    if isNoted { file = nil } else { discard() }
  }

  /// The names go before the lock does, so that who waits for the lock finds no file it is not on.
  func discard() {
    guard let file else { return }
    self.file = nil
    noter.wait()
    // The next attempt to fetch the image resumes or replaces a file that cannot be removed now.
    try? note.remove()
    file.unlink()
  }

  /// Notes all that is here; says how many bytes are noted in the end.
  private func noteRest() -> Int {
    // Where that fails, the note before, if there is one, still tells of bytes that are on the disk.
    if version?.rangeValidator != nil, begunCount < count { try? beginNote() }
    return noter.noted
  }

  /// One that is still being written is waited for only when much has come since.
  private var isNoteDue: Bool {
    let unnoted = count - begunCount
    guard unnoted >= Limits.bytesBetweenNotes else { return false }
    return unnoted >= Limits.bytesAheadOfNote || !noter.isAtWork
  }

  /// Begins to bring what is here to the disk and to note it; a version that has no rest to ask for is
  /// not noted.
  private func beginNote() throws(StoreError) {
    let version = version.flatMap { $0.rangeValidator == nil ? nil : $0 }
    try noter.begin(opened(), noting: version.map { KeptOriginal(version: $0, length: count) })
    begunCount = count
  }

  private func opened() throws(StoreError) -> PartialFile {
    if let file { return file }
    let path = library.folder.partial(imageID: imageID)
    throw StoreError(reason: .other, path: path, message: "it has been ended already")
  }
}

extension SQLiteLibrary {
  /// Gives an original its name and ties it to its image.
  ///
  /// Both happen in one transaction, so that no other process can delete a file as unreferred
  /// between the look at it and the row. The name is on the disk before the row is.
  func keep(
    _ file: PartialFile,
    of imageID: Int64,
    sha256: String,
    _ receipt: OriginalReceipt
  ) throws(StoreError) -> StoredOriginal {
    try makeFolders(for: sha256)
    return try write { db in
      var receipt = receipt
      receipt.info.format = try OriginalQueries.format(sha256: sha256, db) ?? receipt.info.format
      try OriginalQueries.checkExists(imageID: imageID, in: folder, db)
      try place(file, sha256: sha256, receipt.info.format)
      try OriginalQueries.store(receipt, sha256: sha256, imageID: imageID, db)
      guard let row = try OriginalQueries.file(imageID: imageID, db) else {
        throw DatabaseError(message: "a row that was just written is not there")
      }
      return StoredOriginal(row, in: folder)
    }
  }

  /// Names the file that has arrived; one of this content that is there may have been damaged since.
  private func place(_ file: PartialFile, sha256: String, _ format: ImageFormat) throws {
    let path = folder.original(sha256: sha256, fileExtension: format.fileExtension)
    try FileSystem.removeEmptyFolder(path)
    try FileSystem.move(file.path, to: path)
    try FileSystem.sync(folder: folder.originalsFolder(sha256: sha256))
  }

  private func makeFolders(for sha256: String) throws(StoreError) {
    try makeFolders([folder.originals], in: folder.path)
    try makeFolders([folder.originalsFolder(sha256: sha256)], in: folder.originals)
  }

  /// Makes folders that are on the disk when this returns: another process that made them may have been
  /// killed before that.
  func makeFolders(_ paths: [String], in parent: String) throws(StoreError) {
    let known = syncedFolders.withLock { $0 }
    let missing = paths.filter { !known.contains($0) }
    if missing.isEmpty { return }
    for path in missing { _ = try FileSystem.makeFolder(path) }
    try FileSystem.sync(folder: parent)
    syncedFolders.withLock { $0.formUnion(missing) }
  }
}

/// The note on an original's file, as an attribute of it (xattr(7)), of which image it is.
///
/// It is on the disk with the file's content, and so outlives a row that a power cut or a restored
/// database has taken. Of the address it has a hash only, since addresses can hold secrets and files are
/// copied with their attributes. A file system without attributes has no such notes.
struct OriginOfFile: Equatable {
  private static let name = "user.gallery.origin"
  private static let longest = 128

  let imageID: Int64
  private let addressHash: String

  init(imageID: Int64, address: WebAddress) throws(StoreError) {
    self.imageID = imageID
    addressHash = try Self.hash(address)
  }

  /// Nil for a file that has no such note.
  init?(ofFileAt path: String) {
    var text = [UInt8](repeating: 0, count: Self.longest)
    let count = clinux_attribute(path, Self.name, &text, text.count)
    guard count > 0 else { return nil }
    let words = String(decoding: text.prefix(count), as: UTF8.self).split(separator: " ")
    guard words.count == 2, let imageID = Int64(words[0]) else { return nil }
    self.imageID = imageID
    addressHash = String(words[1])
  }

  /// Whether it came from an address, in whatever spelling.
  func isOf(_ address: WebAddress) throws(StoreError) -> Bool {
    try addressHash == Self.hash(address)
  }

  /// Notes it on an open file; it lasts once the file is synced.
  func write(to file: Int32) {
    let text = Array("\(imageID) \(addressHash)".utf8)
    _ = clinux_set_attribute(file, Self.name, text, text.count)
  }

  private static func hash(_ address: WebAddress) throws(StoreError) -> String {
    try SHA256.digits(of: Array(address.identity.utf8), path: name)
  }
}
