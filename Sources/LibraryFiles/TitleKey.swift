import Workers

/// The key that titles are sorted by: their letters without case and accents.
package enum TitleKey {
  /// The number of scalars of a title that count for its order.
  private static let scalars = 160
  /// The key of a missing title, which sorts after every title: the last code point.
  package static let none = "\u{10FFFF}"

  package static func of(_ title: String?) -> String {
    guard let title else { return none }
    let folded = LetterFolding.fold(title)
    if folded.utf8.count <= scalars { return folded }
    return String(String.UnicodeScalarView(folded.unicodeScalars.prefix(scalars)))
  }
}
