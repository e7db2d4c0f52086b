import Models
package import Workers

/// An original that arrives in memory; its library keeps the partial file.
package final class MemoryOriginalFile: OriginalWriting {
  package let kept: KeptOriginal?
  private let library: MemoryLibrary
  private let imageID: Int64
  private var version: OriginalVersion?
  private var bytes: [UInt8] = []
  private var isEnded = false

  init(library: MemoryLibrary, imageID: Int64) {
    self.library = library
    self.imageID = imageID
    kept = library.state.withLock { $0.partials[imageID]?.kept }
  }

  package var path: String { Self.path(imageID: imageID) }

  package static func path(imageID: Int64) -> String { "/partial/\(imageID)" }

  package var sha256: String { Self.sha256(of: bytes) }

  /// A text in place of a hash.
  package static func sha256(of bytes: [UInt8]) -> String { "hash of \(bytes)" }

  /// A library in memory has no bound.
  package func makeRoom(for bytes: Int, of total: Int?, isAhead: Bool) throws(StoreError) -> Int {
    try library.attempt(.makeRoom)
    return .max
  }

  package func resume(_ body: ([UInt8]) -> Void) throws(StoreError) {
    try library.attempt(.resumeOriginal)
    guard let partial = library.state.withLock({ [imageID] in $0.partials[imageID] }) else {
      return
    }
    bytes = Array(partial.bytes.prefix(partial.kept.length))
    version = partial.kept.version
    for byte in bytes { body([byte]) }
  }

  package func restart(_ version: OriginalVersion) throws(StoreError) {
    try library.attempt(.restartOriginal)
    library.state.withLock { [imageID] in $0.partials[imageID] = nil }
    self.version = version
    bytes = []
  }

  package func append(_ bytes: [UInt8]) throws(StoreError) {
    try library.attempt(.appendToOriginal)
    self.bytes += bytes
  }

  package func commit(_ receipt: OriginalReceipt) throws(StoreError) -> StoredOriginal {
    try library.attempt(.commitOriginal)
    library.record(.committed(imageID: imageID, bytes, receipt))
    let original = StoredOriginal(
      path: "/originals/\(imageID)",
      sha256: "00ff",
      info: receipt.info,
      isStale: false
    )
    library.keepOriginal(original, imageID: imageID)
    library.state.withLock { [imageID] in $0.partials[imageID] = nil }
    return original
  }

  package func suspend() {
    guard !isEnded else { return }
    isEnded = true
    if let version, version.rangeValidator != nil, !bytes.isEmpty {
      let partial = (KeptOriginal(version: version, length: bytes.count), bytes)
      library.state.withLock { [imageID] in $0.partials[imageID] = partial }
    }
    let length = library.state.withLock { [imageID] in $0.partials[imageID]?.kept.length ?? 0 }
    library.record(.suspended(imageID: imageID, length: length))
  }

  package func discard() {
    guard !isEnded else { return }
    isEnded = true
    library.state.withLock { [imageID] in $0.partials[imageID] = nil }
    library.record(.discarded(imageID: imageID))
  }
}
