/// Finds a feed behind what programs print before it by mistake: warnings, comments, fragments.
enum DocumentStart {
  /// Where the feed begins; nil when nothing but the feed is there, or none.
  static func place(in bytes: [UInt8], from start: Int) -> Int? {
    let span = bytes.span
    let isFragment = fragments.contains { span.beginsIgnoringCase(with: $0, at: start) }
    let isMarkup = span.begins(with: "<", at: start)
    var end = start
    for index in start..<bytes.count where bytes[index] == UInt8(ascii: "<") && index >= end {
      if span.begins(with: "<!--", at: index) { end = self.end(ofComment: index, in: span) }
      if index > start || !isMarkup, span.begins(with: "<?xml ", at: index) { return index }
      let isRoot = roots.contains { span.beginsIgnoringCase(with: $0, at: index) }
      if isRoot { return isFragment || !isMarkup ? index : nil }
    }
    return nil
  }

  private static func end(ofComment start: Int, in bytes: Span<UInt8>) -> Int {
    var index = start + 4
    while index < bytes.count, !bytes.begins(with: "-->", at: index) { index += 1 }
    return index
  }

  /// Whether more than white space and byte order marks stands there.
  static func isPreceded(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.contains { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
  }

  private static let roots: [StaticString] = ["<rss", "<feed", "<rdf:rdf", "<opml"]

  private static let fragments: [StaticString] = [
    "<br", "<b>", "<p", "<div", "<font", "<pre", "<table", "<script", "<style", "<link",
  ]
}
