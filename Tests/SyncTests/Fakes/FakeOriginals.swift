import Models
import Workers

/// Fetches originals of one size as far as the budget allows, and records its requests.
final class FakeOriginals: OriginalFetching {
  private let bytes: Int
  private let failure: Failure?
  private let isNews: Bool
  private let state = Locked<[OriginalRequest]>([])

  /// Creates a fetcher of originals with `bytes` bytes, all of which fail if there is a failure.
  ///
  /// `isNews` says whether they differ from the stored ones.
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

  /// A sync shows nothing.
  func hold(_ path: String, for time: OriginalHoldTime) async -> Bool { true }

  /// A sync shows nothing.
  func letGo() async {}

  /// A sync does not record looks.
  func noteLook(at original: StoredOriginal) async {}

  /// No original is away.
  func bringBack(imageID: Int64) async {}

  /// A sync makes thumbnails itself.
  func makeThumbnail(imageID: Int64) async {}
}
