import Models
import Workers

/// Fetches originals of one size each as far as the budget goes, and notes what it is asked for.
final class FakeOriginals: OriginalFetching {
  private let bytes: Int
  private let failure: Failure?
  private let isNews: Bool
  private let state = Locked<[OriginalRequest]>([])

  /// Takes how large they are, how all of them fail, and whether they are others than the stored ones.
  init(bytes: Int = 10, failure: Failure? = nil, isNews: Bool = true) {
    self.bytes = bytes
    self.failure = failure
    self.isNews = isNews
  }

  var requests: [OriginalRequest] { state.withLock { $0 } }

  func fetch(
    _ request: OriginalRequest,
    progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    state.withLock { $0.append(request) }
    guard request.budget?.take(bytes) != false else { throw .overBudget }
    progress(OriginalProgress(received: bytes, total: bytes))
    if let failure { throw failure }
    return FetchedOriginal(
      original: .sample(imageID: request.imageID),
      wasDownloaded: isNews,
      wireBytes: bytes
    )
  }

  /// A sync looks at nothing.
  func noteLook(at original: StoredOriginal) async {}

  /// Nothing is away.
  func bringBack(imageID: Int64) async {}

  /// A sync makes thumbnails itself.
  func makeThumbnail(imageID: Int64) async {}
}
