package import FoundationEssentials
package import Models

/// What comparing a document with the stored images of its feed asks of a store.
///
/// Which image an entry means is decided by `FeedWriter`; a store looks up and writes. Images come in
/// batches, between which others may write; the feed's lock keeps others from writing images of the same feed.
package protocol DocumentStoring: Sendable {
  /// The feed that has an address, or had it before, removed or not; nil if it is missing.
  func documentFeed(at address: WebAddress) async throws(StoreError) -> DocumentFeed?

  /// Looks up stored images that entries may be.
  ///
  /// - Parameters:
  ///   - lookups: The entries, and what to look them up by.
  ///   - feedID: The feed.
  /// - Returns: For each entry what was found.
  /// - Throws: when the library cannot be read.
  func candidates(
    for lookups: [EntryLookup],
    feedID: Int64
  ) async throws(StoreError) -> [EntryCandidates]

  /// The lowest position of a feed's images above another; nil if it is missing.
  func position(above position: Int64, feedID: Int64) async throws(StoreError) -> Int64?

  /// A member of a collection as it was when it was last read; nil when it never was.
  func documentMember(at address: WebAddress, feedID: Int64) async throws(StoreError)
    -> DocumentMember?

  /// The images of a feed that are not among some, and not marked as gone yet.
  func images(missingFrom seen: IDSet, feedID: Int64) async throws(StoreError) -> [Int64]

  /// How a list of feeds differs from what it had when it was last read.
  ///
  /// - Parameters:
  ///   - addresses: The feeds that it has now, in order.
  ///   - isWhole: Whether the document was read without loss: else what is missing may still be there.
  ///   - feedID: The list; nil for one that is not known.
  /// - Returns: What is to be followed, what is new, and what is lost.
  /// - Throws: when the library cannot be read.
  func compareList(
    _ addresses: [WebAddress],
    isWhole: Bool,
    feedID: Int64?
  ) async throws(StoreError) -> ListedFeeds

  /// Writes a batch of a document in one transaction. A new feed becomes known with its first batch.
  func write(_ batch: DocumentBatch, to target: DocumentTarget) async throws(StoreError)
    -> WrittenBatch

  /// Remembers a member of a collection and its images; answers with the store's number for it.
  func write(
    _ member: FeedMember,
    position: Int,
    images: [Int64],
    feedID: Int64
  ) async throws(StoreError) -> Int64

  /// Ends a feed's documents in one transaction: marks what is gone, and stores what they and their server say of
  /// the feed.
  func finish(_ end: DocumentEnd, of target: DocumentTarget) async throws(StoreError) -> WrittenFeed

  /// Notes that a feed's documents broke off, and forgets its validators.
  ///
  /// - Parameters:
  ///   - problem: What happened, in words.
  ///   - isExcess: As in `FeedWriting`.
  ///   - target: The feed.
  /// - Returns: The feed as it is now; nil when no such feed is followed.
  /// - Throws: when the library cannot be written.
  func breakOff(
    problem: String,
    isExcess: Bool,
    of target: DocumentTarget
  ) async throws(StoreError) -> Feed?
}

/// The feed that a document is written for.
package struct DocumentTarget: Sendable {
  /// The address that was asked.
  package var address: WebAddress
  /// Nil until the feed is known.
  package var feedID: Int64?
  /// Whether something of the document was written; with the first of it a feed that was removed is followed again,
  /// and what its server has said is forgotten, so that a 304 does not stand for half a document.
  package var hasBegun = false
  /// How far its content may lead, stored with the first of it; nil leaves what there is.
  package var reach: FeedReach?
  /// The date of the sync.
  package var now: Date

  package init(address: WebAddress, reach: FeedReach?, now: Date) {
    self.address = address
    self.reach = reach
    self.now = now
  }
}

/// What is known of a feed before its document is compared with it.
package struct DocumentFeed: Sendable {
  package var feed: Feed
  /// Whether it is not followed; a document brings it back with its images.
  package var isRemoved: Bool
  /// The lowest position of its images; nil when it has none.
  package var lowestPosition: Int64?
  /// Whether some stored image of it is identified by its address alone.
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

/// A member of a collection, as a store has it.
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
  /// Nil when the document gives none, or uses it twice.
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

/// What a document changes of a stored image.
package enum ImageChange: Sendable {
  /// It says something else of it.
  case update(StoredImage, DocumentImage, PictureEffect)
  /// Servers are asked again about its pictures.
  case wake(Int64)
  case move(Int64, to: Int64)
  /// It gets the id of the entry that it was found in by its address.
  case adopt(Int64, by: EntryID)
  /// It loses the id of its entry, which the document uses twice.
  case disown(StoredImage)
}

/// A part of a document: what is written in one transaction.
package struct DocumentBatch: Sendable {
  package var changes: [ImageChange] = []
  package var added: [NewImage] = []
  /// How many images of the document came before it.
  package var imagesBefore = 0

  package init() {}

  package var isEmpty: Bool { changes.isEmpty && added.isEmpty }
}

package struct WrittenBatch: Sendable {
  package var feedID: Int64
  /// The ids of the images that were added, in their order.
  package var ids: [Int64]
  /// Bytes by which it has made the store larger.
  package var bytes: Int
  /// How many images the next batch should have at most, so that others need not wait for long.
  package var nextLength: Int

  package init(feedID: Int64, ids: [Int64], bytes: Int, nextLength: Int) {
    self.feedID = feedID
    self.ids = ids
    self.bytes = bytes
    self.nextLength = nextLength
  }
}

/// How the documents of a feed ended.
package struct DocumentEnd: Sendable {
  package var document: FeedDocument
  /// What the server said of the next time.
  package var answer: FeedAnswer
  package var counts: ImageCounts
  /// The images that the documents have.
  package var seen: IDSet
  /// Those that are gone since.
  package var gone: [Int64]
  /// The members that a collection has, in their order.
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

/// A feed whose documents have been written to their end.
package struct WrittenFeed: Sendable, Equatable {
  /// The feed as it is in the library.
  package var feed: Feed
  /// What its documents did.
  package var counts: ImageCounts
  package var move: FeedMove?
  /// What has become of it when it is a list of feeds; nil for every other feed.
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

/// What a document did to the images of its feed.
package struct ImageCounts: Sendable, Equatable {
  /// Images in the document.
  package var total: Int
  package var new: Int
  /// Known images with a field that differs.
  package var changed: Int
  /// Images that the feed, which lists everything it has, no longer lists.
  package var gone: Int

  package init(total: Int = 0, new: Int = 0, changed: Int = 0, gone: Int = 0) {
    self.total = total
    self.new = new
    self.changed = changed
    self.gone = gone
  }
}
