import FoundationEssentials
import Models
import Sync
import Workers

extension FeedWriter {
  /// Breaks off, but not because the feed has exceeded a limit.
  func breakOff(problem: String) async throws(StoreError) -> (feed: Feed?, counts: ImageCounts) {
    try await breakOff(problem: problem, isExcess: false)
  }
}

extension DocumentStoring {
  /// A writer without a limit of the feed's reach, unless one is given.
  func writer(forFeedAt address: WebAddress, reach: FeedReach? = nil, now: Date) -> FeedWriter {
    FeedWriter(self, feedAt: address, reach: reach, now: now)
  }

  /// A writer that only computes what it would write.
  func trialWriter(forFeedAt address: WebAddress, reach: FeedReach? = nil) -> FeedWriter {
    FeedWriter(self, feedAt: address, reach: reach, now: .second, isDryRun: true)
  }
}

extension LibraryReading {
  /// All images that a query finds.
  func images(matching query: ImageQuery) async throws(StoreError) -> [WebImage] {
    try await images(ids: imageIDs(matching: query))
  }
}
