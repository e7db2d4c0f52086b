/// Brings back what is damaged or missing.
package protocol PictureRepairing: Sendable {
  /// Fetches or makes a picture again, or builds the database's indexes again.
  ///
  /// - Parameter thing: A thumbnail, an original, or the database.
  /// - Throws: why it cannot be had; what was stored of it stays.
  func repair(_ thing: CheckedThing) async throws(Failure)
}
