/// Brings originals to this disk.
package protocol OriginalFetching: Sendable {
  /// Fetches an original, unless a right one is stored by then.
  ///
  /// - Parameters:
  ///   - request: Which one.
  ///   - progress: Hears how many bytes have arrived, and of how many where that is known.
  /// - Returns: What is stored now.
  /// - Throws: why there is none; what was stored before stays.
  func fetch(
    _ request: OriginalRequest,
    progress: (_ received: Int, _ total: Int?) -> Void
  ) async throws(Failure) -> FetchedOriginal
}
