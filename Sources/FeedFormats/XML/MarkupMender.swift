import Workers

/// Makes markup well-formed before expat reads it, because expat reads nothing else.
///
/// Feeds contain bare ampersands, names that only HTML knows, attributes without quotes, and too
/// many or too few end tags. The mender repairs references, quotes attributes and balances end
/// tags. It passes well-formed texts and sections unchanged, except that it writes references as
/// numbers. It writes tags with one space before each attribute. It skips everything else:
/// comments, instructions, declarations, and the content after the root. The result does not depend
/// on the boundaries of the blocks.
struct MarkupMender {
  /// The position in the document, by the markup around the next byte.
  enum State {
    /// Before the root, where only markup is allowed.
    case prolog
    case text
    case section
    /// In skipped content, up to these characters.
    case leftOut(until: StaticString)
    /// In a document type declaration, with the number of open brackets.
    case declaration(Int)
    /// In the rest of a start tag that is too long, with the byte before.
    case excess(UInt8)
    /// After the root, in white space, comments and instructions.
    case epilog
    /// After content that must not follow the root; the rest is skipped.
    case afterEnd
  }

  var state = State.prolog
  var elements = OpenElements()
  var output: [UInt8] = []
  /// The attributes of the current tag as they will be written, and the range of each one's name.
  var tag: [UInt8] = []
  var attributes: [Range<Int>] = []
  /// The end of the blocks so far, which is incomplete without the next block.
  private var waiting: [UInt8] = []
  var isTagWaiting = false
  /// Whether any markup of the document has arrived.
  var hasBegun = false
  /// Whether an entry had no end tag before the next one began.
  var endsNoEntries = false
  /// The flaws of the markup, each once.
  var flaws: [DocumentFlaw] = []

  /// Returns a block with its markup mended; its last bytes may follow with the next block.
  mutating func mend(_ block: ArraySlice<UInt8>) -> [UInt8] {
    var input = waiting
    waiting = []
    input += block
    // Read a long tag when it may be complete, not with every block.
    if isTagWaiting, input.count < FormatLimits.tag, !block.contains(where: Self.mayEndTag) {
      waiting = input
      return []
    }
    return mend(input, isLast: false)
  }

  /// Returns the rest at the end of the document.
  mutating func finish() -> [UInt8] {
    let rest = mend(waiting, isLast: true)
    switch state {
    case .prolog, .text, .epilog, .afterEnd: break
    default: note(.cutMarkup)
    }
    return rest
  }

  /// Whether the root has begun and ended.
  var isWhole: Bool { elements.hasRoot && elements.count == 0 }

  mutating func note(_ flaw: DocumentFlaw) {
    if !flaws.contains(flaw) { flaws.append(flaw) }
  }

  private static func mayEndTag(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<")
  }

  private mutating func mend(_ input: [UInt8], isLast: Bool) -> [UInt8] {
    output = []
    output.reserveCapacity(input.count + 64)
    isTagWaiting = false
    let bytes = input.span
    var index = 0
    while index < bytes.count, let next = step(bytes, at: index, isLast) { index = next }
    waiting = Array(input[index...])
    return output
  }

  /// Writes some bytes unchanged.
  private mutating func write(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
    output.append(bytes.extracting(range))
    return range.upperBound
  }

  /// Reads the next part, and returns the offset of its end; nil when more bytes are needed.
  private mutating func step(_ bytes: Span<UInt8>, at index: Int, _ isLast: Bool) -> Int? {
    switch state {
    case .text:
      let mark = Self.mark(in: bytes, from: index)
      return mark > index ? write(bytes, index..<mark) : takeMark(bytes, at: index, isLast)
    case .prolog:
      if bytes[index] == UInt8(ascii: "<") { return takeMark(bytes, at: index, isLast) }
      if bytes[index] > 0x20 {
        note(.textBeforeRoot)
        return index + 1
      }
      return write(bytes, index..<index + 1)
    case .section:
      let (next, isEnd) = Self.pass(until: "]]>", in: bytes, from: index, isLast)
      if isEnd { resume() }
      return next.map { write(bytes, index..<$0) }
    case .leftOut(let end):
      let (next, isEnd) = Self.pass(until: end, in: bytes, from: index, isLast)
      if isEnd { resume() }
      return next
    case .declaration(let depth): return stepInDeclaration(bytes, at: index, depth)
    case .excess(let last): return stepInExcess(bytes, at: index, last)
    case .epilog: return stepInEpilog(bytes, at: index, isLast)
    case .afterEnd: return bytes.count
    }
  }

  /// Continues after a tag, or after skipped content.
  mutating func resume() {
    state = !elements.hasRoot ? .prolog : elements.count > 0 ? .text : .epilog
  }

