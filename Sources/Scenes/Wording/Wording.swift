/// The one place where facts become sentences, for every presenter and for the program's start.
///
/// A message reads `cannot <verb> '<thing>': <reason> — <what still works>`: lower case, no full
/// stop, what the user wrote in quotes.
package enum Wording {
  /// Puts a message together.
  package static func cannot(
    _ verb: String,
    _ thing: String,
    because reason: String,
    but rest: String? = nil
  ) -> String {
    let message = "cannot \(verb) \(thing): \(reason)"
    return rest.map { "\(message) — \($0)" } ?? message
  }

  /// A thing by the name that the user or the feed gave it.
  package static func quoted(_ name: String) -> String { "'\(name)'" }

  /// Another author's sentence as part of ours: no full stop, no capital letter unless it is one of
  /// several, as in TLS.
  static func clause(_ text: String) -> String {
    var clause = text
    while let last = clause.last, last == "." || last.isWhitespace { clause.removeLast() }
    let initials = clause.prefix(2)
    guard initials.count == 2, let first = initials.first, let second = initials.last,
      first.isUppercase, second.isLowercase
    else { return clause }
    return first.lowercased() + clause.dropFirst()
  }
}
