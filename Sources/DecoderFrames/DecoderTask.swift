/// What the decoder is asked to do with a picture.
package enum DecoderTask: Sendable, Equatable {
  case inspect
  case thumbnail(longestSide: Int)
  /// Pixels that fit into a box; of a picture that has not come whole as well when `isPartial`.
  case pixels(width: Int, height: Int, isPartial: Bool)

  /// Whether a part of the picture will do.
  package var isPartial: Bool {
    if case .pixels(_, _, let isPartial) = self { isPartial } else { false }
  }
}
