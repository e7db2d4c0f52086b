import Workers

/// The words of a text, split and folded as in SQLite's index, so that both stores find the same images.
///
/// A word is a run of letters and digits, without case and accents (unicode61, www.sqlite.org/fts5.html, section
/// 4.3.1). Words of `LetterPairs` are stored as pairs of neighbouring letters. The positions of the pairs tell which
/// are adjacent.
package struct SearchWords {
  /// The words, each once.
  package private(set) var words: [String] = []
  package private(set) var pairWords: [[Unicode.Scalar]] = []

  /// The words as PostgreSQL's rows have them.
  package init(_ text: String) { self.init(text, cut: Self.cut) }

  /// - Parameters:
  ///   - text: A text.
  ///   - cut: Splits a text without words of `LetterPairs` into folded words.
  /// - Throws: the errors of `cut`.
  init(_ text: String, cut: (String) throws -> [String]) rethrows {
    let parts = LetterPairs(text)
    var known: Set<String> = []
    words = try cut(parts.rest).filter { known.insert($0).inserted }
    var knownParts: Set<[Unicode.Scalar]> = []
    pairWords = parts.words.filter { knownParts.insert($0).inserted }
  }

  private static func cut(_ text: String) -> [String] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return cutASCII(text) }
    var words: [String] = []
    var word = String.UnicodeScalarView()
    func end() {
      if word.isEmpty { return }
      let folded = fold(String(word))
      if !folded.isEmpty { words.append(folded) }
      word = String.UnicodeScalarView()
    }
    for scalar in text.unicodeScalars {
      if isOfWord(scalar) {
        word.append(scalar)
      } else if !isAccent(scalar) || word.isEmpty {
        end()
      }
    }
    end()
    return words
  }

  /// Splits a text that is only ASCII, without the slow look-ups of Unicode properties.
  private static func cutASCII(_ text: String) -> [String] {
    text.utf8.split { !isOfWord(Unicode.Scalar($0)) }.map { word in
      let word = word.prefix(scalars)
      return String(unsafeUninitializedCapacity: word.count) { bytes in
        // This bit makes a letter lower case, and every digit has it already.
        _ = bytes.initialize(from: word.lazy.map { $0 | 0x20 })
        return word.count
      }
    }
  }

  /// The most letters and digits of a word that count.
  ///
  /// A word of the index can have at most 2,046 bytes.
  private static let scalars = 200

  private static func fold(_ word: String) -> String {
    let cut = String(String.UnicodeScalarView(word.unicodeScalars.prefix(scalars)))
    return LetterFolding.fold(cut)
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "A"..."Z", "a"..."z": return true
    case "\0"..<"\u{80}": return false
    default: break
    }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }

  /// Whether a scalar is an accent of the letter before it.
  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    (0x0300...0x036F).contains(scalar.value)
  }

  package func has(_ word: String) -> Bool {
    words.contains { $0.hasPrefix(word) } || has(LetterPairs.letters(of: word))
  }

  package func has(_ word: [Unicode.Scalar]) -> Bool { pairWords.contains { $0.contains(word) } }
}
