/// Reads the name of a person out of the ways feeds write it.
enum PersonName {
  /// The name in `jo@example.com (Jo Doe)`, which is how RSS names authors, else the text itself.
  static func inMailAddress(_ text: String) -> String {
    guard text.utf8.last == UInt8(ascii: ")"), text.utf8.contains(UInt8(ascii: "@")),
      let open = text.utf8.firstIndex(of: UInt8(ascii: "("))
    else { return text }
    let name = text[text.utf8.index(after: open)...].dropLast().drop { $0 == "\"" }
      .prefix { $0 != "\"" }
    return name.isEmpty ? text : String(name)
  }
}
