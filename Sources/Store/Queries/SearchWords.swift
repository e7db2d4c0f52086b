import Workers

/// The words of a text, split and folded as in the indexes of both stores.
///
/// A word is a run of letters, digits and the marks that `LetterFolding` keeps. Words of `LetterPairs` are stored as
/// pairs of neighbouring letters. The positions of the pairs tell which are adjacent.
package struct SearchWords {
  /// The words, each once.
  package private(set) var words: [String] = []
  package private(set) var pairWords: [[Unicode.Scalar]] = []

  package init(_ text: String) { self.init([LetterPairs(text)]) }

  /// The words of several texts.
  init(_ texts: [LetterPairs]) {
    var known: Set<String> = []
    words = texts.flatMap { Self.cut($0.rest) }.filter { known.insert($0).inserted }
    var knownParts: Set<[Unicode.Scalar]> = []
    pairWords = texts.flatMap(\.words).filter { knownParts.insert($0).inserted }
  }

  /// Splits the rest of a `LetterPairs`, as SQLite's tokenizer `ascii` does (www.sqlite.org/fts5.html, section 4.3.2).
  private static func cut(_ text: String) -> [String] {
    text.utf8.split { !isOfWord($0) }.map { word in
      let word = word.count > scalars ? beginning(of: word) : word
      return String(unsafeUninitializedCapacity: word.count) { bytes in
        // This bit makes a letter lower case, and every digit has it already.
        _ = bytes.initialize(from: word.lazy.map { $0 < 0x80 ? $0 | 0x20 : $0 })
        return word.count
      }
    }
  }

  /// The most letters and digits of a word that count.
  ///
  /// A word of PostgreSQL's index can have at most 2,046 bytes.
  private static let scalars = 200

  private static func beginning(of word: Substring.UTF8View) -> Substring.UTF8View {
    Substring(Substring(word).unicodeScalars.prefix(scalars)).utf8
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
      true
    default: false
    }
  }

  /// How much a search for them costs: a word is one, and so is a pair of letters.
  var count: Int { words.count + pairWords.reduce(0) { $0 + max($1.count - 1, 1) } }

  package func has(_ word: String) -> Bool {
    words.contains { $0.utf8.starts(with: word.utf8) } || has(Array(word.unicodeScalars))
  }

  package func has(_ word: [Unicode.Scalar]) -> Bool { pairWords.contains { $0.contains(word) } }
}
