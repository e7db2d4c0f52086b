import Glibc

/// Asks a terminal what it can do.
///
/// Every question goes out at once, the device attributes last: every terminal answers those, and
/// in order, so that their answer ends the wait.
struct TerminalProbe {
  /// What can be asked.
  enum Question {
    /// A kitty picture of one pixel that is only looked at, the background, the sizes of a cell and
    /// of the text area, and the device attributes.
    case all
    /// Without the kitty picture, of which a multiplexer makes a window's title.
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

  /// More than this is no answer.
  private static let longestAnswer = 4096

  let descriptor: Int32
  /// How long an answer may take.
  let wait: Duration

  /// Asks, and waits no longer than it may.
  ///
  /// Nothing is asked when keys were typed ahead: they would be read with the answers, and lost.
  ///
  /// - Returns: Nil when the terminal did not answer in time.
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

  /// Whether there is something to read, after waiting for it (poll(2)).
  private func isReadable(within time: Duration) -> Bool {
    let milliseconds = max(
      0,
      time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
    )
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, Int32(clamping: milliseconds)) > 0
      && poll.revents & Int16(POLLIN) != 0
  }

  /// Appends what is there; false when there is nothing more to come.
  private func read(into bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 512)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count > 0 { bytes += buffer[..<count] }
    return count > 0
  }
}
