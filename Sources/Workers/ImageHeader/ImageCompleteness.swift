/// Whether a picture's file reaches its end, by the end marker or the lengths of its format.
package enum ImageCompleteness: Sendable {
  /// The end is there.
  case whole
  /// The end is missing.
  case cut
  /// The format has no end marker, or the place where it would stand was not looked at.
  case unknown
}
