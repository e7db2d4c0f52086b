/// The languages of the user for messages (locale(7); GNU gettext, section 2.3).
enum ReaderLanguages {
  /// The languages in the form of RFC 5646, the preferred one first; empty for the locale of C.
  ///
  /// `LANGUAGE` lists several, and counts only with a locale that has a language.
  static func of(_ environment: [String: String]) -> [String] {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    guard let own = locale.flatMap(tag) else { return [] }
    let listed = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap {
      tag(String($0))
    }
    return listed.isEmpty ? [own] : listed
  }

  /// The language of a locale such as `de_AT.UTF-8@euro`; nil for C and POSIX.
  private static func tag(_ locale: String) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    guard !name.isEmpty, name != "C", name != "POSIX" else { return nil }
    return String(name.replacing("_", with: "-"))
  }
}
