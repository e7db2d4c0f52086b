/// Brings back pictures that are damaged or missing.
package protocol PictureRepairing: Sendable {
  /// Fetches or makes a picture again.
  ///
  /// - Parameter thing: A thumbnail or an original.
  /// - Throws: why it cannot be had; what was stored of it stays.
  func repair(_ thing: CheckedThing) async throws(Failure)
}
