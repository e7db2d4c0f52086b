import FoundationEssentials
import Models
import Workers

/// Something that was written to a fake store.
enum StoreEvent: Sendable, Equatable {
  /// Images by name.
  case appended([String])
  /// The end of one document of several.
  case endedDocument(FeedMember?)
  case restartedDocument
  case keptMember(WebAddress)
  /// The end of a feed's documents, and whether they list everything.
  case finished(Validators, isWhole: Bool, Bool)
  case brokenOff(problem: String)
  case notedPage(WebAddress, leadsTo: WebAddress)
  case noted(Feed.Status, problem: String?, Validators?)
  /// Thumbnails in one transaction, by image.
  case storedThumbnails([Int64])
  /// Thumbnails that were asked about and are as stored.
  case keptThumbnails([UnchangedThumbnail])
  case committed(imageID: Int64, [UInt8], OriginalReceipt)
  /// An original that has not arrived whole, and how much of it is kept.
  case suspended(imageID: Int64, length: Int)
  case discarded(imageID: Int64)
  case renewed(imageID: Int64, at: WebAddress, Validators, checkDate: Date)
  case preparedFlush
  case flushed
}
