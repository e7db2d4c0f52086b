import Glibc
import Workers

/// Asks a terminal for its features.
///
/// It sends all questions at once, and the question for device attributes last. Every terminal answers that question,
/// and answers in order, so its answer ends the wait.
struct TerminalProbe {
  /// A set of questions to send at once.
  enum Question {
    /// Kitty graphics (by a picture of one pixel that is not shown), the background, the sizes of a cell and of the
    /// text area, and the device attributes.
    case all
    /// The same without the kitty picture, which some terminals would show.
    case allButKitty
    /// The largest sixel picture, and the device attributes.
    case sixelSize

    var bytes: [UInt8] {
      switch self {
      case .all:
        Array("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\".utf8) + Self.allButKitty.bytes
      case .allButKitty: Array("\u{1B}]11;?\u{1B}\\\u{1B}[16t\u{1B}[14t\u{1B}[c".utf8)
      case .sixelSize: Array("\u{1B}[?2;4;0S\u{1B}[c".utf8)
      }
    }
  }

  /// The maximum number of bytes of an answer.
  private static let longestAnswer = 4096

  let descriptor: Int32
  /// How long an answer may take.
  let wait: Duration

  /// Sends a question and waits for the answer.
  ///
  /// It sends nothing if the user has typed ahead, because it would read and lose those keys.
  ///
  /// - Returns: The answers; nil when the terminal does not answer in time.
  func ask(_ question: Question) -> TerminalAnswers? {
    RawMode.run(descriptor) {
      guard !isReadable(within: .zero) else { return nil }
      guard var answers = exchange(question.bytes) else { return nil }
      if answers.hasSixel, !answers.hasKittyGraphics,
        let more = exchange(Question.sixelSize.bytes)
      {
        answers.add(more)
      }
      return answers
    }
  }

  private func exchange(_ question: [UInt8]) -> TerminalAnswers? {
    DescriptorSink(descriptor) {}.write(question)
    let end = ContinuousClock.now + wait
    var received: [UInt8] = []
    while received.count < Self.longestAnswer, isReadable(within: end - .now), read(into: &received)
    {
      let answers = TerminalAnswers(received)
      if !answers.attributes.isEmpty { return answers }
    }
    return nil
  }

  /// Waits until bytes can be read; false if the time passes without any (poll(2)).
  private func isReadable(within time: Duration) -> Bool {
    let milliseconds = max(
      0,
      time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
    )
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, Int32(clamping: milliseconds)) > 0
      && poll.revents & Int16(POLLIN) != 0
  }

  /// Appends the available bytes; false at the end of the input.
  private func read(into bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 512)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count > 0 { bytes += buffer[..<count] }
    return count > 0
  }
}

/// The controlling terminal, which the program can query even when standard input is a file.
enum ControllingTerminal {
  /// Runs `body` with a descriptor of `/dev/tty` (tty(4)).
  ///
  /// - Returns: The result of `body`; nil when `output` goes elsewhere, or when the program is in the background, where
  ///   a change of the terminal would stop it.
  static func run<Result>(output: Int32, _ body: (Int32) -> Result?) -> Result? {
    // This fails for any terminal except the controlling one (tcgetpgrp(3)).
    guard tcgetpgrp(output) == getpgrp() else { return nil }
    let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return body(descriptor)
  }
}

/// A mode in which the terminal delivers each byte at once and does not echo it.
///
/// Signals from the keyboard still work, so Ctrl-C ends the program.
enum RawMode {
  /// Runs `body` in the mode; nil without running it when the mode cannot be set (termios(3)).
  static func run<Result>(_ descriptor: Int32, _ body: () -> Result?) -> Result? {
    var saved = termios()
    guard tcgetattr(descriptor, &saved) == 0 else { return nil }
    var raw = saved
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &raw.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    guard tcsetattr(descriptor, TCSANOW, &raw) == 0 else { return nil }
    defer { tcsetattr(descriptor, TCSANOW, &saved) }
    return body()
  }
}

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

  /// Reads decimal numbers between semicolons, with 0 for an empty one; nil for any other text.
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

  /// The next complete sequence of a known kind; nil if there are no more.
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
