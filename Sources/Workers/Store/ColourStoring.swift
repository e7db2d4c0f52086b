package import Models

/// Keeps the colours of stored thumbnails (`ColourGrid`), by the hashes of their bytes.
///
/// They are no change of the library: each client can make them of the thumbnail.
package protocol ColourStoring: Sendable {
  /// The thumbnails whose colours are not known, those of the newest images first.
  ///
  /// Images that share a thumbnail name it once each.
  func thumbnailsWithoutColours(limit: Int) async throws(StoreError) -> [SHA256Digest]

  /// Keeps colours in one transaction; empty ones say that a thumbnail cannot be decoded, so that it is not tried again.
  ///
  /// A thumbnail that has been replaced meanwhile waits for its own.
  func store(colours: [SHA256Digest: [UInt8]]) async throws(StoreError)
}
