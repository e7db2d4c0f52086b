package import FoundationEssentials
package import Models

/// The queries and writes by which a document is compared with the stored images of its feed.
///
/// `FeedWriter` decides which image an entry is; a store only looks up and writes. Images come in batches, and other
/// processes may write between two batches. The feed's lock prevents them from writing images of the same feed.
package protocol DocumentStoring: Sendable {
  /// The feed with this present or former address, removed or not; nil if it is missing.
  func documentFeed(at address: WebAddress) async throws(StoreError) -> DocumentFeed?

  /// Looks up stored images that entries may be.
  ///
  /// - Parameters:
  ///   - lookups: The entries, with the keys to look up.
  ///   - feedID: The feed.
  /// - Returns: The stored images for each entry.
  /// - Throws: when the library cannot be read.
  func candidates(
    for lookups: [EntryLookup],
    feedID: Int64
  ) async throws(StoreError) -> [EntryCandidates]

  /// The lowest position above another in a feed; nil if it is missing.
  func position(above position: Int64, feedID: Int64) async throws(StoreError) -> Int64?

  /// A member of a collection in its state after the last read; nil if it was never read.
  func documentMember(at address: WebAddress, feedID: Int64) async throws(StoreError)
    -> DocumentMember?

  /// The images of a feed that are not in a set, and not marked as gone yet.
  func images(missingFrom seen: IDSet, feedID: Int64) async throws(StoreError) -> [Int64]

  /// Compares a list of feeds with its state after the last read.
  ///
  /// - Parameters:
  ///   - addresses: The feeds in the list now, in order.
  ///   - isWhole: Whether the document was read without loss; if not, missing feeds may still be in it.
  ///   - feedID: The list; nil for an unknown one.
  /// - Returns: The feeds to follow, and the differences.
  /// - Throws: when the library cannot be read.
  func compareList(
    _ addresses: [WebAddress],
    isWhole: Bool,
    feedID: Int64?
  ) async throws(StoreError) -> ListedFeeds

  /// Writes a batch of a document in one transaction, or in several short ones; the first batch of a new feed adds the
  /// feed.
  func write(_ batch: DocumentBatch, to target: DocumentTarget) async throws(StoreError)
    -> WrittenBatch

  /// Stores a member of a collection and its images, and returns the store's number for it.
  func write(
    _ member: FeedMember,
    position: Int,
    images: [Int64],
    feedID: Int64
  ) async throws(StoreError) -> Int64

  /// Ends the writing of a feed's documents.
  ///
  /// It marks images that are gone, in several transactions if they are many, and stores what the documents and their
  /// server state about the feed.
  func finish(_ end: DocumentEnd, of target: DocumentTarget) async throws(StoreError) -> WrittenFeed

  /// The files of a folder that is a feed, as its last syncs have read them.
  func folderOriginals(feedID: Int64) async throws(StoreError) -> [FolderOriginal]

  /// Records the files that were read as the originals of their images, which the folder's document has by now.
  ///
  /// Thumbnails that were made from other bytes are made again.
  func note(_ originals: [FolderOriginal], feedID: Int64) async throws(StoreError)

  /// Records that the files of images are not in their folder any more.
  func forgetFolderOriginals(ofImages ids: [Int64]) async throws(StoreError)

  /// Records that reading a feed's documents was cut off, and deletes its validators.
  ///
  /// - Parameters:
  ///   - problem: The reason, in words.
  ///   - isExcess: As in `FeedWriting`.
  ///   - target: The feed.
  /// - Returns: The feed as it is now; nil when it is not followed.
  /// - Throws: when the library cannot be written.
  func breakOff(
    problem: String,
    isExcess: Bool,
    of target: DocumentTarget
  ) async throws(StoreError) -> Feed?
}

/// The feed to which a document is written.
package struct DocumentTarget: Sendable {
  /// The address that was requested.
  package var address: WebAddress
  /// Nil until the feed is known.
  package var feedID: Int64?
  /// Whether a part of the document was written.
  ///
  /// The first part follows a removed feed again. It also deletes the validators, so that a 304 does not confirm half a
  /// document.
  package var hasBegun = false
  /// The reach of its content, stored with the first part of the document; nil keeps the stored reach.
  package var reach: FeedReach?
  /// The date of the sync.
  package var now: Date

  package init(address: WebAddress, reach: FeedReach?, now: Date) {
    self.address = address
    self.reach = reach
    self.now = now
  }
}

/// The stored facts about a feed that its document is compared with.
package struct DocumentFeed: Sendable {
  package var feed: Feed
  /// Whether the feed was removed; a document restores it with its images.
  package var isRemoved: Bool
  /// The lowest position of its images; nil when it does not have any.
  package var lowestPosition: Int64?
  /// Whether a stored image of the feed is identified by its address alone.
  package var hasImagesWithoutEntryID: Bool

  package init(
    _ feed: Feed,
    isRemoved: Bool,
    lowestPosition: Int64?,
    hasImagesWithoutEntryID: Bool
  ) {
    self.feed = feed
    self.isRemoved = isRemoved
    self.lowestPosition = lowestPosition
    self.hasImagesWithoutEntryID = hasImagesWithoutEntryID
  }
}

/// A stored member of a collection.
package struct DocumentMember: Sendable {
  /// The store's number for it.
  package var id: Int64
  package var images: [Int64]

  package init(id: Int64, images: [Int64]) {
    self.id = id
    self.images = images
  }
}

