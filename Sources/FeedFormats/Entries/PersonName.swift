/// Reads the name of a person out of the ways feeds write it.
enum PersonName {
  /// The name in `jo@example.com (Jo Doe)`, which is how RSS names authors, else the text itself.
  static func inMailAddress(_ text: String) -> String {
    guard text.utf8.last == UInt8(ascii: ")"), text.utf8.contains(UInt8(ascii: "@")),
      let open = text.utf8.firstIndex(of: UInt8(ascii: "("))
    else { return text }
    let name = text[text.utf8.index(after: open)...].dropLast().drop { isAround($0) }
      .prefix { $0 != "\"" }
    let end = name.lastIndex { !isAround($0) }
    return end.map { String(name[...$0]) } ?? text
  }

  /// What may stand around a name within its parentheses.
  private static func isAround(_ character: Character) -> Bool {
    character == " " || character == "\""
  }
}
