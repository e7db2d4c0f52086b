/// A decoder that is ready for pictures, and what protects everything else from it.
package struct StartedDecoder: Sendable, Equatable {
  /// The number of its process.
  package var process: Int
  /// The protections that hold; an old kernel may lack the means for some.
  package var held: Set<DecoderProtection>
  /// The decoding library and its version.
  package var library: String

  package init(process: Int, held: Set<DecoderProtection>, library: String) {
    self.process = process
    self.held = held
    self.library = library
  }
}
