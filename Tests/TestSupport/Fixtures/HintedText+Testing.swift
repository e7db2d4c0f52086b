package import Scenes

extension HintedText {
  /// The text with the name of each hint in its place.
  package var described: String { text { "<\($0)>" } }
}
