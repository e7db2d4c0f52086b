/// How far the fetch of one original is.
package struct OriginalProgress: Sendable, Equatable {
  /// How many bytes are here.
  ///
  /// Each response begins with what is here before it: 0, or the bytes that it is the rest of.
  package var received: Int
  /// Of how many; nil while that is not known.
  package var total: Int?
  /// What has come: a file that grows, and has gone when the fetch ends; nil when there is none to
  /// look into.
  package var partial: PictureSource?

  package init(received: Int, total: Int?, partial: PictureSource? = nil) {
    self.received = received
    self.total = total
    self.partial = partial
  }
}
