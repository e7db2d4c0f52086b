/// How many images of a document are stored together: few at first, so that the first thumbnails are asked
/// for at once, then twice as many each time, so that there are always some to ask for while the next are
/// stored.
struct BatchLength {
  private(set) var images = SyncLimits.imagesInFirstBatch

  mutating func grow() { images = min(2 * images, SyncLimits.imagesPerBatch) }
}
