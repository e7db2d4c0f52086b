import Foundation
import Glibc
import Testing
import Workers

@testable import Terminal

/// A pair of pseudo-terminal descriptors: the program's side, and the terminal's side.
final class PseudoTerminal: Sendable {
  let leader: Int32
  let follower: Int32

  init() throws {
    var (leader, follower): (Int32, Int32) = (-1, -1)
    try #require(openpty(&leader, &follower, nil, nil, nil) == 0)
    (self.leader, self.follower) = (leader, follower)
  }

  deinit {
    close(leader)
    close(follower)
  }

  /// The settings of the terminal that programs change (termios(3)).
  var flags: [tcflag_t] {
    var settings = termios()
    tcgetattr(follower, &settings)
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
  }

  /// Whether there is input to read.
  var hasInput: Bool {
    var poll = pollfd(fd: follower, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0
  }

  /// Sends bytes, as a terminal or its user would.
  func send(_ text: String) {
    DescriptorSink(leader) {}.write(Array(text.utf8))
  }

  /// Sends keys that the terminal shows, and waits until it has shown them.
  ///
  /// The system passes on what is sent after the call has returned, so a program would not have the keys at once.
  func type(_ keys: String) {
    send(keys)
    // A new line is shown as two bytes.
    var left = keys.utf8.count + keys.utf8.count { $0 == UInt8(ascii: "\n") }
    var buffer = [UInt8](repeating: 0, count: 64)
    while left > 0, case let count = read(leader, &buffer, min(left, buffer.count)), count > 0 {
      left -= count
    }
  }

  /// Reads a line as a program does, in the pieces that the system returns.
  func readLine() -> String {
    var line = ""
    var buffer = [UInt8](repeating: 0, count: 64)
    while !line.hasSuffix("\n"), case let count = read(follower, &buffer, buffer.count), count > 0 {
      line += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return line
  }

  /// Answers queries one after another on another thread, because a query blocks.
  ///
  /// The returned function waits for the thread to end, and returns the queries.
  func answering(_ answers: [String]) -> () -> [String] {
    let questions = Locked<[String]>([])
    let ended = DispatchSemaphore(value: 0)
    let thread = Thread { [self] in
      for answer in answers {
        let question = readQuestion()
        questions.withLock { $0.append(question) }
        send(answer)
      }
      ended.signal()
    }
    thread.start()
    return {
      ended.wait()
      return questions.withLock { $0 }
    }
  }

  /// Reads the program's output up to and including the query that always ends it.
  ///
  /// Returns less if no more output arrives for a long time.
  private func readQuestion() -> String {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 256)
    var poll = pollfd(fd: leader, events: Int16(POLLIN), revents: 0)
    while !text.hasSuffix("\u{1B}[c"), Glibc.poll(&poll, 1, 600_000) > 0 {
      let count = read(leader, &buffer, buffer.count)
      guard count > 0 else { return text }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return text
  }
}
