import FoundationEssentials
import Models
import Sync
import Workers

@testable import SQLiteCache

extension FeedWriter {
  /// Breaks off for another reason than that the feed has brought too much.
  func breakOff(problem: String) async throws(StoreError) -> (feed: Feed?, counts: ImageCounts) {
    try await breakOff(problem: problem, isExcess: false)
  }
}

extension SQLiteLibrary {
  /// A writer that says nothing of how far a feed may lead.
  func writer(forFeedAt address: WebAddress, reach: FeedReach? = nil, now: Date) -> FeedWriter {
    FeedWriter(self, feedAt: address, reach: reach, now: now)
  }

  /// A writer that only finds out what it would write.
  func trialWriter(forFeedAt address: WebAddress, reach: FeedReach? = nil) -> FeedWriter {
    FeedWriter(self, feedAt: address, reach: reach, now: .second, isDryRun: true)
  }

  /// All images that a query asks for.
  func images(matching query: ImageQuery) async throws(StoreError) -> [WebImage] {
    try await images(ids: imageIDs(matching: query))
  }
}
