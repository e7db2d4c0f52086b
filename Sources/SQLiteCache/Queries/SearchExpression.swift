import GRDB
import Models
import Workers

/// A user's words as an expression of the full-text index.
///
/// The index's own tokenizer cuts the text, so that nothing in it can be taken for query syntax,
/// and what is asked for is cut and folded like what is stored. Each word must begin a word of an
/// image's own text, or of its feed's title: which feeds those are is found here, since the index
/// holds only a token for each feed.
struct SearchExpression {
  private let tokenizer: any FTS5Tokenizer

  init(_ db: Database) throws {
    tokenizer = try db.makeTokenizer(.unicode61(diacritics: .remove))
  }

  /// Nil when the text has no words in it, and so asks for nothing.
  ///
  /// - Throws: also for more words than `Limits.searchWords`.
  func text(_ search: String, feeds: FeedTitles) throws -> String? {
    let words = try differentWords(in: search)
    guard !words.isEmpty else { return nil }
    let titles = try feeds.references.map {
      (id: $0.id, words: try self.words(in: $0.title))
    }
    return words.map { word in
      let ids = titles.filter { $0.words.contains { $0.hasPrefix(word) } }.map(\.id)
      return Self.term(word, feeds: ids.sorted())
    }
    .joined(separator: " AND ")
  }

  private static func term(_ word: String, feeds: [Int64]) -> String {
    let inText = "{title caption author} : \"\(word)\" *"
    guard !feeds.isEmpty else { return "(\(inText))" }
    let tokens = feeds.map { "\"f\($0)\"" }.joined(separator: " OR ")
    return "(\(inText) OR feed : (\(tokens)))"
  }

  /// The words in their order, each once.
  private func differentWords(in search: String) throws -> [String] {
    let limit = Limits.searchWords
    var known: Set<String> = []
    let words = try words(in: search).filter { known.insert($0).inserted }
    guard words.count <= limit else {
      throw StoreError(reason: .tooManyWords(limit: limit), path: "", message: "too many words")
    }
    return words
  }

  private func words(in text: String?) throws -> [String] {
    guard let text else { return [] }
    return try tokenizer.tokenize(query: text).map(\.token)
  }
}
