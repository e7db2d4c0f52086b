/// Finds the word that a person probably meant to type.
package enum NearestWord {
  /// The options and commands that delete, evict, replace or run something, or that trust more.
  ///
  /// Letters alone lead to none of them: `clean --all` does not mean `--now`.
  private static let harmful: Set = [
    "accept-removals", "admin", "allow-private", "clean", "exec", "force", "keep", "keep-free",
    "keep-originals", "linked-originals", "new", "no-limits", "now", "purge", "remove", "repair",
    "take-newer", "take-over", "unpin",
  ]

  /// The word that is most similar to another; nil when no word is similar, or when that word is harmful.
  ///
  /// - Parameters:
  ///   - word: The word that was typed.
  ///   - words: The words that there are.
  ///   - avoided: Words that lead to something harmful.
  /// - Returns: The word to suggest.
  package static func nearest(
    to word: String,
    among words: [String],
    avoiding avoided: [String] = []
  ) -> String? {
    let all = words.map { ($0, isHarmful($0)) } + avoided.map { ($0, true) }
    let near = all.map { (name: $0, isHarmful: $1, mistakes: mistakes(in: word, for: $0)) }
      .min { ($0.mistakes, $0.isHarmful ? 1 : 0) < ($1.mistakes, $1.isHarmful ? 1 : 0) }
    guard let near, near.mistakes <= max(1, word.count / 3), near.mistakes < near.name.count - 1
    else { return nil }
    return near.isHarmful ? nil : near.name
  }

  /// Whether a word is harmful: a command, an option, or a variable that sets one (`GALLERY_SYNC_EXEC`).
  package static func isHarmful(_ word: String) -> Bool {
    let name = word.lowercased().drop { $0 == "-" }.replacing("_", with: "-")
    return harmful.contains { name == $0 || name.hasSuffix("-\($0)") }
  }

  /// The number of mistakes in a word; two letters that changed places are one.
  private static func mistakes(in word: String, for meant: String) -> Int {
    let distance = distance(Array(meant), Array(word))
    return distance == 2 && word.sorted() == meant.sorted() ? 1 : distance
  }

  /// The number of letters to insert, delete or replace to turn one word into the other (Levenshtein).
  package static func distance(_ first: [Character], _ second: [Character]) -> Int {
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
      var corner = row[0]
      row[0] = index + 1
      for (index, other) in second.enumerated() {
        let cost = min(row[index] + 1, row[index + 1] + 1, corner + (letter == other ? 0 : 1))
        (corner, row[index + 1]) = (row[index + 1], cost)
      }
    }
    return row[second.count]
  }
}
