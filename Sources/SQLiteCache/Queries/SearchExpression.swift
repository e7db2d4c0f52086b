import GRDB
import Models
import Workers

/// A user's words as the SQL of which images have them all.
///
/// The index's own tokenizer cuts the text, so that nothing in it can be taken for query syntax,
/// and what is asked for is cut and folded like what is stored. Each word must begin a word of an
/// image's own text, of what its manifest says, or of its feed's title: which feeds those are is found
/// here, since the index holds only a token for each feed. Words of `LetterPairs` may stand anywhere in a word.
struct SearchExpression {
  private(set) var arguments = StatementArguments()
  /// Whether so many images have the words that a page is found sooner by a walk along the order's index than by
  /// sorting all of them.
  private(set) var isCommon = false
  private var conditions: [String] = []

  /// The condition; one for a walk keeps SQLite from starting with the images that are found.
  func sql(isForWalk: Bool) -> String {
    conditions.map { (isForWalk ? "+" : "") + $0 }.joined(separator: " AND ")
  }

  /// - Throws: also for nothing to look for, and for more words than `Limits.searchWords`.
  init(_ search: String, feeds: FeedTitles, _ db: Database) throws {
    let tokenizer = try db.makeTokenizer(.unicode61(diacritics: .remove))
    let asked = try CutText(search, tokenizer)
    try asked.check()
    let titles = try feeds.references.map { (id: $0.id, text: try CutText($0.title, tokenizer)) }
    // Each look for what hardly any image has takes as long as the search itself.
    let hasMembers = try Row.fetchOne(db.cachedStatement(sql: "SELECT 1 FROM member")) != nil
    var plain: [String] = []
    for word in asked.words {
      let ids = titles.filter { $0.text.has(word) }.map(\.id)
      let match = Self.match(word, feeds: ids)
      let phrase = LetterPairs.phrase(LetterPairs.letters(of: word).prefix(Limits.searchWords))
      let ofMembers: [(sql: String, match: String)] = [
        (Self.members(Self.words), Self.match(word, feeds: [])),
        (Self.members(Self.pairs), phrase),
      ]
      let others = try Self.found([(Self.pairs, phrase)] + (hasMembers ? ofMembers : []), db)
      if others.isEmpty { plain.append(match) } else { add([(Self.words, match)] + others) }
    }
    if !plain.isEmpty {
      let match = plain.joined(separator: " AND ")
      isCommon =
        try asked.pairWords.isEmpty && plain.count == asked.words.count && Self.isCommon(match, db)
      add([(Self.words, match)])
    }
    for word in asked.pairWords {
      let ids = titles.filter { $0.text.has(word) }.map(\.id)
      let byFeed = ids.isEmpty ? [] : [(Self.words, Self.match(feeds: ids))]
      let phrase = LetterPairs.phrase(word)
      add([(Self.pairs, phrase), (Self.members(Self.pairs), phrase)] + byFeed)
    }
  }

  private static let words = "SELECT rowid FROM image_search WHERE image_search MATCH ?"
  private static let pairs = "SELECT rowid FROM image_search_pairs WHERE image_search_pairs MATCH ?"

  /// The images of the members whose words are found.
  private static func members(_ selection: String) -> String {
    """
    SELECT image_id FROM member_image
    WHERE member_id IN (SELECT -rowid FROM (\(selection) AND rowid < 0))
    """
  }

  /// Wants images that are in one of the selections.
  private mutating func add(_ selections: [(sql: String, match: String)]) {
    conditions.append("image.id IN (\(selections.map(\.sql).joined(separator: " UNION ALL ")))")
    arguments += StatementArguments(selections.map(\.match))
  }

  private static func isCommon(_ match: String, _ db: Database) throws -> Bool {
    let sql = "SELECT count(*) FROM (\(words) LIMIT \(Limits.commonImages))"
    let count = try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [match])
    return count == Limits.commonImages
  }

  /// The selections that have anything; most libraries have neither members nor pairs.
  private static func found(
    _ selections: [(sql: String, match: String)],
    _ db: Database
  ) throws -> [(sql: String, match: String)] {
    try selections.filter { sql, match in
      let statement = try db.cachedStatement(sql: "\(sql) LIMIT 1")
      return try Row.fetchOne(statement, arguments: [match]) != nil
    }
  }

  private static func match(_ word: String, feeds: [Int64]) -> String {
    let inText = "{title caption author} : \"\(word)\" *"
    return feeds.isEmpty ? "(\(inText))" : "(\(inText) OR \(match(feeds: feeds)))"
  }

  private static func match(feeds: [Int64]) -> String {
    "feed : (\(feeds.sorted().map { "\"f\($0)\"" }.joined(separator: " OR ")))"
  }
}

