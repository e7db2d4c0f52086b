/// Hands originals to the program that a person looks at pictures with.
package protocol PictureOpening: Sendable {
  /// Starts that program, and does not wait for it.
  ///
  /// - Throws: why it was not started.
  func open(_ original: StoredOriginal) throws(OpeningError)
}
