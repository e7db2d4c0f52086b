/// How many images of a document are stored together: few at first, so that the first thumbnails are asked
/// for at once, then twice as many each time, so that there are always some to ask for while the next are
/// stored.
struct BatchLength {
  private(set) var images = SyncLimits.imagesInFirstBatch
  private var total = 0

  mutating func grow() {
    total += images
    let isLate = total >= SyncLimits.imagesBeforeLateBatches
    images = min(2 * images, isLate ? SyncLimits.imagesPerLateBatch : SyncLimits.imagesPerBatch)
  }
}