/// A text as the indexes cut it, each word once.
private struct CutText {
  private(set) var words: [String] = []
  private(set) var pairWords: [[Unicode.Scalar]] = []

  init(_ text: String?, _ tokenizer: any FTS5Tokenizer) throws {
    guard let text else { return }
    let parts = LetterPairs(text)
    var known: Set<String> = []
    words = try tokenizer.tokenize(query: parts.rest).map(\.token)
      .filter { known.insert($0).inserted }
    var knownParts: Set<[Unicode.Scalar]> = []
    pairWords = parts.words.filter { knownParts.insert($0).inserted }
  }

  func has(_ word: String) -> Bool {
    words.contains { $0.hasPrefix(word) } || has(LetterPairs.letters(of: word))
  }

  func has(_ word: [Unicode.Scalar]) -> Bool { pairWords.contains { $0.contains(word) } }

  /// Each pair costs the index as much as a word does.
  func check() throws {
    let limit = Limits.searchWords
    let count = words.count + pairWords.reduce(0) { $0 + max($1.count - 1, 1) }
    guard count > 0 else {
      throw StoreError(reason: .nothingToSearch, path: "", message: "nothing to search")
    }
    guard count <= limit else {
      throw StoreError(reason: .tooManyWords(limit: limit), path: "", message: "too many words")
    }
  }
}

/// The words of a text that are in a script without blanks between its words, and the rest of the text.
///
/// The index of words takes a run such as "小川のせせらぎ" for one word, which it finds by its beginning only.
/// So the words of these scripts, with the letters and digits that stand in them ("東京NHK"), are kept in an index
/// of their own as pairs of neighbours: "小川 川の のせ …". Any part of a word, from one letter on, is then a phrase
/// of pairs, found exactly where it stands; FTS5's own trigrams would find nothing by two letters.
struct LetterPairs {
  /// The words, each letter folded.
  private(set) var words: [[Unicode.Scalar]] = []
  /// What the index of words can cut itself.
  private(set) var rest = ""

  init(_ text: String) {
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

  /// What the index has of these texts; nil when none of them has such a word.
  ///
  /// The last letter of a word stands alone: so every letter begins a token, and no phrase goes on in the next
  /// word.
  static func index(of texts: String?...) -> String? {
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
  static func phrase(_ word: some Collection<Unicode.Scalar>) -> String {
    if let letter = word.first, word.count == 1 { return "\"\(letter)\" *" }
    return "\"\(pairs(of: word).joined(separator: " "))\""
  }

  private static func pairs(of word: some Collection<Unicode.Scalar>) -> [String] {
    zip(word, word.dropFirst()).map { "\($0)\($1)" }
  }

  /// Whether the text goes as far as Thai, which is the first of these scripts: hardly any other does.
  private static func mayHoldPairs(_ text: String) -> Bool {
    let bytes = text.utf8Span.span
    for index in bytes.indices where bytes[index] >= 0xE0 { return true }
    return false
  }

  /// Whether a letter is of a script without blanks, or whose words are looked for inside longer ones.
  private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x0E00: false
    // Thai and Lao; Burmese; Hangul's parts; Khmer; New Tai Lue and Tai Tham.
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x1950...0x1AAF: true
    // Chinese, kana, Bopomofo, Yi; Hangul; what widths and compatibility have added to them.
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
  static func letters(of word: String.UnicodeScalarView) -> [Unicode.Scalar] { word.map(folded) }

  static func letters(of word: String) -> [Unicode.Scalar] { letters(of: word.unicodeScalars) }

  /// Wide letters and digits are as good as narrow ones, capital letters as small ones.
  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if isUnspaced(scalar) { return scalar }
    var narrow = scalar
    if case 0xFF01...0xFF5E = scalar.value {
      narrow = Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }
    return narrow.properties.lowercaseMapping.unicodeScalars.first ?? narrow
  }
}

extension LetterPairs {
  /// Gives SQL the function that the index's view makes its text with.
  static func addFunction(to db: Database) {
    db.add(
      function: DatabaseFunction("letter_pairs", argumentCount: 3, pure: true) { values in
        let texts = values.map(String.fromDatabaseValue)
        return index(of: texts[0], texts[1], texts[2])
      }
    )
  }
}
