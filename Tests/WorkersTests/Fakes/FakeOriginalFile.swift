import Models
import Workers

/// An original that arrives in memory.
final class FakeOriginalFile: OriginalWriting {
  private let store: FakeStore
  private let imageID: Int64
  private var bytes: [UInt8] = []

  init(store: FakeStore, imageID: Int64) {
    self.store = store
    self.imageID = imageID
  }

  func append(_ bytes: [UInt8]) throws(StoreError) {
    try store.attempt(.appendToOriginal)
    self.bytes += bytes
  }

  func commit(
    info: PictureInfo,
    from address: WebAddress,
    validators: Validators
  ) throws(StoreError) -> StoredOriginal {
    try store.attempt(.commitOriginal)
    store.record(.committed(imageID: imageID, bytes, info, from: address, validators))
    let original = StoredOriginal.sample(imageID: imageID, info: info)
    store.keepOriginal(original, imageID: imageID)
    return original
  }

  func discard() { store.record(.discarded(imageID: imageID)) }
}
