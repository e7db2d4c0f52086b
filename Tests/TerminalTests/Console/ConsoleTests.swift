import Scenes
import Testing

@testable import Terminal

struct ConsoleTests {
  private let screen = Screen()
  private let erase = "\r\u{1B}[K"

  @Test func `writes results to the output and all else to the errors`() {
    let console = screen.console()

    console.writeLine("7")
    console.say("cannot show '9'")
    console.note("more: --offset 20")

    #expect(screen.output == "7\n")
    #expect(screen.errors == "cannot show '9'\nmore: --offset 20\n")
  }

  @Test func `keeps results and messages when it is to be quiet, and nothing else`() {
    let console = screen.console(errorColumns: 80, isQuiet: true)

    console.drawStatus(.init(fraction: 0.5, text: "half"))
    console.writeLine("7")
    console.note("more: --offset 20")
    console.say("cannot show '9'")
    console.endStatus()

    #expect(screen.events == [.output("7\n"), .errors("cannot show '9'\n")])
  }

  @Test func `takes the status line away before anything else is written`() {
    let console = screen.console(errorColumns: 80)
    let line = ProgressLine(fraction: nil, text: "reading")

    console.drawStatus(line)
    console.writeLine("7")
    console.say("cannot show '9'")
    console.drawStatus(line)
    console.endStatus()
    console.endStatus()

    #expect(
      screen.events == [
        .errors(erase + "reading"), .errors(erase), .output("7\n"), .errors("cannot show '9'\n"),
        .errors(erase + "reading"), .errors(erase),
      ]
    )
  }

  @Test func `shortens a long address in its middle, but no other word and no command`() {
    let address = "https://stars.example/" + String(repeating: "a", count: 200) + "/end.json"
    let word = String(repeating: "b", count: 300)
    screen.console().say("cannot read '\(address)': \(word)")
    screen.console().note("see \(address)")
    screen.console().note("gallery sync \(address)", wraps: false)
    screen.console(isVerbose: true).say(address)
    screen.console().say(String(address.prefix(160)))
    screen.console().say("no feed: \(address) — 'gallery sync --page \(address)' follows it")

    let lines = screen.errors.split(separator: "\n")
    #expect(lines[0].hasPrefix("cannot read 'https://stars.example/aaa"))
    #expect(lines[0].contains("aaa…aaa") && lines[0].hasSuffix("/end.json': \(word)"))
    #expect(lines[1].count == 4 + 106 + 1 + 53)
    #expect(lines[2] == "gallery sync \(address)")
    #expect(lines[3] == address && lines[4] == address.prefix(160))
    #expect(lines[5].hasPrefix("no feed: https://stars.example/aaa") && lines[5].contains("a…a"))
    #expect(lines[5].hasSuffix(" — 'gallery sync --page \(address)' follows it"))
  }

  @Test func `colours a pipe when it is to`() {
    let console = screen.console(stylesPipes: true)
    console.say("cannot show '9'", style: .problem)
    #expect(screen.errors == "\u{1B}[31mcannot show '9'\u{1B}[0m\n")
    #expect(console.style(.dim) == .dim)
    #expect(screen.console().style(.dim) == .plain)
  }

  @Test func `draws no status line through a pipe`() {
    let console = screen.console(outputColumns: 80)

    console.drawStatus(.init(fraction: nil, text: "reading"))
    console.endStatus()

    #expect(screen.events == [])
  }

  @Test func `draws each line in the place of the last`() {
    let console = screen.console(errorColumns: 80)

    for fraction in [0, 0.5, 1] {
      console.drawStatus(.init(fraction: fraction, text: "of 4.0 MB"))
    }

    #expect(
      screen.events == [
        .errors(erase + "[................] of 4.0 MB"),
        .errors(erase + "[########........] of 4.0 MB"),
        .errors(erase + "[################] of 4.0 MB"),
      ]
    )
  }

  @Test func `counts the lines that its words move the terminal down`() {
    let console = screen.console(outputColumns: 10, errorColumns: 20)

    console.writeLine("7")
    console.writeLine("")
    console.writeLine("eleven char")
    console.writeLine("夕焼けの山")
    console.writeLine("夕焼けの山々")
    console.say("eleven char")
    console.draw(Array("drawn\n".utf8))

    #expect(console.linesWritten == 8)
  }

  @Test func `counts no lines that go elsewhere`() {
    let console = screen.console(outputColumns: nil, errorColumns: 20)

    console.writeLine("7")
    console.say("once")

    #expect(console.linesWritten == 1)
  }

  @Test func `says strangers' words harmlessly`() {
    let console = screen.console()

    console.say("cannot sync '\u{1B}[31mred\nnext'")

    #expect(screen.errors == "cannot sync '\u{FFFD}[31mred next'\n")
  }
}
