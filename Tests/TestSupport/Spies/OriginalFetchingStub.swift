package import Workers

/// Brings the original that it was given, and notes what it is asked for.
package final class OriginalFetchingStub: OriginalFetching {
  /// How much has arrived, and of how much.
  package typealias Step = (received: Int, total: Int?)

  package var requests: [OriginalRequest] { recorded.withLock { $0 } }
  /// The images that a thumbnail was asked for.
  package var thumbnailIDs: [Int64] { made.withLock { $0 } }
  private let recorded = Locked<[OriginalRequest]>([])
  private let made = Locked<[Int64]>([])
  /// The originals that were looked at.
  package var looks: [StoredOriginal] { looked.withLock { $0 } }
  private let looked = Locked<[StoredOriginal]>([])
  private let steps: [Step]
  private let partial: PictureSource?
  private let result: Result<FetchedOriginal, Failure>?

  /// Takes the progress it tells, what has come by then and how it ends; without a result it goes on
  /// until it is stopped.
  package init(
    steps: [Step] = [],
    partial: PictureSource? = nil,
    _ result: Result<FetchedOriginal, Failure>?
  ) {
    self.steps = steps
    self.partial = partial
    self.result = result
  }

  package func fetch(
    _ request: OriginalRequest,
    progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    recorded.withLock { $0.append(request) }
    for step in steps {
      progress(OriginalProgress(received: step.received, total: step.total, partial: partial))
    }
    guard let result else { throw await failureOnceCancelled() }
    return try result.get()
  }

  package func noteLook(at original: StoredOriginal) async {
    looked.withLock { $0.append(original) }
  }

  /// Nothing is away.
  package func bringBack(imageID: Int64) async {}

  package func makeThumbnail(imageID: Int64) async {
    made.withLock { $0.append(imageID) }
  }

  /// A stream that nobody feeds ends when its reader's task is cancelled.
  private func failureOnceCancelled() async -> Failure {
    let (silence, teller) = AsyncStream.makeStream(of: Never.self)
    for await _ in silence {}
    teller.finish()
    return .interrupted
  }
}
