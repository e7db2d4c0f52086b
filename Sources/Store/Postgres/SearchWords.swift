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

  package init(_ text: String) {
    let parts = LetterPairs(text)
    var known: Set<String> = []
    words = Self.cut(parts.rest).filter { known.insert($0).inserted }
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

// MARK: The index

extension SearchWords {
  /// Positions end at 16,383, and a text's words at a megabyte (postgresql.org/docs/15/textsearch-limitations.html).
  private static let positions = 16_000
  private static let vectorBytes = 900_000

  /// The words of some texts, as a value of the type `tsvector`.
  package static func vector(of texts: String?...) -> String {
    var vector = ""
    var position = 1
    func add(_ token: String) {
      guard vector.utf8.count < vectorBytes else { return }
      vector += vector.isEmpty ? "'" : " '"
      vector += token
      vector += "'"
    }
    for case let text? in texts {
      let words = SearchWords(text)
      for word in words.words { add(word) }
      for word in words.pairWords {
        for token in pairs(of: word) + (word.last.map { [String($0)] } ?? []) {
          add(token)
          if position < positions { vector += ":\(position)" }
          position += 1
        }
        position += 1
      }
    }
    return vector
  }

  private static func pairs(of word: [Unicode.Scalar]) -> [String] {
    zip(word, word.dropFirst()).map { "\($0)\($1)" }
  }

  /// The query, of the type `tsquery`, that finds words by their beginning.
  package static func query(_ word: String) -> String { "'\(word)':*" }

  /// The query, of the type `tsquery`, that finds a part of a word.
  package static func query(part word: [Unicode.Scalar]) -> String {
    if let letter = word.first, word.count == 1 { return "'\(letter)':*" }
    return pairs(of: word).map { "'\($0)'" }.joined(separator: " <-> ")
  }
}

extension ImageFields {
  /// The value of the column `words`.
  var words: String { SearchWords.vector(of: title, caption, author) }
}
