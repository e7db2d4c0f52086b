/// Deletes what nothing refers to.
package protocol LibraryCleaning: Sendable {
  /// Deletes the images of removed feeds, originals that no image has, files that no row refers to,
  /// and partial files that nobody has touched for a week.
  ///
  /// - Parameter isRehearsal: Whether nothing is deleted, and only told.
  /// - Returns: What was deleted, or would be.
  /// - Throws: when the library cannot be read or written; what is needed stays in any case.
  func clean(isRehearsal: Bool) throws(StoreError) -> CleanedLibrary
}
