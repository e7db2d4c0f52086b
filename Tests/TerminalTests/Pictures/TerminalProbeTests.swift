import Glibc
import Testing
import Workers

@testable import Terminal

@Suite(.timeLimit(.minutes(60)))
struct TerminalProbeTests {
  private let terminal: PseudoTerminal
  private let before: [tcflag_t]

  init() throws {
    terminal = try PseudoTerminal()
    before = terminal.flags
  }

  @Test func `asks everything at once and reads the answers`() {
    let questions = terminal.answering(["\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;18;9t\u{1B}[?62;c"])
    let answers = ask(within: .seconds(50))

    #expect(answers?.hasKittyGraphics == true)
    #expect(answers?.cell == PixelSize(width: 9, height: 18))
    #expect(
      questions() == [
        "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}]11;?\u{1B}\\\u{1B}[16t\u{1B}[14t\u{1B}[c"
      ]
    )
    #expect(terminal.flags == before)
    #expect(!terminal.hasInput)
  }

  @Test func `asks a terminal that takes sixels for the largest`() {
    let questions = terminal.answering([
      "\u{1B}[?63;4c", "\u{1B}[?2;0;1000;800S\u{1B}[?63;4c",
    ])
    let answers = ask(within: .seconds(50))

    #expect(answers?.hasSixel == true)
    #expect(answers?.largestSixel == PixelSize(width: 1000, height: 800))
    #expect(questions().last == "\u{1B}[?2;4;0S\u{1B}[c")
    #expect(terminal.flags == before)
  }

  @Test func `asks a multiplexer for no kitty picture`() {
    let questions = terminal.answering(["\u{1B}[?1;2c"])
    let answers = ask(.allButKitty, within: .seconds(50))

    #expect(answers?.attributes == [1, 2])
    #expect(questions().first?.contains("_G") == false)
  }

  @Test func `gives up on a terminal that does not answer`() {
    #expect(ask(within: .milliseconds(20)) == nil)
    #expect(terminal.flags == before)
  }

  @Test func `gives up on a terminal that answers rubbish`() {
    let questions = terminal.answering(["\u{1B}[?c?\u{1B}]11;\u{1B}_G;;"])

    #expect(ask(within: .milliseconds(50)) == nil)
    #expect(terminal.flags == before)
    #expect(questions().count == 1)
  }

  @Test func `gives up on a terminal that never ends its answer`() {
    let endless = String(repeating: "x", count: 4000)
    let questions = terminal.answering([endless + endless])

    #expect(ask(within: .seconds(50)) == nil)
    #expect(terminal.flags == before)
    #expect(questions().count == 1)
  }

  @Test func `takes no harm from an answer that comes too late`() {
    #expect(ask(within: .milliseconds(1)) == nil)
    terminal.send("\u{1B}[?63;4c")

    #expect(terminal.flags == before)
  }

  @Test func `asks nothing when keys were typed ahead, and leaves them`() {
    terminal.type("ls -l\n")

    #expect(ask(within: .seconds(50)) == nil)
    #expect(terminal.flags == before)
    #expect(terminal.hasInput)
    #expect(terminal.readLine() == "ls -l\n")
  }

  @Test func `leaves half a line that was typed ahead, too`() {
    terminal.type("ls")

    #expect(ask(within: .seconds(50)) == nil)
    terminal.send(" -l\n")
    #expect(terminal.readLine() == "ls -l\n")
  }

  @Test func `asks nothing through a pipe`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer {
      close(ends[0])
      close(ends[1])
    }

    #expect(TerminalProbe(descriptor: ends[0], wait: .seconds(50)).ask(.all) == nil)
  }

  @Test func `is not run on a terminal that does not control the program`() {
    let result = ControllingTerminal.run(output: terminal.follower) { _ in 1 }

    #expect(result == nil)
  }

  private func ask(
    _ question: TerminalProbe.Question = .all,
    within wait: Duration
  ) -> TerminalAnswers? {
    TerminalProbe(descriptor: terminal.follower, wait: wait).ask(question)
  }
}
