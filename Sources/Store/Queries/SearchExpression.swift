package import Models
import Workers

/// The SQL of a search for images that have all of a user's words.
///
/// Each word must begin a word of an image's own text, of its manifest's text, or of its feed's title; those behind
/// `camera:`, of its camera's name (`CameraSearch`). Words of `LetterPairs` may be anywhere in a word. The search is split
/// and folded like the stored text, so no part of it acts as the syntax of a query. Each database has an index of words
/// of its own kind: see `WordMatches` and `WordVectors`.
package struct SearchExpression {
  /// The most distinct words of a search: the time that SQLite takes grows with the square of their number.
  package static let mostWords = 100

  /// Each is about a part of the words.
  var conditions: [String] = []
  /// Whether so many images match that a walk along the order's index finds a page sooner than sorting all of them.
  private(set) var isCommon = false

  /// The condition; with `isForWalk`, SQLite does not start with the matching images.
  func sql(isForWalk: Bool = false) -> String {
    conditions.map { (isForWalk ? "+" : "") + $0 }.joined(separator: " AND ")
  }

  /// The conditions of a request's search and of the part that its client may see; nil when there is neither.
  ///
  /// Each is made from its own text: signs in one cannot undo the other.
  ///
  /// - Throws: when the request's search has no words, when one of them has too many, or when the library cannot be
  ///   read.
  package static func of(_ query: ImageQuery, _ db: Connection) throws -> SearchExpression? {
    guard query.search != nil || query.part.search != nil else { return nil }
    let feeds = try SearchedTitles(db)
    let asked = try query.search.map { try SearchExpression($0, feeds, db) }
    guard let words = query.part.search else { return asked }
    let part: SearchExpression
    do {
      part = try SearchExpression(words, feeds, db)
    } catch let error as StoreError where error.reason == .nothingToSearch {
      part = SearchExpression(conditions: ["false"])
    }
    guard let asked else { return part }
    return SearchExpression(
      conditions: asked.conditions + part.conditions,
      isCommon: asked.isCommon && part.isCommon
    )
  }

  private init(conditions: [String], isCommon: Bool = false) {
    self.conditions = conditions
    self.isCommon = isCommon
  }

  /// - Throws: also when the search has no words, or more than `mostWords`.
  private init(_ search: String, _ feeds: SearchedTitles, _ db: Connection) throws {
    let camera = CameraSearch(search)
    let asked = SearchWords(camera.rest)
    guard asked.count + camera.words.count > 0 else {
      throw StoreError(reason: .nothingToSearch, path: "", message: "nothing to search")
    }
    guard asked.count + camera.words.count <= Self.mostWords else {
      let reason = StoreError.Reason.tooManyWords(limit: Self.mostWords)
      throw StoreError(reason: reason, path: "", message: "too many words")
    }
    if asked.count > 0 { try add(asked, feeds, db) } else { isCommon = true }
    if camera.words.count > 0 {
      let condition = try camera.condition(db)
      conditions.append(condition.sql)
      isCommon = isCommon && condition.isCommon
    }
    // PostgreSQL chooses by itself.
    if case .postgres = db.dialect { isCommon = false }
  }

  /// Adds the conditions of words in texts.
  private mutating func add(
    _ asked: SearchWords,
    _ feeds: SearchedTitles,
    _ db: Connection
  ) throws {
    if try Self.isFoldedInOtherWays(db) {
      conditions = try [SearchScan.condition(asked, feeds, db)]
      return
    }
    // A search of indexes that hardly any image needs takes as long as the search itself.
    let hasMembers = try db.hasRow("SELECT 1 FROM member LIMIT 1")
    switch db.dialect {
    case .sqlite:
      let matches = try WordMatches(asked, feeds, hasMembers: hasMembers, db)
      (conditions, isCommon) = (matches.conditions, matches.isCommon)
    case .postgres:
      conditions = WordVectors(asked, feeds, hasMembers: hasMembers).conditions
    }
  }
}

extension SearchExpression {
  /// Whether an older program wrote the words of the library, and no later one has rewritten them.
  private static func isFoldedInOtherWays(_ db: Connection) throws -> Bool {
    switch db.dialect {
    case .sqlite: try !SearchWriting.isCurrent(db)
    case .postgres: try db.hasRow("SELECT 1 FROM library WHERE schema_version = 1")
    }
  }
}

/// The titles of all feeds, in which a search looks itself.
struct SearchedTitles {
  private let titles: [(id: Int64, words: SearchWords)]

  init(_ db: Connection) throws {
    titles = try FeedReferences.titles(db).map { ($0.id, SearchWords($0.title)) }
  }

  func ids(with word: String) -> [Int64] { titles.filter { $0.words.has(word) }.map(\.id) }

  func ids(with word: [Unicode.Scalar]) -> [Int64] {
    titles.filter { $0.words.has(word) }.map(\.id)
  }
}
