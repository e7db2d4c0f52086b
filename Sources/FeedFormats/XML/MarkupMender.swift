import Workers

/// Makes markup well-formed before expat, which reads nothing else, sees it.
///
/// Feeds hold bare ampersands, names that only HTML knows, attributes without quotes, end tags too many and
/// too few. Here references are made sound, attributes quoted, end tags balanced. Elements, attributes,
/// texts and sections that are well-formed pass unchanged, but for references, which are written as
/// numbers. Everything else is left out: comments, instructions, declarations, and what follows the root.
struct MarkupMender {
  var state = MarkupState.prolog
  var elements = OpenElements()
  /// How much of the block has been written.
  var copied = 0
  var output: [UInt8] = []
  /// The last byte of the block before.
  private(set) var lastWritten: UInt8 = 0x20
  /// Whether anything of the document has come.
  var hasBegun = false
  /// The names of the tag's attributes, and the one that is being read.
  var attributes: [[UInt8]] = []
  var attribute: [UInt8] = []
  /// How much of the last attribute's value, or name, is kept.
  var bound = TextBound(0)
  /// The last byte of a tag's rest that is left out.
  var lastOfExcess: UInt8 = 0
  /// Whether a `>` has been seen in the attribute's value with no `<` before it.
  var valueHasEnd = false
  /// Whether a `<` has been seen in it.
  var valueHasBegin = false
  /// The end of the block before, when it may be part of something that the next one completes.
  private var carried: [UInt8] = []
  private var flaws: [DocumentFlaw] = []
  private var reported = 0
  /// The longest thing that must be seen whole: a reference, or `<![CDATA[`.
  static let longest = CharacterReference.longestName + 2

  /// The block with its markup mended; its last bytes may come with the next one.
  mutating func mend(_ block: ArraySlice<UInt8>) -> [UInt8] {
    mend(carried + block, isLast: false)
  }

  /// What is left at the end of the document.
  mutating func finish() -> [UInt8] {
    let rest = mend(carried, isLast: true)
    switch state {
    case .prolog, .text, .epilog, .afterEnd: break
    default: note(.cutMarkup)
    }
    return rest
  }

  /// Whether the root has begun and ended.
  var isWhole: Bool { elements.hasRoot && elements.count == 0 }

  /// What was wrong, each thing once.
  mutating func takeFlaws() -> [DocumentFlaw] {
    defer { reported = flaws.count }
    return Array(flaws[reported...])
  }

  mutating func note(_ flaw: DocumentFlaw) {
    if !flaws.contains(flaw) { flaws.append(flaw) }
  }

  private mutating func mend(_ input: [UInt8], isLast: Bool) -> [UInt8] {
    output.removeAll(keepingCapacity: true)
    output.reserveCapacity(input.count + 64)
    copied = 0
    let bytes = input.span
    var index = 0
    while index < bytes.count {
      index = nextMark(in: bytes, from: index)
      guard index < bytes.count, isLast || bytes.count - index >= Self.longest else { break }
      index = step(bytes, at: index)
    }
    write(bytes, upTo: index)
    carried = Array(input[index...])
    lastWritten = output.last ?? lastWritten
    return output
  }

  /// Writes what has been read and is as it should be.
  mutating func write(_ bytes: Span<UInt8>, upTo end: Int) {
    if end > copied {
      bytes.extracting(copied..<end).withUnsafeBufferPointer { output.append(contentsOf: $0) }
    }
    copied = end
  }

  /// Writes `text` in the place of the next `length` bytes; where they end.
  mutating func replace(
    _ length: Int,
    at index: Int,
    in bytes: Span<UInt8>,
    with text: StaticString = ""
  ) -> Int {
    write(bytes, upTo: index)
    text.withUTF8Buffer { output.append(contentsOf: $0) }
    copied = index + length
    return copied
  }

