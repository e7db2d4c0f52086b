import Workers

/// A search in the texts themselves, for a library whose words an older program has folded in another way.
///
/// Programs that only read may open such a library, and its indexes would not have all words that they look for. The
/// next program that writes rebuilds the indexes.
enum SearchScan {
  /// A server sends all rows of a step before the first is read.
  private static let rowsPerStep = 10_000

  /// The condition that images have all words.
  static func condition(
    _ asked: SearchWords,
    _ feeds: SearchedTitles,
    _ db: Connection
  ) throws -> String {
    let ways = try ways(asked, feeds, db)
    let sql = """
      SELECT id, feed_id, title, caption, author FROM image WHERE id > $1
      ORDER BY id LIMIT \(rowsPerStep)
      """
    var (ids, last) = ([Int64](), Int64.min)
    while true {
      let rows = try db.rows(sql, last) { row -> (id: Int64, isFound: Bool)? in
        let (id, feedID): (Int64, Int64) = try (row.value(0), row.value(1))
        let words = try words(of: row, from: 2)
        let isFound = ways.allSatisfy { way in
          way.isIn(words) || way.feeds.contains(feedID) || way.images.contains(id)
        }
        return (id: id, isFound: isFound)
      }
      guard let end = rows.last else { break }
      ids += rows.filter(\.isFound).map(\.id)
      last = end.id
    }
    let list = ids.map(String.init).joined(separator: ",")
    return switch db.dialect {
    case .sqlite: "image.id IN (SELECT value FROM json_each('[\(list)]'))"
    case .postgres: "image.id = ANY(CAST('{\(list)}' AS bigint[]))"
    }
  }

  /// The ways in which an image can have a word: in its own texts, in its feed's title, or in its manifest.
  private struct Way {
    var isIn: (SearchWords) -> Bool
    var feeds: Set<Int64>
    /// The images whose manifests have the word.
    var images: Set<Int64> = []
  }

  private static func ways(
    _ asked: SearchWords,
    _ feeds: SearchedTitles,
    _ db: Connection
  ) throws -> [Way] {
    var ways = asked.words.map { word in
      Way(isIn: { $0.has(word) }, feeds: Set(feeds.ids(with: word)))
    }
    ways += asked.pairWords.map { word in
      Way(isIn: { $0.has(word) }, feeds: Set(feeds.ids(with: word)))
    }
    let members = try db.rows("SELECT id, label, details, attribution FROM member") { row in
      try (id: row.value(0) as Int64, words: words(of: row, from: 1))
    }
    for member in members {
      let places = ways.indices.filter { ways[$0].isIn(member.words) }
      if places.isEmpty { continue }
      let sql = "SELECT image_id FROM member_image WHERE member_id = $1"
      let images: [Int64] = try db.column(sql, member.id)
      for place in places { ways[place].images.formUnion(images) }
    }
    return ways
  }

  /// The words of three texts in a row.
  private static func words(of row: Row, from column: Int) throws -> SearchWords {
    let texts: [String?] = try [row.value(column), row.value(column + 1), row.value(column + 2)]
    return SearchWords(texts.compactMap { $0.map { LetterPairs($0) } })
  }
}
