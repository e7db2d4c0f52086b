import Models
import Store
import Workers

/// The words of a text, split and folded as in SQLite's index, so that both stores find the same images.
///
/// A word is a run of letters and digits, without case and accents (unicode61, www.sqlite.org/fts5.html, section
/// 4.3.1). Words of `LetterPairs` are stored as pairs of neighbouring letters. The positions of the pairs tell which
/// are adjacent.
struct SearchWords {
  /// The words, each once.
  private(set) var words: [String] = []
  private(set) var pairWords: [[Unicode.Scalar]] = []

  init(_ text: String) {
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

  func has(_ word: String) -> Bool {
    words.contains { $0.hasPrefix(word) } || has(LetterPairs.letters(of: word))
  }

  func has(_ word: [Unicode.Scalar]) -> Bool { pairWords.contains { $0.contains(word) } }
}

// MARK: The index

extension SearchWords {
  /// Positions end at 16,383, and a text's words at a megabyte (postgresql.org/docs/15/textsearch-limitations.html).
  private static let positions = 16_000
  private static let vectorBytes = 900_000

  /// The words of some texts, as a value of the type `tsvector`.
  static func vector(of texts: String?...) -> String {
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
  static func query(_ word: String) -> String { "'\(word)':*" }

  /// The query, of the type `tsquery`, that finds a part of a word.
  static func query(part word: [Unicode.Scalar]) -> String {
    if let letter = word.first, word.count == 1 { return "'\(letter)':*" }
    return pairs(of: word).map { "'\($0)'" }.joined(separator: " <-> ")
  }
}

/// The SQL of a search for images that have all of a user's words.
///
/// Each word must begin a word of an image's own text, of its manifest's text, or of its feed's title. Words of
/// `LetterPairs` may be anywhere in a word.
struct SearchExpression {
  /// The most different words that a search may have.
  private static let most = 100

  private(set) var conditions: [String] = []

  /// The conditions of a request's search and of the part that its client may see; nil when there is neither.
  ///
  /// Each is made from its own text: signs in one cannot undo the other.
  ///
  /// - Throws: when the request's search has no words, when one of them has too many, or when the library cannot be
  ///   read.
  static func of(_ query: ImageQuery, _ db: Connection) throws -> SearchExpression? {
    var search = try query.search.map { try SearchExpression($0, db) }
    guard let words = query.part.search else { return search }
    do {
      let part = try SearchExpression(words, db)
      search = SearchExpression((search?.conditions ?? []) + part.conditions)
    } catch let error as StoreError where error.reason == .nothingToSearch {
      search = SearchExpression(["false"])
    }
    return search
  }

  private init(_ conditions: [String]) { self.conditions = conditions }

  /// - Throws: when the search has no words or too many, or when the library cannot be read.
  init(_ search: String, _ db: Connection) throws {
    let asked = SearchWords(search)
    let count = asked.words.count + asked.pairWords.reduce(0) { $0 + max($1.count - 1, 1) }
    guard count > 0 else {
      throw StoreError(reason: .nothingToSearch, path: "", message: "nothing to search")
    }
    guard count <= Self.most else {
      let reason = StoreError.Reason.tooManyWords(limit: Self.most)
      throw StoreError(reason: reason, path: "", message: "too many words")
    }
    let titles = try db.rows(
      "SELECT id, coalesce(given_title, title) FROM feed WHERE coalesce(given_title, title) <> ''"
    ).map { row in try (id: row.value(0) as Int64, text: SearchWords(row.value(1))) }
    let hasMembers = try db.hasRow("SELECT 1 FROM member LIMIT 1")
    var plain: [String] = []
    for word in asked.words {
      let feeds = titles.filter { $0.text.has(word) }.map(\.id)
      let part = SearchWords.query(part: LetterPairs.letters(of: word))
      let query = "(\(SearchWords.query(word)) | (\(part)))"
      if feeds.isEmpty, !hasMembers { plain.append(query) } else { add(query, feeds, hasMembers) }
    }
    if !plain.isEmpty { add(plain.joined(separator: " & "), [], false) }
    for word in asked.pairWords {
      let feeds = titles.filter { $0.text.has(word) }.map(\.id)
      add(SearchWords.query(part: word), feeds, hasMembers)
    }
  }

  /// Adds the condition of a query.
  ///
  /// Tokens consist of letters and digits, so they cannot end the query's literal.
  private mutating func add(_ query: String, _ feeds: [Int64], _ hasMembers: Bool) {
    let literal = "'\(query.escaping("'", as: "''"))'::tsquery"
    var ways = ["image.words @@ \(literal)"]
    if !feeds.isEmpty {
      ways.append("image.feed_id IN (\(feeds.map(String.init).joined(separator: ", ")))")
    }
    if hasMembers {
      ways.append(
        """
        image.id IN (
          SELECT image_id FROM member_image JOIN member ON member.id = member_id
          WHERE member.words @@ \(literal)
        )
        """
      )
    }
    conditions.append("(\(ways.joined(separator: " OR ")))")
  }
}
