import Models
import Store
import Workers

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
