package import Workers

/// Returns the given original, and records the requests.
package final class OriginalFetchingStub: OriginalFetching {
  /// The number of bytes that have arrived, and the total.
  package typealias Step = (received: Int, total: Int?)

  package var requests: [OriginalRequest] { recorded.withLock { $0 } }
  /// The images for which a thumbnail was requested.
  package var thumbnailIDs: [Int64] { made.withLock { $0 } }
  private let recorded = Locked<[OriginalRequest]>([])
  private let made = Locked<[Int64]>([])
  /// The originals whose looks were recorded.
  package var looks: [StoredOriginal] { looked.withLock { $0 } }
  private let looked = Locked<[StoredOriginal]>([])
  /// The files that were held, each with the time for which it stays, or nil where one was let go.
  package var holds: [OriginalHoldTime?] { held.withLock { $0 } }
  private let held = Locked<[OriginalHoldTime?]>([])
  /// Whether the first file that is held is missing, because it has just given way.
  private let hasLostFirst: Bool
  private let steps: [Step]
  private let partial: PictureSource?
  private let wait: NetworkWaits.Wait?
  private let result: Result<FetchedOriginal, Failure>?

  /// Creates a stub with the pause before it, its progress, its partial picture and its result.
  ///
  /// Without a result, a fetch continues until it is stopped.
  package init(
    steps: [Step] = [],
    partial: PictureSource? = nil,
    hasLostFirst: Bool = false,
    wait: NetworkWaits.Wait? = nil,
    _ result: Result<FetchedOriginal, Failure>?
  ) {
    self.hasLostFirst = hasLostFirst
    self.steps = steps
    self.partial = partial
    self.wait = wait
    self.result = result
  }

  package func fetch(
    _ request: OriginalRequest,
    progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    var plain = request
    plain.waits = nil
    recorded.withLock { [plain] in $0.append(plain) }
    if let wait { request.waits?.note(wait) }
    for step in steps {
      progress(OriginalProgress(received: step.received, total: step.total, partial: partial))
    }
    guard let result else { throw await failureOnceCancelled() }
    return try result.get()
  }

  package func noteLook(at original: StoredOriginal) async {
    looked.withLock { $0.append(original) }
  }

  package func hold(_ path: String, for time: OriginalHoldTime) async -> Bool {
    held.withLock { held in
      held.append(time)
      return !hasLostFirst || held.count { $0 != nil } > 1
    }
  }

  package func letGo() async { held.withLock { $0.append(nil) } }

  /// No original is away.
  package func bringBack(imageID: Int64) async {}

  package func makeThumbnail(imageID: Int64) async {
    made.withLock { $0.append(imageID) }
  }

  /// A stream without elements ends only when its reader's task is cancelled.
  private func failureOnceCancelled() async -> Failure {
    let (silence, teller) = AsyncStream.makeStream(of: Never.self)
    for await _ in silence {}
    teller.finish()
    return .interrupted
  }
}
