import Glibc

/// Asks a terminal for its features.
///
/// It sends all questions at once, with the one for device attributes last. Every terminal answers that
/// one, and answers in order, so its answer ends the wait.
struct TerminalProbe {
  /// A set of questions to send at once.
  enum Question {
    /// A kitty picture of one pixel, which is not shown, the background, the sizes of a cell and of
    /// the text area, and the device attributes.
    case all
    /// The same without the kitty picture, which a multiplexer would make a window's title.
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

  /// The most bytes of an answer.
  private static let longestAnswer = 4096

  let descriptor: Int32
  /// How long an answer may take.
  let wait: Duration

  /// Sends a question and waits for the answer.
  ///
  /// It sends nothing when keys were typed ahead, because it would read and lose them.
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

  /// Waits until there is something to read; false after the time (poll(2)).
  private func isReadable(within time: Duration) -> Bool {
    let milliseconds = max(
      0,
      time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
    )
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, Int32(clamping: milliseconds)) > 0
      && poll.revents & Int16(POLLIN) != 0
  }

  /// Appends the bytes that are there; false at the end.
  private func read(into bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 512)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count > 0 { bytes += buffer[..<count] }
    return count > 0
  }
}

/// The controlling terminal, which the program can ask even when standard input is a file.
enum ControllingTerminal {
  /// Runs `body` with a descriptor of `/dev/tty` (tty(4)).
  ///
  /// - Returns: Nil when `output` goes elsewhere, or when the program is in the background, where a
  ///   change of the terminal would stop it.
  static func run<Result>(output: Int32, _ body: (Int32) -> Result?) -> Result? {
    // Fails for any terminal but the controlling one (tcgetpgrp(3)).
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
