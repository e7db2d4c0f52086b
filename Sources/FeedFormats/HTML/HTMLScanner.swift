/// Finds the tags in an HTML text, one after another.
///
/// It builds no tree. Single tags are enough for pictures and links. Feeds cut their HTML off in the
/// middle, leave tags open and nest them wrongly, so a tree would be a guess. The scanner
/// examines every byte once, keeps nothing, and needs no limit on nesting.
struct HTMLScanner {
  /// A tag: its element and the range of its attributes.
  struct Tag {
    let word: HTMLWord
    let isClosing: Bool
    let attributes: Range<Int>
    /// The range from the beginning of the tag to the text after it.
    let range: Range<Int>
  }

  private var index = 0

  /// The next tag whose element is in `HTMLWord`; nil at the end.
  mutating func next(in bytes: Span<UInt8>) -> Tag? {
    while let open = bytes.first(UInt8(ascii: "<"), from: index) {
      index = open + 1
      guard index < bytes.count else { break }
      if bytes[index] == UInt8(ascii: "!") {
        // Of any other declaration, skip only the mark, because its content may be markup.
        if bytes.begins(with: "<!--", at: open) { index = Self.end(ofComment: open, in: bytes) }
      } else if let tag = readTag(in: bytes, at: open), tag.word != .other {
        if !tag.isClosing, let end = tag.word.rawTextEnd {
          index = Self.start(of: end, in: bytes, from: index)
        }
        return tag
      }
    }
    index = bytes.count
    return nil
  }

  /// The offset after the comment that begins at `start`; the end of the text when the comment is not closed.
  static func end(ofComment start: Int, in bytes: Span<UInt8>) -> Int {
    bytes.first("-->", from: start + 4).map { $0 + 3 } ?? bytes.count
  }

  /// The offset of an end tag after content that is not markup; the end of the text when it is missing.
  static func start(of end: StaticString, in bytes: Span<UInt8>, from start: Int) -> Int {
    bytes.firstIgnoringCase(end, from: start) ?? bytes.count
  }

  /// Reads the tag at `open`; nil when the text in angle brackets is not a tag, or is cut off.
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

/// The elements of HTML that matter for pictures or feeds.
enum HTMLWord {
  case a
  case base
  case div
  case figure
  case img
  case link
  case picture
  case script
  case source
  case style
  case other

  /// The word for a name, ignoring case.
  init(_ name: Span<UInt8>) {
    for (text, word) in Self.names where name.count == text.utf8CodeUnitCount {
      if name.beginsIgnoringCase(with: text, at: 0) {
        self = word
        return
      }
    }
    self = .other
  }

  private static let names: [(StaticString, HTMLWord)] = [
    ("a", .a), ("img", .img), ("picture", .picture), ("source", .source), ("script", .script),
    ("style", .style), ("link", .link), ("base", .base), ("amp-img", .img), ("div", .div),
    ("figure", .figure),
    ("amp-anim", .img),
  ]

  /// The end tag of an element whose content is not markup; nil for any other element.
  var rawTextEnd: StaticString? {
    switch self {
    case .script: "</script"
    case .style: "</style"
    default: nil
    }
  }
}

/// The attributes of one HTML tag, read as browsers read them (HTML, section 13.2.5.32).
struct HTMLAttributes {
  private struct Attribute {
    let name: Range<Int>
    let value: Range<Int>
  }

  private var all: [Attribute] = []

  /// Reads the attributes in a range of the markup.
  init(in bytes: Span<UInt8>, _ range: Range<Int>) {
    let bytes = bytes.extracting(0..<range.upperBound)
    var index = range.lowerBound
    while all.count < FormatLimits.tagAttributes,
      let attribute = Self.next(in: bytes, from: &index)
    {
      all.append(attribute)
    }
  }

  /// The value of the first attribute with a name, with its references decoded; nil when it is missing or empty.
  func value(_ name: StaticString, in bytes: Span<UInt8>) -> String? {
    for attribute in all where attribute.name.count == name.utf8CodeUnitCount {
      guard bytes.beginsIgnoringCase(with: name, at: attribute.name.lowerBound) else { continue }
      let value = bytes.extracting(attribute.value)
      let trimmed = value.trimmedRange
      return trimmed.isEmpty ? nil : References.decoded(value.extracting(trimmed))
    }
    return nil
  }

  /// The value of the first of several attributes that is present.
  func first(of names: [StaticString], in bytes: Span<UInt8>) -> String? {
    for name in names {
      if let value = value(name, in: bytes) { return value }
    }
    return nil
  }

  /// Passes each attribute to a closure, with its value as written.
  func forEach(
    in bytes: Span<UInt8>,
    _ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) -> Void
  ) {
    for attribute in all {
      body(bytes.extracting(attribute.name), bytes.extracting(attribute.value))
    }
  }

  /// The offset of the `>` that ends a tag whose attributes begin at `start`; nil when the tag is cut off.
  static func end(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while next(in: bytes, from: &index) != nil {}
    return index < bytes.count ? index : nil
  }

  /// Reads an attribute; nil at the `>`, where it leaves `index`, or at the end.
  private static func next(in bytes: Span<UInt8>, from index: inout Int) -> Attribute? {
    while index < bytes.count, bytes[index] <= 0x20 || bytes[index] == UInt8(ascii: "/") {
      index += 1
    }
    guard index < bytes.count, bytes[index] != UInt8(ascii: ">") else { return nil }
    let start = index
    // An equals sign at the beginning belongs to the name.
    index += 1
    while index < bytes.count, !endsName(bytes[index]) { index += 1 }
    let name = start..<index
    index = bytes.endOfSpace(from: index)
    guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
      return Attribute(name: name, value: index..<index)
    }
    index = bytes.endOfSpace(from: index + 1)
    guard let value = value(in: bytes, from: &index) else { return nil }
    return Attribute(name: name, value: value)
  }

  /// The range of a value, quoted or not; nil when the value is cut off.
  private static func value(in bytes: Span<UInt8>, from index: inout Int) -> Range<Int>? {
    guard index < bytes.count else { return nil }
    let quote = bytes[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let start = index + 1
      index = bytes.first(quote, from: start) ?? bytes.count
      guard index < bytes.count else { return nil }
      defer { index += 1 }
      return start..<index
    }
    let start = index
    while index < bytes.count, bytes[index] > 0x20, bytes[index] != UInt8(ascii: ">") {
      index += 1
    }
    return start..<index
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">")
      || byte == UInt8(ascii: "/")
  }
}
