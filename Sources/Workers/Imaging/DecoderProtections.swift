/// Which protections held in a decoder that has started.
package struct DecoderProtections: Sendable, Equatable {
  package var held: Set<DecoderProtection>
  /// The decoding library and its version.
  package var library: String

  package init(held: Set<DecoderProtection>, library: String) {
    self.held = held
    self.library = library
  }
}
