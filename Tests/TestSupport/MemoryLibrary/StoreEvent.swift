import FoundationEssentials
package import Models
package import Workers

/// Something that was written to a library in memory.
package enum StoreEvent: Sendable, Equatable {
  /// A batch of a document: the new images by their entries' ids.
  case appended([String])
  case wroteMember(FeedMember)
  /// The end of a feed's documents, and whether they list everything.
  case finished(Validators, isWhole: Bool, Bool)
  case brokenOff(problem: String)
  case notedPage(WebAddress, leadsTo: WebAddress)
  case noted(Feed.Status, problem: String?, Validators?)
  /// Thumbnails in one transaction, by image.
  case storedThumbnails([Int64])
  /// Thumbnails that were asked about and are unchanged.
  case keptThumbnails([UnchangedPicture])
  case committed(imageID: Int64, [UInt8], OriginalReceipt)
  /// An original that has not arrived whole, and the length of the part that is kept.
  case suspended(imageID: Int64, length: Int)
  case discarded(imageID: Int64)
  /// An original that was asked about and is unchanged.
  case renewed(UnchangedPicture)
  case flushed
}

/// A step that a library in memory can be told to fail at.
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
