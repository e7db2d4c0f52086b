import Workers

/// The conditions of a search with SQLite's full-text indexes.
///
/// The index has only a token for each feed, so the matching titles are looked for in the feeds.
package struct WordMatches {
  private(set) var conditions: [String] = []
  /// See `SearchExpression.isCommon`.
  private(set) var isCommon = false

  /// The number of matching images from which the words of a search count as common.
  package static let commonImages = 5_000

  /// A selection of images by an index, and its words.
  private typealias Selection = (sql: (String) -> String, match: String)

  init(
    _ asked: SearchWords,
    _ feeds: SearchedTitles,
    hasMembers: Bool,
    _ db: Connection
  ) throws {
    var plain: [String] = []
    for word in asked.words {
      let match = Self.match(word, feeds: feeds.ids(with: word))
      let letters = word.unicodeScalars.prefix(SearchExpression.mostWords)
      let phrase = LetterPairs.phrase(letters)
      let ofMembers: [Selection] = [
        (Self.memberWords, Self.match(word, feeds: [])), (Self.memberPairs, phrase),
      ]
      let others = try ([(Self.pairs, phrase)] + (hasMembers ? ofMembers : [])).filter {
        try Self.findsAny($0, db)
      }
      if others.isEmpty { plain.append(match) } else { add([(Self.words, match)] + others) }
    }
    if !plain.isEmpty {
      let match = plain.joined(separator: " AND ")
      isCommon =
        try asked.pairWords.isEmpty && plain.count == asked.words.count && Self.isCommon(match, db)
      add([(Self.words, match)])
    }
    for word in asked.pairWords {
      let ids = feeds.ids(with: word)
      let byFeed: [Selection] = ids.isEmpty ? [] : [(Self.words, Self.match(feeds: ids))]
      let phrase = LetterPairs.phrase(word)
      add([(Self.pairs, phrase), (Self.memberPairs, phrase)] + byFeed)
    }
  }

  private static func words(_ match: String) -> String {
    "SELECT rowid FROM image_search WHERE image_search MATCH \(match)"
  }

  private static func pairs(_ match: String) -> String {
    "SELECT rowid FROM image_search_pairs WHERE image_search_pairs MATCH \(match)"
  }

  private static func memberWords(_ match: String) -> String { members(words(match)) }
  private static func memberPairs(_ match: String) -> String { members(pairs(match)) }

  /// The images of the members that a selection finds.
  private static func members(_ selection: String) -> String {
    """
    SELECT image_id FROM member_image
    WHERE member_id IN (SELECT -rowid FROM (\(selection) AND rowid < 0))
    """
  }

  /// Adds the condition that an image is in one of the selections.
  ///
  /// Words consist of letters and digits, so they cannot end a literal.
  private mutating func add(_ selections: [Selection]) {
    let images = selections.map { sql, match in sql("'\(match)'") }
    conditions.append("image.id IN (\(images.joined(separator: " UNION ALL ")))")
  }

  private static func isCommon(_ match: String, _ db: Connection) throws -> Bool {
    let sql = "SELECT count(*) FROM (\(words("$1")) LIMIT \(commonImages))"
    return try db.value(sql, match) == commonImages
  }

  /// Whether a selection finds something; most libraries have neither members nor pairs.
  private static func findsAny(_ selection: Selection, _ db: Connection) throws -> Bool {
    try db.hasRow("\(selection.sql("$1")) LIMIT 1", selection.match)
  }

  private static func match(_ word: String, feeds: [Int64]) -> String {
    let inText = "{title caption author} : \"\(word)\" *"
    return feeds.isEmpty ? "(\(inText))" : "(\(inText) OR \(match(feeds: feeds)))"
  }

  private static func match(feeds: [Int64]) -> String {
    "feed_token : (\(feeds.sorted().map { "\"f\($0)\"" }.joined(separator: " OR ")))"
  }
}
