package import FoundationEssentials
package import Models

/// What is kept of originals: files named by the hash of their content.
package protocol OriginalStoring: Sendable {
  /// How many originals of a feed are missing or no longer right.
  func originalCount(feedID: Int64, _ wish: PictureWish) throws(StoreError) -> PictureCount

  /// Bytes of the originals that are missing or no longer right, as far as the feed declares them.
  func declaredBytesOfOriginals(feedID: Int64) throws(StoreError) -> Int

  /// The next originals to fetch, newest first, behind `last`.
  func originalOrders(
    feedID: Int64,
    _ wish: PictureWish,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder]

  /// The images of a feed whose stored originals are due to be asked about, the longest due first.
  func dueOriginals(feedID: Int64, _ wish: PictureWish) throws(StoreError) -> [Int64]

  /// How to ask about the stored originals of images; those that have none are left out.
  func originalChecks(imageIDs: [Int64]) throws(StoreError) -> [PictureOrder]

  /// Remembers originals that could not be had, in one transaction.
  func note(_ failures: [FailedPicture]) throws(StoreError)

  /// A file for an original to arrive in; waits for another process that is fetching the same one.
  func makeOriginalFile(imageID: Int64) async throws(StoreError) -> any OriginalWriting

  /// Notes that the server of an address still has the original that is stored.
  ///
  /// - Parameters:
  ///   - imageID: The image it is the original of.
  ///   - address: The address that was asked.
  ///   - validators: What to ask with next time.
  ///   - checkDate: From when on the server is asked again.
  /// - Returns: The original as it is stored now; nil when it is no longer there.
  /// - Throws: when that cannot be noted.
  func renewOriginal(
    imageID: Int64,
    at address: WebAddress,
    validators: Validators,
    checkDate: Date
  ) throws(StoreError) -> StoredOriginal?
}
