/// Finds the word that a person probably meant to type.
package enum NearestWord {
  /// The word that is most similar to another; nil when none of them is similar.
  package static func nearest(to word: String, among words: [String]) -> String? {
    let near = words.map { ($0, mistakes(in: word, for: $0)) }.min { $0.1 < $1.1 }
    return near.flatMap { $0.1 <= max(1, word.count / 3) && $0.1 < $0.0.count - 1 ? $0.0 : nil }
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