  /// The next byte of a text that may begin markup, or that may need mending.
  private static func mark(in bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: "<"), bytes[index] != UInt8(ascii: "&"),
      bytes[index] != UInt8(ascii: "]")
    {
      index += 1
    }
    return index
  }

  /// The offset after `end`, or the offset of bytes that may be a part of it; nil when there is nothing to pass.
  private static func pass(
    until end: StaticString,
    in bytes: Span<UInt8>,
    from start: Int,
    _ isLast: Bool
  ) -> (next: Int?, isEnd: Bool) {
    if let found = bytes.first(end, from: start) { return (found + end.utf8CodeUnitCount, true) }
    let next = isLast ? bytes.count : bytes.count - end.utf8CodeUnitCount + 1
    return (next > start ? next : nil, false)
  }

  private mutating func takeMark(_ bytes: Span<UInt8>, at index: Int, _ isLast: Bool) -> Int? {
    // Except for tags, a reference is the longest part that must be complete.
    guard isLast || bytes.count - index >= CharacterReference.longest else { return nil }
    switch bytes[index] {
    case UInt8(ascii: "<"): return begin(bytes, at: index, isLast)
    case UInt8(ascii: "&"):
      let (end, isSound) = Self.mendReference(in: bytes, at: index, into: &output)
      if !isSound { note(.bareAmpersand) }
      return end
    default:
      // A text must not contain the end of a section (XML, section 2.4).
      guard bytes.begins(with: "]]>", at: index) else { return write(bytes, index..<index + 1) }
      output += "]]&#62;".utf8
      return index + 3
    }
  }

  /// Makes an `&` begin a reference; returns the offset after it, and whether it was one already.
  static func mendReference(
    in bytes: Span<UInt8>,
    at start: Int,
    into output: inout [UInt8]
  ) -> (end: Int, isSound: Bool) {
    guard let (scalar, end) = CharacterReference.read(in: bytes, at: start), isAllowed(scalar)
    else {
      output += "&amp;".utf8
      return (start + 1, false)
    }
    // By number, because XML defines few of the names.
    output += "&#\(scalar.value);".utf8
    return (end, true)
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x20 { return scalar == "\n" || scalar == "\t" || scalar == "\r" }
    return scalar.value != 0xFFFE && scalar.value != 0xFFFF
  }

  /// Reads the markup that a `<` begins.
  private mutating func begin(_ bytes: Span<UInt8>, at index: Int, _ isLast: Bool) -> Int? {
    let next = index + 1 < bytes.count ? bytes[index + 1] : 0
    let second = index + 2 < bytes.count ? bytes[index + 2] : 0
    if Self.beginsName(next) { return startTag(bytes, at: index, isLast) }
    if next == UInt8(ascii: "/"), Self.beginsName(second) {
      return endTag(bytes, at: index, isLast)
    }
    if next == UInt8(ascii: "?"), Self.beginsName(second) {
      let isLate = hasBegun && bytes.begins(with: "<?xml ", at: index)
      if isLate { note(.lateDeclaration) }
      return leaveOut(until: isLate ? ">" : "?>", from: index + 2)
    }
    if bytes.begins(with: "<!--", at: index) { return leaveOut(until: "-->", from: index + 4) }
    if elements.hasRoot, bytes.begins(with: "<![CDATA[", at: index) {
      state = .section
      return write(bytes, index..<index + 9)
    }
    if !elements.hasRoot, bytes.beginsIgnoringCase(with: "<!doctype", at: index) {
      hasBegun = true
      state = .declaration(0)
      return index + 9
    }
    note(.bareLessThan)
    if elements.hasRoot { output += "&#60;".utf8 }
    return index + 1
  }

  mutating func leaveOut(until end: StaticString, from index: Int) -> Int {
    hasBegun = true
    state = .leftOut(until: end)
    return index
  }

  private mutating func stepInDeclaration(_ bytes: Span<UInt8>, at index: Int, _ depth: Int) -> Int
  {
    switch bytes[index] {
    case UInt8(ascii: "["): state = .declaration(depth + 1)
    case UInt8(ascii: "]"): state = .declaration(max(0, depth - 1))
    case UInt8(ascii: ">") where depth == 0: resume()
    default: break
    }
    return index + 1
  }

  /// Reads on after the root, where only comments and instructions are allowed.
  private mutating func stepInEpilog(_ bytes: Span<UInt8>, at index: Int, _ isLast: Bool) -> Int? {
    if bytes[index] <= 0x20 { return index + 1 }
    guard isLast || bytes.count - index >= 4 else { return nil }
    if bytes.begins(with: "<!--", at: index) { return leaveOut(until: "-->", from: index + 4) }
    if bytes.begins(with: "<?", at: index) { return leaveOut(until: "?>", from: index + 2) }
    note(.followed)
    state = .afterEnd
    return bytes.count
  }
}
