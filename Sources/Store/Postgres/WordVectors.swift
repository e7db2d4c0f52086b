import Models
import Workers

/// The conditions of a search with the words in PostgreSQL's rows (`folded_words`).
struct WordVectors {
  private(set) var conditions: [String] = []

  init(_ asked: SearchWords, _ feeds: SearchedTitles, hasMembers: Bool) {
    var plain: [String] = []
    for word in asked.words {
      let ids = feeds.ids(with: word)
      let part = SearchWords.query(part: Array(word.unicodeScalars))
      let query = "(\(SearchWords.query(word)) | (\(part)))"
      if ids.isEmpty, !hasMembers { plain.append(query) } else { add(query, ids, hasMembers) }
    }
    if !plain.isEmpty { add(plain.joined(separator: " & "), [], false) }
    for word in asked.pairWords {
      add(SearchWords.query(part: word), feeds.ids(with: word), hasMembers)
    }
  }

  /// Adds the condition of a query.
  ///
  /// Tokens consist of letters and digits, so they cannot end the query's literal.
  private mutating func add(_ query: String, _ feeds: [Int64], _ hasMembers: Bool) {
    let words = "CAST('\(query.escaping("'", as: "''"))' AS tsquery)"
    var ways = ["image.folded_words @@ \(words)"]
    if !feeds.isEmpty {
      ways.append("image.feed_id IN (\(feeds.map(String.init).joined(separator: ", ")))")
    }
    if hasMembers {
      ways.append(
        """
        image.id IN (
          SELECT image_id FROM member_image JOIN member ON member.id = member_id
          WHERE member.folded_words @@ \(words)
        )
        """
      )
    }
    conditions.append("(\(ways.joined(separator: " OR ")))")
  }
}

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
  /// The value of the column `folded_words`.
  var words: String { SearchWords.vector(of: title, caption, author) }
}