  /// The next place where the state may change or something is to be mended.
  private func nextMark(in bytes: Span<UInt8>, from start: Int) -> Int {
    guard case .text = state else { return start }
    var index = start
    while index < bytes.count, !Self.isMark(bytes[index]) { index += 1 }
    return index
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "]")
  }

  private mutating func step(_ bytes: Span<UInt8>, at index: Int) -> Int {
    switch state {
    case .prolog: return stepInProlog(bytes, at: index)
    case .text: return stepInText(bytes, at: index)
    case .section: return stepInSection(bytes, at: index)
    case .comment: return leaveOut(until: "-->", bytes, at: index)
    case .instruction: return leaveOut(until: "?>", bytes, at: index)
    case .declaration(let depth): return stepInDeclaration(bytes, at: index, depth: depth)
    case .leftOut(let end):
      if bytes[index] == end { resume() }
      return replace(1, at: index, in: bytes)
    case .epilog: return stepInEpilog(bytes, at: index)
    case .afterEnd: return replace(bytes.count - index, at: index, in: bytes)
    default: return stepInTag(bytes, at: index)
    }
  }

  /// Goes on after a tag, or after what is left out.
  mutating func resume() {
    state = !elements.hasRoot ? .prolog : elements.count > 0 ? .text : .epilog
  }

  private mutating func stepInProlog(_ bytes: Span<UInt8>, at index: Int) -> Int {
    if bytes[index] == UInt8(ascii: "<") { return begin(in: bytes, at: index) }
    if bytes[index] <= 0x20 { return index + 1 }
    note(.textBeforeRoot)
    return replace(1, at: index, in: bytes)
  }

  private mutating func stepInText(_ bytes: Span<UInt8>, at index: Int) -> Int {
    switch bytes[index] {
    case UInt8(ascii: "&"): return mendReference(in: bytes, at: index)
    case UInt8(ascii: "<"): return begin(in: bytes, at: index)
    default:
      // The end of a section must not stand in a text (XML, section 2.4).
      return bytes.begins(with: "]]>", at: index)
        ? replace(3, at: index, in: bytes, with: "]]&#62;") : index + 1
    }
  }

  private mutating func stepInSection(_ bytes: Span<UInt8>, at index: Int) -> Int {
    if bytes.begins(with: "]]>", at: index) {
      resume()
      return index + 3
    }
    return bytes.first(UInt8(ascii: "]"), from: index + 1) ?? bytes.count
  }

  /// Leaves out the bytes up to the next place where the end may be.
  private mutating func leaveOut(
    until end: StaticString,
    _ bytes: Span<UInt8>,
    at index: Int
  ) -> Int {
    if bytes.begins(with: end, at: index) {
      resume()
      return replace(end.utf8CodeUnitCount, at: index, in: bytes)
    }
    let next = bytes.first(end.utf8Start.pointee, from: index + 1) ?? bytes.count
    return replace(next - index, at: index, in: bytes)
  }

  private mutating func stepInDeclaration(
    _ bytes: Span<UInt8>,
    at index: Int,
    depth: Int
  ) -> Int {
    switch bytes[index] {
    case UInt8(ascii: "["): state = .declaration(depth + 1)
    case UInt8(ascii: "]"): state = .declaration(max(0, depth - 1))
    case UInt8(ascii: ">") where depth == 0: resume()
    default: break
    }
    return replace(1, at: index, in: bytes)
  }

  /// Behind the root only comments and instructions may stand.
  private mutating func stepInEpilog(_ bytes: Span<UInt8>, at index: Int) -> Int {
    if bytes.begins(with: "<!--", at: index) {
      state = .comment
      return replace(4, at: index, in: bytes)
    }
    if bytes.begins(with: "<?", at: index) {
      state = .instruction
      return replace(2, at: index, in: bytes)
    }
    if bytes[index] > 0x20 {
      note(.followed)
      state = .afterEnd
    }
    return replace(1, at: index, in: bytes)
  }
}