/// An image that a document adds.
package struct NewImage: Sendable {
  package var image: DocumentImage
  /// Nil when the document does not give an id, or uses it twice.
  package var entryID: EntryID?
  /// Whether the document uses its entry's id twice.
  package var isAmbiguous: Bool
  package var position: Int64
  /// The position of the image before it in the document; nil at its top.
  package var positionBefore: Int64?

  package init(
    image: DocumentImage,
    entryID: EntryID?,
    isAmbiguous: Bool,
    position: Int64,
    positionBefore: Int64?
  ) {
    self.image = image
    self.entryID = entryID
    self.isAmbiguous = isAmbiguous
    self.position = position
    self.positionBefore = positionBefore
  }
}

/// A change of a stored image by a document.
package enum ImageChange: Sendable {
  /// The fields in the document differ.
  case update(StoredImage, DocumentImage, PictureEffect)
  /// The document names these other renditions of an image whose thumbnail is missing; its fields may be the same.
  case renditions([String], of: Int64)
  /// The image's pictures are checked with their servers again.
  case wake(Int64)
  case move(Int64, to: Int64)
  /// The image gets the id of the entry in which it was found, in place of another id or none.
  case adopt(Int64, by: EntryID)
  /// The image loses its entry's id, because the document uses the id twice.
  case disown(StoredImage)

  /// The bytes of texts that are taken out of the indexes and put into them.
  var textBytes: Int {
    guard case .update(let stored, let image, _) = self else { return 0 }
    return stored.fields.textBytes + image.fields.textBytes
  }
}

/// A part of a document that is written in one transaction, or in several when its texts are long.
package struct DocumentBatch: Sendable {
  package var changes: [ImageChange] = []
  package var added: [NewImage] = []
  /// The number of the document's images before this batch.
  package var imagesBefore = 0

  package init() {}

  package var isEmpty: Bool { changes.isEmpty && added.isEmpty }

  /// The batch in parts for one transaction each, in its order: an entry may have thousands of images with long texts.
  ///
  /// - Parameter limit: The most bytes of texts that a part writes, unless it has one image only.
  /// - Returns: At least one part.
  package func parts(ofTextBytes limit: Int) -> [DocumentBatch] {
    var parts: [DocumentBatch] = []
    var (part, bytes) = (DocumentBatch(), 0)
    part.imagesBefore = imagesBefore
    func begin(_ more: Int) {
      bytes = bytes.adding(more)
      guard bytes > limit, !part.isEmpty else { return }
      parts.append(part)
      (part.changes, part.added, bytes) = ([], [], more)
    }
    for change in changes {
      begin(change.textBytes)
      part.changes.append(change)
    }
    for image in added {
      begin(image.image.fields.textBytes)
      part.added.append(image)
    }
    return parts + [part]
  }
}

package struct WrittenBatch: Sendable {
  package var feedID: Int64
  /// The ids of the added images, in their order.
  package var ids: [Int64]
  /// The number of bytes by which the batch has made the store larger.
  package var bytes: Int
  /// The largest next batch in images, so that other processes do not wait for long.
  package var nextLength: Int

  package init(feedID: Int64, ids: [Int64], bytes: Int, nextLength: Int) {
    self.feedID = feedID
    self.ids = ids
    self.bytes = bytes
    self.nextLength = nextLength
  }
}

/// The result of reading a feed's documents to their end.
package struct DocumentEnd: Sendable {
  package var document: FeedDocument
  /// The server's answer, for the next request.
  package var answer: FeedAnswer
  package var counts: ImageCounts
  /// The images in the documents.
  package var seen: IDSet
  /// The images that are gone now.
  package var gone: [Int64]
  /// The members of a collection, in their order.
  package var members: [Int64]
  /// Whether every page was read.
  package var isWhole: Bool

  package init(
    document: FeedDocument,
    answer: FeedAnswer,
    counts: ImageCounts,
    seen: IDSet,
    gone: [Int64],
    members: [Int64],
    isWhole: Bool
  ) {
    self.document = document
    self.answer = answer
    self.counts = counts
    self.seen = seen
    self.gone = gone
    self.members = members
    self.isWhole = isWhole
  }
}

/// A feed whose documents have been written completely.
package struct WrittenFeed: Sendable, Equatable {
  /// The feed as it is stored.
  package var feed: Feed
  /// The numbers of images that its documents have changed.
  package var counts: ImageCounts
  package var move: FeedMove?
  /// The result for a list of feeds; nil for any other feed.
  package var list: ListedFeeds?

  package init(
    feed: Feed,
    counts: ImageCounts,
    move: FeedMove? = nil,
    list: ListedFeeds? = nil
  ) {
    self.feed = feed
    self.counts = counts
    self.move = move
    self.list = list
  }
}

/// The numbers of a feed's images that a document has added and changed.
package struct ImageCounts: Sendable, Equatable {
  /// Images in the document.
  package var total: Int
  package var new: Int
  /// Known images with a field that differs.
  package var changed: Int
  /// Images that are missing in a feed which lists all of its images.
  package var gone: Int

  package init(total: Int = 0, new: Int = 0, changed: Int = 0, gone: Int = 0) {
    self.total = total
    self.new = new
    self.changed = changed
    self.gone = gone
  }
}
