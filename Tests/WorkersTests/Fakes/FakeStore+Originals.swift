import FoundationEssentials
import Models
import Workers

extension FakeStore {
  func declaredBytesOfOriginals(feedID: Int64) throws(StoreError) -> Int {
    let wanted = wanted(feedID) { $0.original == nil }
    return wanted.reduce(0) { $0 + ($1.image.bytes ?? 0) }
  }

  func renewOriginal(
    imageID: Int64,
    at address: WebAddress,
    validators: Validators,
    checkDate: Date
  ) throws(StoreError) -> StoredOriginal? {
    try attempt(.renewOriginal)
    record(.renewed(imageID: imageID, at: address, validators, checkDate: checkDate))
    var original = try original(imageID: imageID)
    original?.validators = validators
    original?.isStale = false
    return original
  }

  /// Keeps the first bytes of an original, as a try that broke off would have.
  func keepPartial(_ bytes: [UInt8], of version: OriginalVersion, imageID: Int64) {
    let partial = (KeptOriginal(version: version, length: bytes.count), bytes)
    state.withLock { $0.partials[imageID] = partial }
  }
}
