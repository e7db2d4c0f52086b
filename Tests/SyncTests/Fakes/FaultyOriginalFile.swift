import Models
import Workers

@testable import LibraryFiles

/// An original that arrives in a library that fails at given steps; it records what becomes of it.
final class FaultyOriginalFile: OriginalWriting {
  private let file: any OriginalWriting
  private let imageID: Int64
  private let library: FaultyLibrary
  private var bytes: [UInt8] = []
  private var isEnded = false

  init(_ file: any OriginalWriting, imageID: Int64, of library: FaultyLibrary) {
    (self.file, self.imageID, self.library) = (file, imageID, library)
  }

  var path: String { file.path }
  var kept: KeptOriginal? { file.kept }
  var sha256: String { file.sha256 }

  func makeRoom(
    for bytes: Int,
    of total: Int?,
    purpose: OriginalPurpose
  ) async throws(StoreError) -> Int {
    try await file.makeRoom(for: bytes, of: total, purpose: purpose)
  }

  func resume(_ body: ([UInt8]) -> Void) async throws(StoreError) {
    try library.attempt(.resumeOriginal)
    try await file.resume { piece in
      bytes += piece
      body(piece)
    }
  }

  func restart(_ version: OriginalVersion) async throws(StoreError) {
    try library.attempt(.restartOriginal)
    try await file.restart(version)
    bytes = []
  }

  func append(_ bytes: [UInt8]) async throws(StoreError) {
    try library.attempt(.appendToOriginal)
    try await file.append(bytes)
    self.bytes += bytes
  }

  func commit(_ receipt: OriginalReceipt) async throws(StoreError) -> StoredOriginal {
    try library.attempt(.commitOriginal)
    let original = try await file.commit(receipt)
    library.record(.committed(imageID: imageID, bytes, receipt))
    return original
  }

  func suspend() async {
    guard !isEnded else { return }
    isEnded = true
    await file.suspend()
    let length = library.partialNote(imageID: imageID).read()?.length ?? 0
    library.record(.suspended(imageID: imageID, length: length))
  }

  func discard() async {
    guard !isEnded else { return }
    isEnded = true
    await file.discard()
    library.record(.discarded(imageID: imageID))
  }
}

extension FaultyLibrary {
  /// The note beside the partial original of an image.
  func partialNote(imageID: Int64) -> PartialNote {
    let folder = LibraryFolder(path)
    return PartialNote(path: folder.note(imageID: imageID), folder: folder.partial)
  }

  /// The partial original of an image.
  func partial(imageID: Int64) -> String { LibraryFolder(path).partial(imageID: imageID) }
}
