/// A link in Markdown, `[title](https://example.com/ "note")` (CommonMark 0.31.2, section 6.3).
package struct MarkdownLink: Equatable {
  /// The address between the brackets, as it was written.
  package let destination: String
  /// The text behind the link.
  package let rest: Substring

  /// Reads the first link of a text; returns nil without one.
  package init?(in text: Substring) {
    guard let middle = text.firstRange(of: "]("), text[..<middle.lowerBound].contains("[") else {
      return nil
    }
    var rest = text[middle.upperBound...].drop(while: \.isWhitespace)
    let address: Substring
    if rest.first == "<" {
      address = rest.dropFirst().prefix { $0 != ">" }
    } else {
      address = Self.balanced(rest)
    }
    rest = rest[address.endIndex...]
    guard !address.isEmpty, let end = rest.firstIndex(of: ")") else { return nil }
    destination = String(address)
    self.rest = rest[end...].dropFirst()
  }

  /// The text up to white space, or up to a parenthesis that closes none inside it.
  private static func balanced(_ text: Substring) -> Substring {
    var depth = 0
    return text.prefix { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return depth >= 0 && !character.isWhitespace
    }
  }
}
