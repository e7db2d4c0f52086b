/// Brings originals to this disk.
package protocol OriginalFetching: Sendable {
  /// Fetches an original, unless a right one is stored by then and its server need not be asked.
  ///
  /// - Parameters:
  ///   - request: Which one, and whether to ask for one that is stored.
  ///   - progress: Hears how far it is.
  /// - Returns: What is stored now.
  /// - Throws: why there is none; what was stored before stays.
  func fetch(
    _ request: OriginalRequest,
    progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal

  /// Makes and stores the thumbnail of an image whose feed names none, from its stored original.
  ///
  /// Does nothing when the image has a thumbnail, or when none can be made: the next sync tries again, and tells
  /// why it fails.
  func makeThumbnail(imageID: Int64) async
}
