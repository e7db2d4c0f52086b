import FoundationEssentials
import Models
import Workers

extension FeedStoring {
  /// A writer that says nothing of how far a feed may lead.
  func writer(forFeedAt address: WebAddress, now: Date) throws(StoreError) -> any FeedWriting {
    try writer(forFeedAt: address, reach: nil, now: now)
  }
}
