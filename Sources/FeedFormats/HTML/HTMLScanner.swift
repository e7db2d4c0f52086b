/// Finds the tags in a text of HTML, one after the other.
///
/// There is no tree: pictures and links are told by single tags, and feeds cut their HTML off in the
/// middle, leave tags open and nest them wrongly, so a tree would be a guess. Every byte is looked at
/// once, nothing is kept, and there is no nesting to bound.
struct HTMLScanner {
  /// A tag: its element and where its attributes stand.
  struct Tag {
    let word: HTMLWord
    let isClosing: Bool
    let attributes: Range<Int>
    /// Where the tag begins and where the text after it does.
    let range: Range<Int>
  }

  private var index = 0

  /// The next tag that is one of HTML's words; nil at the end.
  mutating func next(in bytes: Span<UInt8>) -> Tag? {
    while let open = bytes.first(UInt8(ascii: "<"), from: index) {
      index = open + 1
      guard index < bytes.count else { break }
      if bytes[index] == UInt8(ascii: "!") {
        skipDeclaration(in: bytes, at: open)
      } else if let tag = readTag(in: bytes, at: open), tag.word != .other {
        if !tag.isClosing, let end = tag.word.rawTextEnd { skipRawText(until: end, in: bytes) }
        return tag
      }
    }
    index = bytes.count
    return nil
  }

  /// Passes over a comment; of another declaration only the mark, for what is in it may be markup.
  private mutating func skipDeclaration(in bytes: Span<UInt8>, at open: Int) {
    guard bytes.begins(with: "<!--", at: open) else { return }
    index = open + 4
    while let hyphen = bytes.first(UInt8(ascii: "-"), from: index) {
      index = hyphen + 1
      if bytes.begins(with: "-->", at: hyphen) { return }
    }
    index = bytes.count
  }

  private mutating func skipRawText(until end: StaticString, in bytes: Span<UInt8>) {
    while let mark = bytes.first(UInt8(ascii: "<"), from: index) {
      if bytes.beginsIgnoringCase(with: end, at: mark) {
        index = mark
        return
      }
      index = mark + 1
    }
    index = bytes.count
  }

  /// Reads the tag at `open`; nil when it is only something in angle brackets, or cut off.
  private mutating func readTag(in bytes: Span<UInt8>, at open: Int) -> Tag? {
    let isClosing = bytes[index] == UInt8(ascii: "/")
    if isClosing { index += 1 }
    let start = index
    while index < bytes.count, Self.standsInName(bytes[index]) { index += 1 }
    guard index > start else { return nil }
    let word = HTMLWord(bytes.extracting(start..<index))
    let attributes = index
    guard let end = HTMLAttributes.end(in: bytes, from: attributes) else {
      index = bytes.count
      return nil
    }
    index = end + 1
    return Tag(
      word: word,
      isClosing: isClosing,
      attributes: attributes..<end,
      range: open..<(end + 1)
    )
  }

  private static func standsInName(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":")
  }
}
