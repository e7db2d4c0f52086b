/// What a terminal said when it was asked.
struct TerminalAnswers: Sendable, Equatable {
  /// The numbers of its primary device attributes (DA1); empty when it gave none.
  var attributes: [Int] = []
  var hasKittyGraphics = false
  /// One character cell.
  var cell: PixelSize?
  /// All of the text area.
  var textArea: PixelSize?
  var background: RGBColour?
  /// The largest sixel picture that it takes.
  var largestSixel: PixelSize?

  /// Attribute 4 stands for sixel graphics (VT330/VT340 Programmer Reference).
  var hasSixel: Bool { attributes.dropFirst().contains(4) }

  /// Reads all answers in what a terminal sent; anything else in it is passed over.
  init(_ bytes: [UInt8]) {
    var scanner = ControlScanner(bytes)
    while let sequence = scanner.next() { take(sequence) }
  }

  /// Takes what a second question gave besides.
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

  /// XParseColor(3): the digits scale to the whole range, however many they are.
  private static func channel(_ digits: Substring) -> UInt8? {
    guard (1...4).contains(digits.count), digits.allSatisfy(\.isHexDigit),
      let value = Int(digits, radix: 16)
    else { return nil }
    return UInt8(value * 255 / ((1 << (4 * digits.count)) - 1))
  }

  /// Decimal numbers between semicolons, 0 where one is left out; nil when there is anything else.
  private static func numbers(_ text: Substring) -> [Int]? {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.isEmpty ? 0 : UInt16($0).map(Int.init) }
    return numbers.count == parts.count ? numbers : nil
  }

  private static func size(width: Int, height: Int) -> PixelSize? {
    width > 0 && height > 0 ? PixelSize(width: width, height: height) : nil
  }
}
