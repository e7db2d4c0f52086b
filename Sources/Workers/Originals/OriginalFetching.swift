/// Brings originals to this disk.
package protocol OriginalFetching: Sendable {
  /// Fetches an original, unless a right one is stored by then and its server need not be asked.
  ///
  /// - Parameters:
  ///   - request: Which one, and whether to ask for one that is stored.
  ///   - progress: Hears how many bytes are here, and of how many where that is known. Each response
  ///     begins with what is here before it: 0, or the bytes that it is the rest of.
  /// - Returns: What is stored now.
  /// - Throws: why there is none; what was stored before stays.
  func fetch(
    _ request: OriginalRequest,
    progress: (_ received: Int, _ total: Int?) -> Void
  ) async throws(Failure) -> FetchedOriginal
}
