/// A tag, comment or declaration of HTML inside a text.
struct HTMLTag {
  /// Where the text goes on.
  let end: Int
  /// Whether the words before and after belong to different lines.
  let separatesWords: Bool

  /// Looks at a `<`; nil unless it opens something of HTML.
  ///
  /// `ends` and `signs` know where the next `>` and `=` stand.
  init?(
    in bytes: Span<UInt8>,
    at start: Int,
    ends: inout NextPlace,
    signs: inout NextPlace
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

  /// The element's name in lower case; nil when this is only something in angle brackets.
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

  /// Elements that can stand in the middle of a word.
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

  /// Whether an element of this name, in lower case, separates the words around it.
  static func separatesWords(_ name: String) -> Bool { !inlineElements.contains(name) }
}
