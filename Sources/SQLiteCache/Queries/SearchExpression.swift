import GRDB
import Models
import Workers

/// The SQL condition that an image has all the words of a search.
///
/// The index's own tokenizer splits the search, so that no part of it acts as query syntax. The search is split and
/// folded like the stored text. Each word must begin a word of an image's own text, of its manifest's text, or of its
/// feed's title. The index has only a token for each feed, so the matching titles are looked for here. Words of
/// `LetterPairs` may occur anywhere in a word.
struct SearchExpression {
  private(set) var arguments = StatementArguments()
  /// Whether so many images match that a walk along the order's index finds a page sooner than sorting all of them.
  private(set) var isCommon = false
  private var conditions: [String] = []

  /// The condition; with `isForWalk`, SQLite does not start with the matching images.
  func sql(isForWalk: Bool) -> String {
    conditions.map { (isForWalk ? "+" : "") + $0 }.joined(separator: " AND ")
  }

  /// The conditions of a request's search and of the part that its client may see; nil when there is neither.
  ///
  /// Each is made from its own text: signs in one cannot undo the other.
  ///
  /// - Throws: when the request's search has no words, or one of them has more than `Limits.searchWords`.
  static func of(_ query: ImageQuery, _ db: Database) throws -> SearchExpression? {
    guard query.search != nil || query.part.search != nil else { return nil }
    let feeds = try FeedTitles(db)
    let asked = try query.search.map { try SearchExpression($0, feeds: feeds, db) }
    guard let words = query.part.search else { return asked }
    let part: SearchExpression
    do {
      part = try SearchExpression(words, feeds: feeds, db)
    } catch let error as StoreError where error.reason == .nothingToSearch {
      part = SearchExpression()
    }
    return asked?.and(part) ?? part
  }

  /// The condition that no image meets.
  private init() { conditions = ["0"] }

  private func and(_ other: SearchExpression) -> SearchExpression {
    var both = self
    both.conditions += other.conditions
    both.arguments += other.arguments
    both.isCommon = isCommon && other.isCommon
    return both
  }

  /// - Throws: also when the search has no words, or more than `Limits.searchWords`.
  init(_ search: String, feeds: FeedTitles, _ db: Database) throws {
    let tokenizer = try db.makeTokenizer(.unicode61(diacritics: .remove))
    let asked = try CutText(search, tokenizer)
    try asked.check()
    let titles = try feeds.references.map { (id: $0.id, text: try CutText($0.title, tokenizer)) }
    // A search of indexes that hardly any image needs takes as long as the search itself.
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

  /// The images of the members that a selection finds.
  private static func members(_ selection: String) -> String {
    """
    SELECT image_id FROM member_image
    WHERE member_id IN (SELECT -rowid FROM (\(selection) AND rowid < 0))
    """
  }

  /// Adds the condition that an image is in one of the selections.
  private mutating func add(_ selections: [(sql: String, match: String)]) {
    conditions.append("image.id IN (\(selections.map(\.sql).joined(separator: " UNION ALL ")))")
    arguments += StatementArguments(selections.map(\.match))
  }

  private static func isCommon(_ match: String, _ db: Database) throws -> Bool {
    let sql = "SELECT count(*) FROM (\(words) LIMIT \(Limits.commonImages))"
    let count = try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [match])
    return count == Limits.commonImages
  }

  /// The selections that find something; most libraries have neither members nor pairs.
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

/// A text as the indexes split it, each word once.
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

  /// Throws when there is no word, or too many; each pair costs the index as much as a word.
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

extension LetterPairs {
  /// Adds the SQL function with which the index's view makes its text.
  static func addFunction(to db: Database) {
    db.add(
      function: DatabaseFunction("letter_pairs", argumentCount: 3, pure: true) { values in
        let texts = values.map(String.fromDatabaseValue)
        return index(of: texts[0], texts[1], texts[2])
      }
    )
  }
}
