package import Models

/// Writes the documents of one feed, batch by batch, in the task that made it.
///
/// Each batch is a transaction of its own, so that an interruption keeps whole images only.
package protocol FeedWriting: AnyObject {
  /// What the documents have done so far.
  var counts: ImageCounts { get }

  /// Bytes by which they have made the database larger so far.
  var storedBytes: Int { get }

  /// The ids of the images that were added so far, in rising order; each transaction adds one range at
  /// most, so that a long document has few.
  var newIDs: [ClosedRange<Int64>] { get }

  /// What the documents want fetched that was not wanted before; filled by a dry run alone.
  var wanted: WantedPictures { get }

  /// Compares entries with what is stored, and writes what is new or changed.
  ///
  /// The feed itself becomes known with its first image.
  func append(_ entries: [FeedEntry]) throws(StoreError)

  /// Ends one document of several.
  ///
  /// - Parameter member: The member of a collection that it was, remembered together with what to
  ///   ask it with and its images; nil for a page of a feed.
  /// - Throws: when the library cannot be written.
  func endDocument(member: FeedMember?) throws(StoreError)

  /// Forgets what was read since the last document ended, which broke off and is read again.
  ///
  /// What was written of it stays, and is found again by the next reading.
  ///
  /// - Throws: when the library cannot be written.
  func restartDocument() throws(StoreError)

  /// Counts the images of a member that has not changed as listed.
  ///
  /// - Parameter address: The member.
  /// - Throws: when the library cannot be read.
  func keepMember(at address: WebAddress) throws(StoreError)

  /// Ends the feed: what identified nothing, what is gone, title, format, validators and a new
  /// address, in the transaction that ends the last batch.
  ///
  /// - Parameters:
  ///   - document: What the documents say of the feed.
  ///   - answer: What the server said of the next time.
  ///   - isWhole: Whether every page was read, up to where all was known already.
  /// - Returns: The feed as it is now, what its documents did, and whether it has moved.
  /// - Throws: when the library cannot be written; nothing of the end is stored then.
  func finish(
    _ document: FeedDocument,
    answer: FeedAnswer,
    isWhole: Bool
  ) throws(StoreError) -> WrittenFeed

  /// Ends a document that broke off: keeps what was appended, notes the problem, and forgets the
  /// validators.
  ///
  /// - Parameters:
  ///   - problem: What happened, in words.
  ///   - isExcess: Whether it has brought more than it may: then a sync of every feed asks for it later each
  ///     time (`FailureExpiry`).
  /// - Returns: The feed as it is now, nil when nothing of it was stored; and what was read of it.
  /// - Throws: when the library cannot be written.
  func breakOff(
    problem: String,
    isExcess: Bool
  ) throws(StoreError) -> (feed: Feed?, counts: ImageCounts)
}

/// How many pictures a document wants fetched that were not wanted before.
package struct WantedPictures: Sendable, Equatable {
  /// Those that the feed names, and those that are made.
  package var thumbnails: Int
  package var originals: Int
  /// Bytes of the originals, as far as the feed declares them.
  package var originalBytes: Int

  package init(thumbnails: Int = 0, originals: Int = 0, originalBytes: Int = 0) {
    self.thumbnails = thumbnails
    self.originals = originals
    self.originalBytes = originalBytes
  }
}
