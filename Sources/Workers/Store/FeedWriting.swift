package import Models

/// Writes the documents of one feed, batch by batch, in the task that made it.
///
/// Each batch is a transaction of its own, so that an interruption keeps whole images only.
package protocol FeedWriting: AnyObject {
  /// What the documents have done so far.
  var counts: ImageCounts { get }

  /// Compares the images with what is stored, and writes what is new or changed.
  ///
  /// The feed itself becomes known with its first image.
  func append(_ images: [FeedImage]) throws(StoreError)

  /// Ends one document of several: its last entry does not go on in the next.
  ///
  /// - Parameter member: The member of a collection that it was, remembered together with what to
  ///   ask it with and its images; nil for a page of a feed.
  /// - Throws: when the library cannot be written.
  func endDocument(member: FeedMember?) throws(StoreError)

  /// Counts the images of a member that has not changed as listed.
  ///
  /// - Parameter address: The member.
  /// - Throws: when the library cannot be read.
  func keepMember(at address: WebAddress) throws(StoreError)

  /// Ends the feed: what identified nothing, what is gone, title, format and validators, in the
  /// transaction that ends the last batch.
  ///
  /// - Parameters:
  ///   - document: The end of the documents; its images are written, too.
  ///   - validators: What to ask with next time; empty when the feed must be read again.
  ///   - isWhole: Whether every page was read, up to where all was known already.
  /// - Returns: The feed as it is now, and what its documents did.
  /// - Throws: when the library cannot be written; nothing of the end is stored then.
  func finish(
    _ document: FeedDocument,
    validators: Validators,
    isWhole: Bool
  ) throws(StoreError) -> (feed: Feed, counts: ImageCounts)

  /// Ends a document that broke off: keeps what was appended, notes the problem, and forgets the
  /// validators.
  ///
  /// - Returns: The feed as it is now, nil when nothing of it was stored; and what was read of it.
  /// - Throws: when the library cannot be written.
  func breakOff(problem: String) throws(StoreError) -> (feed: Feed?, counts: ImageCounts)
}
