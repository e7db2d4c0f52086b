/// Makes one line of plain text from the text or HTML of a feed.
///
/// It collapses white space, decodes character references and removes HTML tags. Feeds mix up text
/// and HTML so often that their declarations are useless. So anything that looks like neither an
/// HTML tag nor a reference stays unchanged.
struct PlainText: ~Copyable {
  private var output: [UInt8] = []
  private var isSpacePending = false
  private let limit: Int
  private var ends = NextByte(of: UInt8(ascii: ">"))
  private var signs = NextByte(of: UInt8(ascii: "="))

  /// The plain text of `markup`, at most `limit` bytes of it; nil when nothing is left.
  static func line(of markup: Span<UInt8>, limit: Int) -> String? {
    let trimmed = markup.extracting(markup.trimmedRange)
    if trimmed.isEmpty { return nil }
    if trimmed.count <= limit, isPlain(trimmed) { return trimmed.text }
    var text = PlainText(limit: limit)
    text.read(trimmed)
    return text.result
  }

  /// The plain text of `markup`, at most `limit` bytes of it; nil when nothing is left.
  static func line(of markup: String, limit: Int) -> String? {
    line(of: markup.utf8Span.span, limit: limit)
  }

  private init(limit: Int) { self.limit = limit }

  /// Whether the text needs no change, as with most titles.
  private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
    var isAfterSpace = false
    for index in bytes.indices {
      let byte = bytes[index]
      guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&"),
        !(byte == 0x20 && isAfterSpace)
      else { return false }
      isAfterSpace = byte == 0x20
    }
    return true
  }

  private mutating func read(_ bytes: Span<UInt8>) {
    var index = 0
    while index < bytes.count, output.count <= limit {
      switch bytes[index] {
      case UInt8(ascii: "<"): index = readTag(in: bytes, at: index)
      case UInt8(ascii: "&"): index = readReference(in: bytes, at: index)
      default: index = readCharacter(in: bytes, at: index)
      }
    }
  }

  private mutating func readTag(in bytes: Span<UInt8>, at start: Int) -> Int {
    guard let tag = HTMLTag(in: bytes, at: start, ends: &ends, signs: &signs) else {
      append(bytes[start])
      return start + 1
    }
    if tag.separatesWords { isSpacePending = true }
    return tag.end
  }

  private mutating func readReference(in bytes: Span<UInt8>, at start: Int) -> Int {
    guard let (scalar, end) = CharacterReference.read(in: bytes, at: start) else {
      append(bytes[start])
      return start + 1
    }
    append(scalar)
    return end
  }

  private mutating func readCharacter(in bytes: Span<UInt8>, at start: Int) -> Int {
    let byte = bytes[start]
    if byte <= 0x20 || byte == 0x7F {
      isSpacePending = true
      return start + 1
    }
    // No-break space, next line, line separator, paragraph separator.
    if byte == 0xC2, start + 1 < bytes.count, bytes[start + 1] == 0xA0 || bytes[start + 1] == 0x85 {
      isSpacePending = true
      return start + 2
    }
    if byte == 0xE2,
      bytes.begins(with: "\u{2028}", at: start) || bytes.begins(with: "\u{2029}", at: start)
    {
      isSpacePending = true
      return start + 3
    }
    append(byte)
    return start + 1
  }

  private mutating func append(_ byte: UInt8) {
    if isSpacePending, !output.isEmpty { output.append(0x20) }
    isSpacePending = false
    output.append(byte)
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.properties.isWhitespace || scalar.value < 0x20 {
      isSpacePending = true
    } else {
      for byte in scalar.utf8 { append(byte) }
    }
  }

  /// The text so far, cut at the limit, but never inside a character or after a space.
  private var result: String? {
    var end = output.count
    if end > limit {
      end = limit
      while end > 0, output[end] & 0xC0 == 0x80 { end -= 1 }
      // The text never has two spaces in a row.
      if end > 0, output[end - 1] == 0x20 { end -= 1 }
    }
    return end == 0 ? nil : String(decoding: output[..<end], as: UTF8.self)
  }
}

