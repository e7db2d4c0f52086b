/// Reads the words of an entry out of an object of a JSON list.
extension Entry {
  /// Takes what the object says and the entry does not know yet.
  mutating func fill(from fields: JSONFields) {
    id.fill(fields[.id]?.scalar)
    title.fill(JSONWords.text(fields[.title], limit: FormatLimits.title))
    summary.fill(JSONWords.text(fields[.caption], limit: FormatLimits.caption))
    author.fill(JSONWords.name(fields[.author]).map(PersonName.inMailAddress))
    licence.fill(JSONWords.name(fields[.licence]))
    published.fill(JSONWords.date(fields[.date]))
    link.fill(JSONWords.address(fields[.page]))
  }
}
