/// The words of a text in scripts that do not put spaces between words, and the rest of the text.
///
/// The index of words treats a run such as "小川のせせらぎ" as one word, which it can find only by its beginning. So the words
/// of these scripts, with the letters and digits inside them ("東京NHK"), have a separate index of overlapping pairs: "小川
/// 川の のせ …". Any part of a word, even one letter, is then a phrase of pairs that matches exactly there. FTS5's own
/// trigrams would not match two letters.
package struct LetterPairs {
  /// The words, with each letter folded.
  package private(set) var words: [[Unicode.Scalar]] = []
  /// The text that the index of words can split itself.
  package private(set) var rest = ""

  package init(_ text: String) {
    guard Self.mayHoldPairs(text) else {
      rest = text
      return
    }
    var word = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if Self.isOfWord(scalar) {
        word.append(scalar)
      } else {
        end(&word)
        rest.unicodeScalars.append(scalar)
      }
    }
    end(&word)
  }

  private mutating func end(_ word: inout String.UnicodeScalarView) {
    if word.contains(where: Self.isUnspaced) {
      words.append(Self.letters(of: word))
      rest.unicodeScalars.append(" ")
    } else {
      rest.unicodeScalars.append(contentsOf: word)
    }
    word = String.UnicodeScalarView()
  }

  /// The tokens of these texts for the index; nil when they do not contain such a word.
  ///
  /// The last letter of a word is a separate token. So every letter begins a token, and a phrase cannot continue in the
  /// next word.
  package static func index(of texts: String?...) -> String? {
    var tokens: [String] = []
    for case let text? in texts where mayHoldPairs(text) {
      for word in LetterPairs(text).words {
        tokens += pairs(of: word)
        tokens += word.last.map { [String($0)] } ?? []
      }
    }
    return tokens.isEmpty ? nil : tokens.joined(separator: " ")
  }

  /// The phrase that finds a part of a word.
  package static func phrase(_ word: some Collection<Unicode.Scalar>) -> String {
    if let letter = word.first, word.count == 1 { return "\"\(letter)\" *" }
    return "\"\(pairs(of: word).joined(separator: " "))\""
  }

  private static func pairs(of word: some Collection<Unicode.Scalar>) -> [String] {
    zip(word, word.dropFirst()).map { "\($0)\($1)" }
  }

  /// Whether the text has characters from Thai on, the first of these scripts; most texts do not.
  private static func mayHoldPairs(_ text: String) -> Bool {
    let bytes = text.utf8Span.span
    for index in bytes.indices where bytes[index] >= 0xE0 { return true }
    return false
  }

  /// Whether a letter belongs to a script without spaces, or to one whose words are also searched inside longer words.
  private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x0E00: false
    // Thai and Lao; Burmese; Hangul Jamo; Khmer; New Tai Lue and Tai Tham.
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x1950...0x1AAF: true
    // Chinese, kana, Bopomofo, Yi; Hangul; their width variants and compatibility characters.
    case 0x2E80...0xA4CF, 0xA960...0xA97F, 0xA9E0...0xA9FF, 0xAA60...0xAADF, 0xAC00...0xD7FF,
      0xF900...0xFAFF, 0xFF66...0xFFDC, 0x1AFF0...0x1B16F, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber,
      .privateUse, .unassigned:
      true
    default: false
    }
  }

  /// The letters of a word, folded.
  package static func letters(of word: String.UnicodeScalarView) -> [Unicode.Scalar] {
    word.map(folded)
  }

  package static func letters(of word: String) -> [Unicode.Scalar] {
    letters(of: word.unicodeScalars)
  }

  /// Folds wide letters and digits to narrow ones, and capital letters to small ones.
  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if isUnspaced(scalar) { return scalar }
    var narrow = scalar
    if case 0xFF01...0xFF5E = scalar.value {
      narrow = Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }
    return narrow.properties.lowercaseMapping.unicodeScalars.first ?? narrow
  }
}
