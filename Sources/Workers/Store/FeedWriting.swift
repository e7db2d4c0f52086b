package import Models

/// Writes one feed document, batch by batch, in the task that made it.
///
/// Each batch is a transaction of its own, so that an interruption keeps whole images only.
package protocol FeedWriting: AnyObject {
  /// Compares the images with what is stored, and writes what is new or changed.
  ///
  /// The feed itself becomes known with its first image.
  func append(_ images: [FeedImage]) throws(StoreError)

  /// Ends the document: what identified nothing, what is gone, title, format and validators, in the
  /// transaction that ends the last batch.
  ///
  /// - Parameters:
  ///   - document: The end of the document; its images are written, too.
  ///   - validators: What to ask with next time; empty when the document must be read again.
  /// - Returns: The feed as it is now, and what its document did.
  /// - Throws: when the library cannot be written; nothing of the end is stored then.
  func finish(
    _ document: FeedDocument,
    validators: Validators
  ) throws(StoreError) -> (feed: Feed, counts: ImageCounts)

  /// Ends a document that broke off: keeps what was appended, notes the problem, and forgets the
  /// validators.
  ///
  /// - Returns: The feed as it is now, nil when nothing of it was stored; and what was read of it.
  /// - Throws: when the library cannot be written.
  func breakOff(problem: String) throws(StoreError) -> (feed: Feed?, counts: ImageCounts)
}
