import Foundation
import Testing
import Workers

struct LetterFoldingTests {
  @Test(arguments: [
    ("Moon", "moon"), ("", ""), ("a\0B", "a\0b"),
    // Latin: accents, and letters that Unicode does not take apart.
    ("ÉCLAIR", "eclair"), ("Straße", "strasse"), ("STRASSE", "strasse"), ("ẞ", "ss"),
    ("Łódź", "lodz"), ("Øre", "ore"), ("Đurđa", "durda"), ("Æble", "aeble"), ("Œuvre", "oeuvre"),
    ("Þór", "thor"), ("Ħal", "hal"), ("Ɓauna", "bauna"), ("Nguyễn Thị Đường", "nguyen thi duong"),
    // Turkish.
    ("İstanbul", "istanbul"), ("ISTANBUL", "istanbul"), ("ırmak", "irmak"), ("IRMAK", "irmak"),
    // Greek: the tonos, breathings, and the sigma at the end.
    ("Ελλάδα", "ελλαδα"), ("ΕΛΛΑΔΑ", "ελλαδα"), ("Ἑλλάς", "ελλασ"), ("ΕΛΛΑΣ", "ελλασ"),
    ("ΐ", "ι"), ("ᾠδή", "ωδη"),
    // Cyrillic.
    ("Чёрный", "черныи"), ("ЧЕРНЫИ", "черныи"), ("Київ", "киів"), ("Ѐ", "е"),
    // Hebrew and Arabic, without points and vowels; a stretched word is the word.
    ("שָׁלוֹם", "שלום"), ("כּ", "כ"), ("יִשְׂרָאֵל", "ישראל"),
    ("مُحَمَّد", "محمد"), ("أحمد", "احمد"), ("مـــحمد", "محمد"), ("ﷲ", "الله"), ("ﻻ", "لا"),
    // Marks that tell words apart.
    ("हिन्दी", "हिन्दी"), ("क़", "क\u{93C}"), ("ชื่อ", "ชื่อ"), ("น้ำ", "น\u{E49}\u{E4D}า"),
    ("が", "が"), ("か\u{3099}", "が"), ("ﾊﾟ", "パ"), ("ガ", "ガ"),
    // Widths, ligatures and other compatible forms.
    ("ﬁsh", "fish"), ("ＮＨＫ２", "nhk2"), ("①", "1"), ("㎏", "kg"), ("x²", "x2"), ("ⅷ", "viii"),
    ("𝕄oon", "moon"), ("№", "no"), ("月", "月"), ("神", "神"),
    // Signs without a width, which stand inside words.
    ("Zu\u{AD}cker", "zucker"), ("می\u{200C}خواهم", "میخواهم"), ("❤\u{FE0F}", "❤"),
    // The marks alone, as people type them for apostrophes.
    ("l´eau", "l eau"), ("a\u{A0}b", "a b"),
  ])
  func `folds case and accents`(text: String, folded: String) {
    #expect(Array(LetterFolding.fold(text).unicodeScalars) == Array(folded.unicodeScalars))
  }

  /// The scalars of the Unicode version of the table.
  private static let scalars = (0x20...0x2FFFF).compactMap(Unicode.Scalar.init)
    .filter(isKnown)

  private static func isKnown(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.age.map { $0.major <= 14 } ?? false
  }

  /// macOS takes the names of files apart (NFD).
  @Test func `folds each letter alike in every form of Unicode`() {
    var different: [String] = []
    for scalar in Self.scalars {
      let text = String(Character(scalar))
      let folded = LetterFolding.fold(text)
      let forms = [
        text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping,
        text.decomposedStringWithCompatibilityMapping, folded,
      ]
      let isComposed = folded.precomposedStringWithCanonicalMapping.unicodeScalars
        .elementsEqual(folded.unicodeScalars)
      if !isComposed || forms.contains(where: { !Self.isSame(LetterFolding.fold($0), folded) }) {
        different.append("\(scalar.value)")
      }
    }
    #expect(different == [])
  }

  @Test func `folds capital and small letters alike`() {
    var different: [String] = []
    for scalar in Self.scalars {
      // The capitals of Greek letters with an iota below have it beside them.
      if (0x1F80..<0x2000).contains(scalar.value) || scalar.value == 0x345 { continue }
      let folded = LetterFolding.fold(String(Character(scalar)))
      // Later versions have capitals for letters that had none.
      let others = [scalar.properties.uppercaseMapping, scalar.properties.lowercaseMapping]
        .filter { $0.unicodeScalars.allSatisfy(Self.isKnown) }
      if others.contains(where: { !Self.isSame(LetterFolding.fold($0), folded) }) {
        different.append("\(scalar.value)")
      }
    }
    #expect(different == [])
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
  }

  @Test(arguments: [
    "한국어 사진", "さくら が ぎ パン", "\u{995}\u{9CB}", "\u{B95}\u{BCA}", "\u{C95}\u{CCB}", "\u{1026}",
    "\u{1B06}", "\u{929}",
  ])
  func `puts together what was taken apart`(text: String) {
    let parts = text.decomposedStringWithCanonicalMapping

    #expect(parts.unicodeScalars.count > text.unicodeScalars.count)
    #expect(Self.isSame(LetterFolding.fold(parts), LetterFolding.fold(text)))
  }

  @Test func `puts marks in their order`() {
    // A nukta comes before a virama.
    let (right, wrong) = ("ट\u{93C}\u{94D}", "ट\u{94D}\u{93C}")

    #expect(Self.isSame(LetterFolding.fold(wrong), right))
    #expect(Self.isSame(LetterFolding.fold(right), right))
    let marks = [String](repeating: "\u{94D}\u{93C}", count: 3).joined()
    let sorted = "\u{93C}\u{93C}\u{93C}\u{94D}\u{94D}\u{94D}"
    #expect(Self.isSame(LetterFolding.fold("ट\(marks)ट\(marks)"), "ट\(sorted)ट\(sorted)"))
    #expect(Self.isSame(LetterFolding.fold(marks), sorted))
  }
}
