import FoundationEssentials
import Models
import Workers

extension FeedWriting {
  /// Breaks off for another reason than that the feed has brought too much.
  func breakOff(problem: String) throws(StoreError) -> (feed: Feed?, counts: ImageCounts) {
    try breakOff(problem: problem, isExcess: false)
  }
}

extension FeedStoring {
  /// A writer that says nothing of how far a feed may lead.
  func writer(
    forFeedAt address: WebAddress,
    reach: FeedReach? = nil,
    now: Date
  ) throws(StoreError) -> any FeedWriting {
    try writer(forFeedAt: address, reach: reach, now: now, isDryRun: false)
  }

  /// A writer that only finds out what it would write.
  func trialWriter(
    forFeedAt address: WebAddress,
    reach: FeedReach? = nil
  ) throws(StoreError) -> any FeedWriting {
    try writer(forFeedAt: address, reach: reach, now: .second, isDryRun: true)
  }
}
