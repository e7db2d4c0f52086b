/// Ids in one word, as people type them for other programs: `7`, `1,2,3`, `4-6`, `1-3,7`.
struct IDList: Equatable {
  /// The most ids of one word.
  private static let most: Int64 = 10_000

  let ids: [Int64]

  /// Reads a word; returns nil for anything but ids, for a range that runs backwards, and for too many ids.
  init?(_ text: String) {
    // Programs that fill up numbers write zeros before one.
    if text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let id = Int64(text) {
      ids = [id]
      return
    }
    var ids: [Int64] = []
    for part in text.split(separator: ",") {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
      let numbers = ends.compactMap(Self.number)
      guard numbers.count == ends.count, numbers.count <= 2, let first = numbers.first,
        let last = numbers.last, first <= last, last - first < Self.most
      else { return nil }
      ids += first...last
      if ids.count > Self.most { return nil }
    }
    if ids.isEmpty { return nil }
    self.ids = ids
  }

  /// An id; one with a zero before it is rather a part of a date or of a large number.
  private static func number(_ text: Substring) -> Int64? {
    let isNumber = text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    return isNumber && (text.first != "0" || text.count == 1) ? Int64(text) : nil
  }

  /// The words of a command with the feeds in lists each in a word of its own, except the names of files.
  ///
  /// A range stays as it is: a title may look like one, such as `2024-2025`. So does what may be one number: of `1,234`,
  /// the feed 1 must not be removed.
  static func spreading(_ feeds: [String], fileExists: (String) -> Bool) -> [String] {
    feeds.flatMap { text in
      let mayBeNumber = text.split(separator: ",").dropFirst().allSatisfy { $0.utf8.count == 3 }
      guard text.contains(","), !text.contains("-"), let list = IDList(text),
        list.ids.count == 1 || !mayBeNumber, !fileExists(text)
      else { return [text] }
      return list.ids.map(String.init)
    }
  }
}