/// A tag, comment or declaration of HTML inside a text.
struct HTMLTag {
  /// The offset at which the text continues.
  let end: Int
  /// Whether the words before and after belong to different lines.
  let separatesWords: Bool

  /// Reads the tag at a `<`; nil when the `<` does not begin HTML.
  ///
  /// `ends` and `signs` find the next `>` and `=`.
  init?(
    in bytes: Span<UInt8>,
    at start: Int,
    ends: inout NextByte,
    signs: inout NextByte
  ) {
    guard start + 1 < bytes.count else { return nil }
    if bytes.begins(with: "<!--", at: start) {
      self.init(end: HTMLScanner.end(ofComment: start, in: bytes), separatesWords: false)
      return
    }
    guard let close = ends.from(start + 1, in: bytes) else { return nil }
    let next = bytes[start + 1]
    if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
      self.init(end: close + 1, separatesWords: false)
      return
    }
    let isClosing = next == UInt8(ascii: "/")
    let first = start + (isClosing ? 2 : 1)
    let content = bytes.extracting(first..<max(first, close))
    let hasAttribute = (signs.from(start, in: bytes) ?? close) < close
    let isMarked = isClosing || hasAttribute
    guard let name = Self.name(opening: content, isMarked: isMarked) else { return nil }
    var end = close + 1
    if !isClosing, let closing = HTMLWord(name.utf8Span.span).rawTextEnd {
      end = HTMLScanner.start(of: closing, in: bytes, from: end)
    }
    self.init(end: end, separatesWords: Self.separatesWords(name))
  }

  private init(end: Int, separatesWords: Bool) {
    self.end = end
    self.separatesWords = separatesWords
  }

  /// The element's name in lower case; nil when the text in angle brackets is not a tag.
  private static func name(opening content: Span<UInt8>, isMarked: Bool) -> String? {
    guard !content.isEmpty, content[0].isLetter else { return nil }
    var name: [UInt8] = []
    var isCompound = false
    for index in content.indices {
      let byte = content[index]
      if byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":") { isCompound = true }
      guard byte.isLetter || byte.isDigit || isCompound && byte > 0x20 && byte != UInt8(ascii: "/")
      else { break }
      name.append(byte.lowercased)
    }
    let text = String(decoding: name, as: UTF8.self)
    let isTag = isCompound || isMarked || elements.contains(text)
    return isTag ? text : nil
  }

  /// Elements that may occur inside a word.
  private static let inlineElements: Set<String> = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "ins", "kbd", "mark", "nobr", "q", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
  ]

  private static let elements = inlineElements.union([
    "address", "area", "article", "aside", "audio", "base", "blockquote", "body", "br", "button",
    "canvas", "caption", "center", "col", "colgroup", "dd", "details", "dialog", "dir", "div",
    "dl", "dt", "embed", "fieldset", "figcaption", "figure", "footer", "form", "frame",
    "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html",
    "iframe", "img", "input", "label", "legend", "li", "link", "main", "map", "menu", "meta",
    "nav", "noscript", "object", "ol", "optgroup", "option", "output", "p", "param", "picture",
    "pre", "progress", "rp", "rt", "ruby", "script", "section", "select", "slot", "source",
    "style", "summary", "svg", "table", "tbody", "td", "template", "textarea", "tfoot", "th",
    "thead", "title", "tr", "track", "ul", "video",
  ])

  /// Whether an element with this name, in lower case, separates the words around it.
  static func separatesWords(_ name: String) -> Bool { !inlineElements.contains(name) }
}

/// Finds the next occurrence of a byte, and remembers it.
///
/// For increasing offsets, it examines every byte of the text only once.
struct NextByte {
  private let byte: UInt8
  /// The offsets with a known answer; the last of them is the answer.
  private var known: Range<Int> = 0..<0

  init(of byte: UInt8) { self.byte = byte }

  /// The first offset at or after `start`; nil when the byte does not occur.
  mutating func from(_ start: Int, in bytes: Span<UInt8>) -> Int? {
    if start < known.lowerBound || start >= known.upperBound {
      let offset = bytes.first(byte, from: start) ?? bytes.count
      known = start..<(offset + 1)
    }
    let offset = known.upperBound - 1
    return offset < bytes.count ? offset : nil
  }
}
