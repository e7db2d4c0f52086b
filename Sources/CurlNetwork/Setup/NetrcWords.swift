/// Cuts a netrc file into its words: white space parts them, quotes hold them together, `#` at a
/// word's beginning makes the rest of the line a comment.
struct NetrcWords {
  private var rest: Substring.UnicodeScalarView

  init(_ text: String) { rest = Substring(text).unicodeScalars }

  mutating func next() -> String? {
    while let scalar = rest.first {
      if scalar == "#" {
        rest = rest.drop { !Self.isLineEnd($0) }
      } else if Self.isSpace(scalar) {
        rest.removeFirst()
      } else {
        return scalar == "\"" ? quoted() : plain()
      }
    }
    return nil
  }

  /// A macro ends with an empty line.
  mutating func skipMacro() {
    var wasLineEnd = false
    while let scalar = rest.popFirst() {
      if Self.isLineEnd(scalar), wasLineEnd { return }
      wasLineEnd = Self.isLineEnd(scalar)
    }
  }

  private mutating func plain() -> String {
    let word = rest.prefix { !Self.isSpace($0) }
    rest = rest[word.endIndex...]
    return String(word)
  }

  /// The escapes are curl's.
  private mutating func quoted() -> String {
    rest.removeFirst()
    var word = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "\"" {
      guard scalar == "\\", let escaped = rest.popFirst() else {
        word.append(scalar)
        continue
      }
      switch escaped {
      case "n": word.append("\n")
      case "r": word.append("\r")
      case "t": word.append("\t")
      default: word.append(escaped)
      }
    }
    return String(word)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || isLineEnd(scalar)
  }

  private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r"
  }
}
