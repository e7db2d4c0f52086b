/// Makes one line of plain text of what a feed gives as text or HTML.
///
/// White space is collapsed, character references are decoded, tags of HTML are removed. Feeds mix
/// up text and HTML so thoroughly that what they declare is no help: whatever looks like neither a
/// tag of HTML nor a reference stays as it is.
struct PlainText: ~Copyable {
  private var output: [UInt8] = []
  private var isSpacePending = false
  private let limit: Int
  private var ends = NextPlace(of: UInt8(ascii: ">"))
  private var signs = NextPlace(of: UInt8(ascii: "="))

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

  /// Whether there is nothing to do, as with most titles.
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
    let latest = min(bytes.count, start + CharacterReference.longestName + 2)
    let window = bytes.extracting(0..<latest)
    if let end = window.first(UInt8(ascii: ";"), from: start + 1),
      let scalar = CharacterReference.scalar(named: bytes.extracting((start + 1)..<end))
    {
      append(scalar)
      return end + 1
    }
    append(bytes[start])
    return start + 1
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
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
    }
  }

  /// What was read, cut at the limit, never inside a character and never behind a space.
  private var result: String? {
    var end = output.count
    if end > limit {
      end = limit
      while end > 0, output[end] & 0xC0 == 0x80 { end -= 1 }
      // Two spaces never follow one another.
      if end > 0, output[end - 1] == 0x20 { end -= 1 }
    }
    return end == 0 ? nil : String(decoding: output[..<end], as: UTF8.self)
  }
}
