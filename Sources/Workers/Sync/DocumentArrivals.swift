/// Tells whoever fetches a feed's thumbnails how much of its documents is stored while they are still
/// being read.
final class DocumentArrivals: Sendable {
  /// Comes with the first batch of images, and then when there are as many more as one has, once for all
  /// that have come since it was looked at last; ends with the documents.
  let news: AsyncStream<Void>
  private let teller: AsyncStream<Void>.Continuation
  private let untold = Locked((images: 0, enough: SyncLimits.imagesInFirstBatch))

  init() { (news, teller) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Notes images that were stored.
  func stored(_ number: Int) {
    let isNews = untold.withLock { untold in
      untold.images += number
      guard untold.images >= untold.enough else { return false }
      untold = (0, SyncLimits.imagesPerBatch)
      return true
    }
    if isNews { teller.yield() }
  }

  /// Notes that no more is read.
  func end() { teller.finish() }
}
