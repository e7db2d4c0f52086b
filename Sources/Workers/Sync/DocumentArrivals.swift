/// Tells whoever fetches a feed's thumbnails how much of its documents is stored while they are still
/// being read.
final class DocumentArrivals: Sendable {
  /// Comes when there are as many more images as the first batch has, once for all that have come since it was
  /// looked at last; ends with the documents.
  let news: AsyncStream<Void>
  private let teller: AsyncStream<Void>.Continuation
  private let untold = Locked(0)

  init() { (news, teller) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Notes images that were stored.
  func stored(_ number: Int) {
    let isNews = untold.withLock { untold in
      untold += number
      guard untold >= SyncLimits.imagesInFirstBatch else { return false }
      untold = 0
      return true
    }
    if isNews { teller.yield() }
  }

  /// Notes that no more is read.
  func end() { teller.finish() }
}
