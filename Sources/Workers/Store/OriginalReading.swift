/// Finds the originals that are on this disk, without waiting for a writer or the network.
package protocol OriginalReading: Sendable {
  /// An image's stored original; nil when there is none.
  func original(imageID: Int64) throws(StoreError) -> StoredOriginal?
}
