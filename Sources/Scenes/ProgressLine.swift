/// How far something is, for a display to draw.
package struct ProgressLine: Equatable, Sendable {
  /// The part that is done, from 0 to 1; nil while the whole is unknown.
  package var fraction: Double?
  package var text: String

  package init(fraction: Double?, text: String) {
    self.fraction = fraction
    self.text = text
  }
}
