import Foundation
import Testing
import Workers

struct LetterFoldingTests {
  @Test(arguments: [
    ("Moon", "moon"), ("ÉCLAIR", "eclair"), ("E\u{301}clair", "eclair"), ("Straße", "strasse"),
    ("İstanbul", "istanbul"), ("ΕΛΛΆΔΑ", "ελλαδα"), ("Чёрный", "черныи"), ("ﬁsh", "fish"),
    ("か\u{3099}", "か\u{3099}"), ("月", "月"), ("", ""),
  ])
  func `folds case and accents`(text: String, folded: String) {
    #expect(LetterFolding.fold(text) == folded)
  }

  /// Titles that earlier versions have stored keep their order.
  @Test func `folds each letter as Foundation does`() {
    var different: [String] = []
    for scalar in (0x20...0x1FFFF).compactMap(Unicode.Scalar.init) {
      let (text, small) = (String(Character(scalar)), scalar.properties.lowercaseMapping)
      if scalar.properties.generalCategory == .nonspacingMark { continue }
      let wanted = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      let found = LetterFolding.fold(text)
      // The standard library knows capital letters of a later Unicode than Foundation.
      let isNew = wanted.unicodeScalars.elementsEqual(text.unicodeScalars) && found == small
      if !isNew, !found.unicodeScalars.elementsEqual(wanted.unicodeScalars) {
        different.append(text)
      }
    }
    #expect(different == [])
  }
}
