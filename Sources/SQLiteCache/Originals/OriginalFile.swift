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
  /// What the bytes belong to; nil before they have been gone on from or begun.
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
    // A note without its file is no harm: the next one to fetch the image takes it for nothing.
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
    // What cannot be taken away now is gone on from or replaced by the next one to fetch the image.
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
