import Workers

/// Makes markup well-formed before libxml2 sees it.
///
/// libxml2 recovers from much, but at a price that feeds should not pay: it drops bare ampersands
/// and names that only HTML knows, which turns an address into another one without a word; it gives
/// an element up for an attribute without quotes; it ends the document at a `<` that begins no tag,
/// and after a few end tags too many or too few. Here references are made sound, attributes quoted,
/// end tags balanced. What is well-formed passes unchanged, but for references, which are written
/// as numbers, what stands in the brackets of a document type declaration, and comments and sections
/// that libxml2 would give the document up for the length of.
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
  /// How many attributes the tag has, and how much of the last one's value, or name, is kept.
  var attributes = 0
  var bound = TextBound(0)
  /// The last byte of a tag's rest that is left out.
  var lastOfExcess: UInt8 = 0
  /// How many bytes of a comment, an instruction or a section have come, the last piece of one.
  var pieceLength = 0
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
    case .prolog, .text: break
    default: note(.cutMarkup)
    }
    return rest
  }

  /// Whether a tag has begun and not ended.
  var isInTag: Bool {
    switch state {
    case .prolog, .text, .section, .comment, .instruction, .declaration: false
    default: true
    }
  }

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
    switch state {
    case .text: first(UInt8(ascii: "<"), UInt8(ascii: "&"), in: bytes, from: start)
    default: start
    }
  }

  private func first(_ a: UInt8, _ b: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != a, bytes[index] != b { index += 1 }
    return index
  }

  private mutating func step(_ bytes: Span<UInt8>, at index: Int) -> Int {
    switch state {
    case .prolog: return stepInProlog(bytes, at: index)
    case .text:
      let isReference = bytes[index] == UInt8(ascii: "&")
      return isReference ? mendReference(in: bytes, at: index) : begin(in: bytes, at: index)
    case .section, .comment, .instruction: return stepInPiece(bytes, at: index)
    case .declaration(let depth): return stepInDeclaration(bytes, at: index, depth: depth)
    case .leftOut(let end):
      if bytes[index] == end { resume() }
      return replace(1, at: index, in: bytes)
    default: return stepInTag(bytes, at: index)
    }
  }

  /// Goes on with the text after what was no part of it.
  mutating func resume() { state = elements.hasRoot ? .text : .prolog }

  private mutating func stepInProlog(_ bytes: Span<UInt8>, at index: Int) -> Int {
    if bytes[index] == UInt8(ascii: "<") { return begin(in: bytes, at: index) }
    if bytes[index] <= 0x20 { return index + 1 }
    note(.textBeforeRoot)
    return replace(1, at: index, in: bytes)
  }

  private mutating func stepInDeclaration(
    _ bytes: Span<UInt8>,
    at index: Int,
    depth: Int
  ) -> Int {
    let next =
      depth == 0 ? index : first(UInt8(ascii: "["), UInt8(ascii: "]"), in: bytes, from: index)
    // No entity and no default of it is ever used.
    if next > index { return replace(next - index, at: index, in: bytes) }
    switch bytes[index] {
    case UInt8(ascii: "&") where depth == 0: return mendReference(in: bytes, at: index)
    case UInt8(ascii: "["): state = .declaration(depth + 1)
    case UInt8(ascii: "]"): state = .declaration(max(0, depth - 1))
    case UInt8(ascii: ">") where depth == 0: resume()
    default: break
    }
    let isKept = depth == 0 || depth == 1 && bytes[index] == UInt8(ascii: "]")
    return isKept ? index + 1 : replace(1, at: index, in: bytes)
  }
}
