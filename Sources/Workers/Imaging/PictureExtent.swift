/// How much of a picture has to be there for its pixels to be of use.
package enum PictureExtent: Sendable, Equatable {
  /// All of it: one that ends too early is an error.
  case whole
  /// As far as it has come: what is missing is left grey, or less sharp. Formats that cannot be
  /// decoded in part are errors nevertheless until they are whole.
  case asFarAsItCame
}
