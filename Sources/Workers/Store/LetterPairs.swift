/// The words of a text in scripts that do not put spaces between words, and the rest of the text.
///
/// The index of words treats a run such as "小川のせせらぎ" as one word, which it can find only by its beginning. So the words
/// of these scripts, with the letters and digits inside them ("東京NHK"), have a separate index of overlapping pairs: "小川
/// 川の のせ …". Any part of a word, even one letter, is then a phrase of pairs that matches exactly there. FTS5's own
/// trigrams would not match two letters.
package struct LetterPairs {
  /// The words, with each letter folded.
  package private(set) var words: [[Unicode.Scalar]] = []
  /// The rest: folded words with a space between them, or the text itself if it is only ASCII.
  ///
  /// In ASCII, a reader of words tells apart and folds the letters itself.
  package private(set) var rest = ""

  package init(_ text: String) {
    if LetterFolding.isASCII(text) {
      rest = text
      return
    }
    var word: [Unicode.Scalar] = []
    var others = String.UnicodeScalarView()
    func end() {
      if word.contains(where: Self.isUnspaced) {
        words.append(word)
      } else if !word.isEmpty {
        if !others.isEmpty { others.append(" ") }
        others.append(contentsOf: word)
      }
      word.removeAll(keepingCapacity: true)
    }
    for scalar in LetterFolding.scalars(of: text) {
      if Self.isOfWord(scalar) { word.append(scalar) } else { end() }
    }
    end()
    rest = String(others)
  }

  /// The tokens of these texts for the index; nil when they do not contain such a word.
  package static func index(of texts: String?...) -> String? {
    index(of: texts.compactMap { $0.map(Self.init) })
  }

  /// The tokens of texts that have been split.
  ///
  /// The last letter of a word is a separate token. So every letter begins a token, and a phrase cannot continue in the
  /// next word.
  package static func index(of texts: [LetterPairs]) -> String? {
    var tokens: [String] = []
    for text in texts {
      for word in text.words {
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

  /// Whether a folded scalar belongs to a word, as the marks do that folding keeps.
  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "a"..."z": return true
    case ..<"\u{80}": return false
    default: break
    }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber,
      .privateUse, .unassigned:
      true
    default: false
    }
  }
}
