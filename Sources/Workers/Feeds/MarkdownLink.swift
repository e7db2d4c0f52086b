/// A link in Markdown, `[title](https://example.com/ "note")` (CommonMark 0.31.2, section 6.3).
package struct MarkdownLink: Equatable {
  /// The address between the brackets, as it was written.
  package let destination: String
  /// The text behind the link.
  package let rest: Substring

  /// Reads the first link of a text; returns nil without one.
  package init?(in text: Substring) {
    guard let middle = text.firstRange(of: "]("), text[..<middle.lowerBound].contains("["),
      var target = Self.target(text[middle.upperBound...])
    else { return nil }
    // A picture may be in the title: `[![badge](badge.svg)](https://example.com/)` (section 6.4).
    if text[..<middle.lowerBound].contains("!["), let end = target.rest.firstRange(of: "]("),
      !target.rest[..<end.lowerBound].contains("["),
      let outer = Self.target(target.rest[end.upperBound...])
    {
      target = outer
    }
    (destination, rest) = (String(target.address), target.rest)
  }

  /// The address at the beginning of a text, and what follows the parenthesis behind it.
  private static func target(_ text: Substring) -> (address: Substring, rest: Substring)? {
    let text = text.drop(while: \.isWhitespace)
    if text.first != "<", let whole = withBlanks(text) { return whole }
    let address = text.first == "<" ? text.dropFirst().prefix { $0 != ">" } : balanced(text)
    guard !address.isEmpty, let end = text[address.endIndex...].firstIndex(of: ")") else {
      return nil
    }
    return (address, text[end...].dropFirst())
  }

  /// An address with blanks, which Markdown does not allow but people paste; nil where a title or nothing follows it.
  private static func withBlanks(_ text: Substring) -> (address: Substring, rest: Substring)? {
    let first = balanced(text)
    let behind = text[first.endIndex...].drop(while: \.isWhitespace)
    guard !first.isEmpty, let next = behind.first, !"\"'()".contains(next) else { return nil }
    let whole = balanced(text, upToBlanks: false)
    guard whole.endIndex < text.endIndex else { return nil }
    return (whole, text[whole.endIndex...].dropFirst())
  }

  /// The text up to white space, or up to a parenthesis that closes none inside it.
  private static func balanced(_ text: Substring, upToBlanks: Bool = true) -> Substring {
    var depth = 0
    return text.prefix { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return depth >= 0 && !(upToBlanks && character.isWhitespace)
    }
  }
}
