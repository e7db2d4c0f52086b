/// Makes every `&` of an XML document begin a reference that libxml2 knows.
///
/// Feeds are full of bare ampersands (`?a=1&b=2`) and of names that only HTML knows (`&nbsp;`).
/// libxml2 recovers from both by dropping them, which turns an address into another one without a
/// word. Here a bare `&` becomes `&amp;` and a name of HTML its number, before libxml2 sees them;
/// comments and CDATA sections, where `&` means itself, are left alone.
struct AmpersandMender {
  private enum State {
    case markup
    case section
    case comment
  }

  private var state = State.markup
  /// The end of the block before, when it may be part of something that the next one completes.
  private var carried: [UInt8] = []
  private var isWarningDue = false
  private var hasWarned = false
  /// The longest thing that must be seen whole: a reference, or `<![CDATA[`.
  private static let longest = CharacterReference.longestName + 2

  /// The block with its references mended; its last bytes may come with the next one.
  mutating func mend(_ block: ArraySlice<UInt8>) -> [UInt8] {
    let input = carried + block
    carried = []
    return mend(input, isLast: false)
  }

  /// What is left at the end of the document.
  mutating func finish() -> [UInt8] {
    let input = carried
    carried = []
    return mend(input, isLast: true)
  }

  /// What was wrong, said once.
  mutating func takeWarning() -> String? {
    guard isWarningDue, !hasWarned else { return nil }
    hasWarned = true
    return "an & that begins no character reference"
  }

  private mutating func mend(_ input: [UInt8], isLast: Bool) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(input.count + 64)
    let bytes = input.span
    var copied = 0
    var index = 0
    while index < bytes.count {
      index = nextMark(in: bytes, from: index)
      guard index < bytes.count else { break }
      if !isLast, bytes.count - index < Self.longest { break }
      if state == .markup, bytes[index] == UInt8(ascii: "&") {
        output += input[copied..<index]
        index = mendReference(in: bytes, at: index, into: &output)
        copied = index
      } else {
        index = passMark(in: bytes, at: index)
      }
    }
    output += input[copied..<index]
    carried = Array(input[index...])
    return output
  }

  /// The next place where the state may change or a reference begins.
  private func nextMark(in bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    switch state {
    case .markup:
      while index < bytes.count, bytes[index] != UInt8(ascii: "&"),
        bytes[index] != UInt8(ascii: "<")
      { index += 1 }
    case .section:
      while index < bytes.count, bytes[index] != UInt8(ascii: "]") { index += 1 }
    case .comment:
      while index < bytes.count, bytes[index] != UInt8(ascii: "-") { index += 1 }
    }
    return index
  }

  private mutating func passMark(in bytes: Span<UInt8>, at index: Int) -> Int {
    switch state {
    case .markup:
      if bytes.begins(with: "<![CDATA[", at: index) { state = .section }
      if bytes.begins(with: "<!--", at: index) { state = .comment }
    case .section:
      if bytes.begins(with: "]]>", at: index) { state = .markup }
    case .comment:
      if bytes.begins(with: "-->", at: index) { state = .markup }
    }
    return index + 1
  }

  private mutating func mendReference(
    in bytes: Span<UInt8>,
    at start: Int,
    into output: inout [UInt8]
  ) -> Int {
    let latest = min(bytes.count, start + Self.longest)
    guard let end = bytes.extracting(0..<latest).first(UInt8(ascii: ";"), from: start + 1),
      let scalar = CharacterReference.scalar(named: bytes.extracting((start + 1)..<end)),
      scalar.value >= 0x20 || scalar == "\n" || scalar == "\t" || scalar == "\r"
    else {
      isWarningDue = true
      output += "&amp;".utf8
      return start + 1
    }
    Self.write(scalar, into: &output)
    return end + 1
  }

  /// Writes a reference by number: after an error libxml2 passes over names, even over `&amp;`.
  private static func write(_ scalar: Unicode.Scalar, into output: inout [UInt8]) {
    switch scalar {
    case "&": output += "&#38;".utf8
    case "<": output += "&#60;".utf8
    case ">": output += "&#62;".utf8
    case "\"": output += "&#34;".utf8
    default: output += "&#\(scalar.value);".utf8
    }
  }
}
