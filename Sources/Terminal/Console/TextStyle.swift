/// How a line looks on a terminal that can show it (ECMA-48, SGR).
enum TextStyle: String {
  case plain = ""
  /// Of less weight than what stands beside it: headings, notes.
  case dim = "\u{1B}[2m"
  /// What went wrong.
  case problem = "\u{1B}[31m"

  func text(_ text: String) -> String {
    self == .plain || text.isEmpty ? text : rawValue + text + "\u{1B}[0m"
  }
}
