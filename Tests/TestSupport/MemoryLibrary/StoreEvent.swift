import FoundationEssentials
package import Models
package import Workers

/// A write to a library in memory.
package enum StoreEvent: Sendable, Equatable {
  /// A batch of a document, with the entry ids of the new images.
  case appended([String])
  case wroteMember(FeedMember)
  /// The end of a feed's documents, and whether they list everything.
  case finished(Validators, isWhole: Bool, Bool)
  case brokenOff(problem: String)
  case notedPage(WebAddress, leadsTo: WebAddress)
  case noted(Feed.Status, problem: String?, Validators?)
  /// Thumbnails of one transaction, by image.
  case storedThumbnails([Int64])
  /// Thumbnails that their servers confirmed as unchanged.
  case keptThumbnails([UnchangedPicture])
  case committed(imageID: Int64, [UInt8], OriginalReceipt)
  /// A partial original, and the length of the part that is kept.
  case suspended(imageID: Int64, length: Int)
  case discarded(imageID: Int64)
  /// An original that its server confirmed as unchanged.
  case renewed(UnchangedPicture)
  case flushed
}

/// A step at which a library in memory can fail.
package enum StoreStep: Sendable {
  case findFeed
  case makeWriter
  case findContents
  case append
  case endDocument
  case keepMember
  case finish
  case breakOff
  case noteSync
  case checkRoom
  case flush
  case lookForThumbnails
  case countThumbnails
  case findThumbnails
  case secondPageOfThumbnails
  case storeThumbnails
  case findDueThumbnails
  case countUnmade
  case findUnmade
  case storeMade
  case countOriginals
  case findOriginals
  case findDueOriginals
  case noteOriginals
  case openOriginalFile
  case findOriginal
  case makeRoom
  case resumeOriginal
  case restartOriginal
  case appendToOriginal
  case renewOriginal
  case commitOriginal
}
