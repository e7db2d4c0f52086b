/// The style of a line on a terminal that supports it (ECMA-48, SGR).
enum TextStyle: String {
  case plain = ""
  /// For headings and notes.
  case dim = "\u{1B}[2m"
  /// For failures.
  case problem = "\u{1B}[31m"

  func text(_ text: String) -> String {
    self == .plain || text.isEmpty ? text : rawValue + text + "\u{1B}[0m"
  }
}
