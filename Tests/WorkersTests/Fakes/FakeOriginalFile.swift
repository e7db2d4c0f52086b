import Models
import Workers

/// An original that arrives in memory; what is kept of it is kept in the fake store.
final class FakeOriginalFile: OriginalWriting {
  let kept: KeptOriginal?
  private let store: FakeStore
  private let imageID: Int64
  private var version: OriginalVersion?
  private var bytes: [UInt8] = []
  private var isEnded = false

  init(store: FakeStore, imageID: Int64) {
    self.store = store
    self.imageID = imageID
    kept = store.state.withLock { $0.partials[imageID]?.kept }
  }

  var path: String { Self.path(imageID: imageID) }

  static func path(imageID: Int64) -> String { "/partial/\(imageID)" }

  var sha256: String { Self.sha256(of: bytes) }

  /// What stands for a hash among fakes.
  static func sha256(of bytes: [UInt8]) -> String { "hash of \(bytes)" }

  func resume(_ body: ([UInt8]) -> Void) throws(StoreError) {
    try store.attempt(.resumeOriginal)
    guard let partial = store.state.withLock({ [imageID] in $0.partials[imageID] }) else { return }
    bytes = Array(partial.bytes.prefix(partial.kept.length))
    version = partial.kept.version
    for byte in bytes { body([byte]) }
  }

  func restart(_ version: OriginalVersion) throws(StoreError) {
    try store.attempt(.restartOriginal)
    store.state.withLock { [imageID] in $0.partials[imageID] = nil }
    self.version = version
    bytes = []
  }

  func append(_ bytes: [UInt8]) throws(StoreError) {
    try store.attempt(.appendToOriginal)
    self.bytes += bytes
  }

  func checkRoom(for bytes: Int) throws(StoreError) { try store.attempt(.checkRoomOfOriginal) }

  func commit(_ receipt: OriginalReceipt) throws(StoreError) -> StoredOriginal {
    try store.attempt(.commitOriginal)
    store.record(.committed(imageID: imageID, bytes, receipt))
    let original = StoredOriginal.sample(imageID: imageID, info: receipt.info)
    store.keepOriginal(original, imageID: imageID)
    store.state.withLock { [imageID] in $0.partials[imageID] = nil }
    return original
  }

  func suspend() {
    guard !isEnded else { return }
    isEnded = true
    if let version, version.rangeValidator != nil, !bytes.isEmpty {
      let partial = (KeptOriginal(version: version, length: bytes.count), bytes)
      store.state.withLock { [imageID] in $0.partials[imageID] = partial }
    }
    let length = store.state.withLock { [imageID] in $0.partials[imageID]?.kept.length ?? 0 }
    store.record(.suspended(imageID: imageID, length: length))
  }

  func discard() {
    guard !isEnded else { return }
    isEnded = true
    store.state.withLock { [imageID] in $0.partials[imageID] = nil }
    store.record(.discarded(imageID: imageID))
  }
}
