/// Finds the control sequences in what came from a terminal; what is between them is skipped.
struct ControlScanner {
  private static let escape: UInt8 = 0x1B
  /// No answer that is understood is longer.
  private static let longestText = 128

  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The next whole sequence of a known kind; nil when there is none.
  mutating func next() -> ControlSequence? {
    while let start = rest.firstIndex(of: Self.escape) {
      rest = rest[(start + 1)...]
      if let sequence = sequence() { return sequence }
    }
    return nil
  }

  private mutating func sequence() -> ControlSequence? {
    // An escape behind an escape, which is a key, begins a sequence of its own.
    guard let kind = rest.first, kind != Self.escape else { return nil }
    rest.removeFirst()
    return switch kind {
    case UInt8(ascii: "["): command()
    case UInt8(ascii: "_"): text().map(ControlSequence.applicationCommand)
    case UInt8(ascii: "]"): text().map(ControlSequence.systemCommand)
    default: nil
    }
  }

  private mutating func command() -> ControlSequence? {
    let parameters = rest.prefix { (0x30...0x3F).contains($0) }
    guard let final = rest.dropFirst(parameters.count).first, (0x40...0x7E).contains(final),
      parameters.count <= Self.longestText
    else { return nil }
    rest = rest.dropFirst(parameters.count + 1)
    return .command(
      String(decoding: parameters, as: UTF8.self),
      final: Character(Unicode.Scalar(final))
    )
  }

  /// A string ends with `ESC \`, and with `BEL` as xterm has it; it holds printable ASCII.
  private mutating func text() -> String? {
    let text = rest.prefix { (0x20...0x7E).contains($0) }
    let end = rest.dropFirst(text.count).prefix(2)
    let isWhole = end.first == 0x07 || end.elementsEqual([Self.escape, UInt8(ascii: "\\")])
    guard isWhole, text.count <= Self.longestText else { return nil }
    rest = rest.dropFirst(text.count + (end.first == 0x07 ? 1 : 2))
    return String(decoding: text, as: UTF8.self)
  }
}
