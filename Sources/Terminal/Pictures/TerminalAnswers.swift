/// The answers of a terminal.
struct TerminalAnswers: Sendable, Equatable {
  /// The numbers of its primary device attributes (DA1); empty when it did not send them.
  var attributes: [Int] = []
  var hasKittyGraphics = false
  /// The size of a character cell.
  var cell: PixelSize?
  /// The size of the text area.
  var textArea: PixelSize?
  var background: RGBColour?
  /// The largest sixel picture that it accepts.
  var largestSixel: PixelSize?

  /// Whether it has sixel graphics, attribute 4 (VT330/VT340 Programmer Reference).
  var hasSixel: Bool { attributes.dropFirst().contains(4) }

  /// Reads all answers in the bytes from a terminal, and skips everything else.
  init(_ bytes: [UInt8]) {
    var scanner = ControlScanner(bytes)
    while let sequence = scanner.next() { take(sequence) }
  }

  /// Adds the answers to a second question.
  mutating func add(_ other: TerminalAnswers) { largestSixel = other.largestSixel ?? largestSixel }

  private mutating func take(_ sequence: ControlSequence) {
    switch sequence {
    case .command(let parameters, final: "c"): takeAttributes(parameters)
    case .command(let parameters, final: "t"): takeReport(parameters)
    case .command(let parameters, final: "S"): takeSixelSize(parameters)
    case .applicationCommand("Gi=31;OK"): hasKittyGraphics = true
    case .systemCommand(let text): takeColour(text)
    case .command, .applicationCommand: break
    }
  }

  /// `CSI ? 62 ; 4 c` (DEC STD 070).
  private mutating func takeAttributes(_ parameters: String) {
    guard parameters.first == "?", let numbers = Self.numbers(parameters.dropFirst()),
      numbers.first != 0
    else { return }
    attributes = numbers
  }

  /// `CSI 6 ; height ; width t` and `CSI 4 ; height ; width t` (xterm, ctlseqs).
  private mutating func takeReport(_ parameters: String) {
    guard let numbers = Self.numbers(parameters[...]), numbers.count == 3 else { return }
    let size = Self.size(width: numbers[2], height: numbers[1])
    if numbers[0] == 6 { cell = size }
    if numbers[0] == 4 { textArea = size }
  }

  /// `CSI ? 2 ; 0 ; width ; height S` (xterm, ctlseqs, XTSMGRAPHICS).
  private mutating func takeSixelSize(_ parameters: String) {
    guard parameters.first == "?", let numbers = Self.numbers(parameters.dropFirst()) else {
      return
    }
    guard numbers.count == 4, numbers[0] == 2, numbers[1] == 0 else { return }
    largestSixel = Self.size(width: numbers[2], height: numbers[3])
  }

  /// `OSC 11 ; rgb:RRRR/GGGG/BBBB` (xterm, ctlseqs); each channel of one to four digits.
  private mutating func takeColour(_ text: String) {
    guard text.hasPrefix("11;rgb:") else { return }
    let channels = text.dropFirst(7).split(separator: "/", omittingEmptySubsequences: false)
      .compactMap(Self.channel)
    guard channels.count == 3 else { return }
    background = RGBColour(red: channels[0], green: channels[1], blue: channels[2])
  }

  /// Reads a channel of one to four digits, which cover the whole range (XParseColor(3)).
  private static func channel(_ digits: Substring) -> UInt8? {
    guard (1...4).contains(digits.count), digits.allSatisfy(\.isHexDigit),
      let value = Int(digits, radix: 16)
    else { return nil }
    return UInt8(value * 255 / ((1 << (4 * digits.count)) - 1))
  }

  /// Reads decimal numbers between semicolons, 0 for an empty one; nil when there is anything else.
  private static func numbers(_ text: Substring) -> [Int]? {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.isEmpty ? 0 : UInt16($0).map(Int.init) }
    return numbers.count == parts.count ? numbers : nil
  }

  private static func size(width: Int, height: Int) -> PixelSize? {
    width > 0 && height > 0 ? PixelSize(width: width, height: height) : nil
  }
}

/// Finds the control sequences in the bytes from a terminal, and skips everything else.
struct ControlScanner {
  private static let escape: UInt8 = 0x1B
  /// The longest parameters or text of an answer.
  private static let longestText = 128

  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The next complete sequence of a known kind; nil when there is none.
  mutating func next() -> ControlSequence? {
    while let start = rest.firstIndex(of: Self.escape) {
      rest = rest[(start + 1)...]
      if let sequence = sequence() { return sequence }
    }
    return nil
  }

  private mutating func sequence() -> ControlSequence? {
    // The first of two escapes is a key; the second one begins a sequence.
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

  /// Reads a string of printable ASCII, which ends with `ESC \`, or with `BEL` as in xterm.
  private mutating func text() -> String? {
    let text = rest.prefix { (0x20...0x7E).contains($0) }
    let end = rest.dropFirst(text.count).prefix(2)
    let isWhole = end.first == 0x07 || end.elementsEqual([Self.escape, UInt8(ascii: "\\")])
    guard isWhole, text.count <= Self.longestText else { return nil }
    rest = rest.dropFirst(text.count + (end.first == 0x07 ? 1 : 2))
    return String(decoding: text, as: UTF8.self)
  }
}

/// A control sequence from a terminal (ECMA-48, sections 5.4 and 5.6).
enum ControlSequence: Equatable {
  /// `CSI` with its parameters and its final byte.
  case command(String, final: Character)
  /// The text of an `APC` string.
  case applicationCommand(String)
  /// The text of an `OSC` string.
  case systemCommand(String)
}
