/// Ids in one word, as people type them for other programs: `7`, `1,2,3`, `4-6`, `1-3,7`.
package struct IDList: Equatable {
  /// The most ids of one word.
  private static let most: Int64 = 10_000

  /// The ids and ranges between the commas; of a range, a command takes the ids that exist.
  package let parts: [ClosedRange<Int64>]

  package var ids: [Int64] { parts.flatMap { Array($0) } }

  /// Reads a word; returns nil for anything but ids, for a range that runs backwards, and for too many ids.
  package init?(_ text: String) {
    // Programs that fill up numbers write zeros before one.
    if text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let id = Int64(text) {
      parts = [id...id]
      return
    }
    var parts: [ClosedRange<Int64>] = []
    var count = 0
    for part in text.split(separator: ",") {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
      let numbers = ends.compactMap(Self.number)
      guard numbers.count == ends.count, numbers.count <= 2, let first = numbers.first,
        let last = numbers.last, first <= last, last - first < Self.most
      else { return nil }
      parts.append(first...last)
      count += parts[parts.count - 1].count
      if count > Self.most { return nil }
    }
    if parts.isEmpty { return nil }
    self.parts = parts
  }

  /// An id; one with a zero before it is rather a part of a date or of a large number.
  private static func number(_ text: Substring) -> Int64? {
    let isNumber = text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    return isNumber && (text.first != "0" || text.count == 1) ? Int64(text) : nil
  }

  /// What is wrong with a word that was probably meant to be ids, with what to write instead; nil for other words.
  package static func mistake(in text: String) -> String? {
    var plain = text
    for mark in ["...", "..", "\u{2013}", "\u{2014}", "\u{2026}"] {
      plain = plain.split(separator: mark, omittingEmptySubsequences: false).joined(separator: "-")
    }
    if plain != text, IDList(plain) != nil { return "a range of ids is written \(plain)" }
    if text.hasPrefix("#"), IDList(String(text.dropFirst())) != nil {
      return "an id is written without #: \(text.dropFirst())"
    }
    for part in text.split(separator: ",") {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, let first = number(ends[0]) else { continue }
      if ends[1].isEmpty { return "a range of ids has an end, as in \(first)-\(first.adding(9))" }
      guard let last = number(ends[1]) else { continue }
      if last < first { return "a range of ids rises: \(last)-\(first)" }
      if last - first >= most { return "a range has at most \(most) ids" }
    }
    return nil
  }

  /// The words of a command with the parts of lists of feeds each in a word of its own, except the names of files.
  ///
  /// A range stays as it is: a title may look like one, such as `2024-2025`. So does what may be one number: of `1,234`,
  /// the feed 1 must not be removed.
  package static func spreading(_ feeds: [String], fileExists: (String) -> Bool) -> [String] {
    feeds.flatMap { text in
      let mayBeNumber = text.split(separator: ",").dropFirst().allSatisfy { $0.utf8.count == 3 }
      guard text.contains(","), let list = IDList(text),
        list.ids.count == 1 || text.contains("-") || !mayBeNumber, !fileExists(text)
      else { return [text] }
      return text.split(separator: ",").map(String.init)
    }
  }
}
