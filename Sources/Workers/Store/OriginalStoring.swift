/// What is kept of originals: files named by the hash of their content.
package protocol OriginalStoring: Sendable {
  /// How many originals of a feed are missing or no longer right.
  func originalCount(feedID: Int64) throws(StoreError) -> Int

  /// The next originals to fetch, newest first, behind `last`.
  func originalOrders(
    feedID: Int64,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder]

  /// A file for an original to arrive in; waits for another process that is fetching the same one.
  func makeOriginalFile(imageID: Int64) async throws(StoreError) -> any OriginalWriting
}
