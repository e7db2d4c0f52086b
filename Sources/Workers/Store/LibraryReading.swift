package import Models

/// What scenes read of the library; never waits for a writer or the network.
package protocol LibraryReading: Sendable {
  /// Gives the images that a query asks for to `body`, in order, at most `batchSize` at a time,
  /// all of one state of the library; `body` answers whether it wants more.
  func readImages(
    matching query: ImageQuery,
    batchSize: Int,
    _ body: ([WebImage]) -> Bool
  ) throws(StoreError)

  /// The image with an id, of any feed that is not removed.
  func image(id: Int64) throws(StoreError) -> WebImage?

  /// The bytes of an image's stored thumbnail; nil when there is none, or none that is whole.
  func thumbnailBytes(imageID: Int64) throws(StoreError) -> [UInt8]?

  /// The feeds that are followed, by id.
  func feeds() throws(StoreError) -> [Feed]

  /// The manifests that images of followed feeds are from, by feed, in its order.
  ///
  /// - Parameter address: Only those at this address; nil for all.
  /// - Returns: The manifests.
  /// - Throws: when the library cannot be read.
  func manifests(at address: WebAddress?) throws(StoreError) -> [FeedManifest]

  /// Which pictures could not be had lately, by the id of their feed, the most frequent reason first.
  func failures() throws(StoreError) -> [Int64: [FailureGroup]]
}
