/// Reads texts as IIIF writes them: plain, with a language beside them, or by language.
///
/// `"…"`, `{"@value": "…", "@language": "en"}` and lists of both are version 2's,
/// `{"en": ["…"], "none": ["…"]}` is version 3's; documents mix them.
enum IIIFText {
  /// The names under which texts stand, the best first; where there is none, any other counts.
  private static let languages = ["en", "none", "@none", "en-GB", "en-US"]

  /// The text as one line of plain text; nil when there is none.
  static func line(_ value: JSONValue?, limit: Int) -> String? {
    value.flatMap(text).flatMap { PlainText.line(of: $0, limit: limit) }
  }

  /// All texts in the best language, as one line.
  static func line(ofAll value: JSONValue?, limit: Int) -> String? {
    let lines = (value.map(texts) ?? []).compactMap { PlainText.line(of: $0, limit: limit) }
    return lines.isEmpty
      ? nil : PlainText.line(of: lines.joined(separator: "; "), limit: limit)
  }

  private static func texts(_ value: JSONValue) -> [String] {
    switch value {
    case .string, .number: return value.scalar.map { [$0] } ?? []
    case .array(let elements):
      let english = elements.filter { $0["@language"]?.string?.hasPrefix("en") ?? false }
      if !english.isEmpty { return english.flatMap(texts) }
      let language = elements.first?["@language"]
      return elements.filter { $0["@language"] == language }.flatMap(texts)
    case .object(let members):
      if let value = value["@value"] ?? value["value"] { return texts(value) }
      let best = languages.lazy.compactMap { value[$0].map(texts) }.first { !$0.isEmpty }
      return best ?? members.lazy.map { texts($0.value) }.first { !$0.isEmpty } ?? []
    case .null, .bool: return []
    }
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string, .number: value.scalar
    case .array(let elements): best(of: elements)
    case .object(let members): text(of: value, members)
    case .null, .bool: nil
    }
  }

  private static func text(of object: JSONValue, _ members: [JSONMember]) -> String? {
    if let value = object["@value"] ?? object["value"] { return text(value) }
    for language in languages {
      if let text = object[language].flatMap(text) { return text }
    }
    return members.lazy.compactMap { text($0.value) }.first
  }

  /// The English one of several texts, else the first.
  private static func best(of texts: [JSONValue]) -> String? {
    let english = texts.first { $0["@language"]?.string?.hasPrefix("en") ?? false }
    return english.flatMap(text) ?? texts.lazy.compactMap(text).first
  }
}
