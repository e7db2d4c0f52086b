import Testing
import Workers

@testable import Scenes
@testable import Terminal

struct PictureAreaTests {
  private let screen = Screen()
  private let console: Console
  private let window = Locked(TerminalWindow(columns: 40, rows: 24))

  init() { console = screen.console(outputColumns: 40, errorColumns: 40) }

  @Test func `draws a picture again in its place`() throws {
    let area = try area(.symbols(.none))

    area.draw(try picture(.white))
    area.draw(try picture(.black))

    let (white, black) = (rows("█", 10), rows(" ", 10))
    #expect(screen.events == [.output(white), .output("\r\u{1B}[10A" + black)])
  }

  @Test func `leaves the text below where it is`() throws {
    let area = try area(.symbols(.none))

    area.draw(try picture(.white))
    console.writeLine("8  A nuthatch")
    console.say("a note that is longer than the terminal is wide")
    area.draw(try picture(.black))

    let black = rows(" ", 10).dropLast().replacing("\n", with: "\r\u{1B}[1B")
    #expect(drawings.last == "\r\u{1B}[13A\r\(black)\r\u{1B}[9A\r\r\u{1B}[13B")
  }

  @Test func `gives a picture of another shape no lines of the text below`() throws {
    let area = try area(.symbols(.none))

    area.draw(try picture(.white))
    console.writeLine("8  A nuthatch")
    area.draw(try picture(.white, width: 400, height: 800))
    area.draw(try picture(.white, width: 400, height: 100))

    let erase = "\u{1B}[2K" + String(repeating: "\u{1B}[1B\u{1B}[2K", count: 9) + "\r\u{1B}[9A"
    let outputs = drawings
    #expect(outputs[2].hasPrefix("\r\u{1B}[11A" + erase + "\r██████████\r\u{1B}[1B"))
    #expect(outputs[2].hasSuffix("\r\u{1B}[9A\r\r\u{1B}[11B"))
    #expect(outputs[3].hasPrefix("\r\u{1B}[11A" + erase))
    #expect(outputs[3].hasSuffix("\r\u{1B}[11B"))
  }

  @Test func `takes the lines that another shape needs where nothing is below`() throws {
    let area = try area(.symbols(.none))

    area.draw(try picture(.white))
    area.draw(try picture(.white, width: 400, height: 800))
    area.draw(try picture(.black))

    let tall = String(repeating: String(repeating: "█", count: 21) + "\n", count: 21)
    #expect(drawings[1] == "\r\u{1B}[10A\u{1B}[J" + tall)
    #expect(drawings[2] == "\r\u{1B}[21A\u{1B}[J" + rows(" ", 10))
  }

  @Test func `lays a new kitty picture over the old one, then deletes that`() throws {
    let area = try area(.kitty)

    area.draw(try picture(.white))
    area.draw(try picture(.black))
    area.draw(try picture(.white))

    #expect(
      drawings[0].hasPrefix(String(repeating: "\n", count: 10) + "\r\u{1B}[10A\r\u{1B}7\u{1B}_G")
    )
    #expect(!drawings[0].contains("a=d"))
    #expect(drawings[1].hasPrefix("\r\u{1B}[10A"))
    #expect(drawings[1].contains("i=8,"))
    #expect(drawings[1].hasSuffix("\u{1B}_Ga=d,d=I,i=7,q=2\u{1B}\\"))
    #expect(drawings[2].hasSuffix("\u{1B}_Ga=d,d=I,i=8,q=2\u{1B}\\"))
    #expect(drawings.count == 3)
  }

  @Test func `erases a sixel picture before the next one`() throws {
    let area = try area(.sixel)

    area.draw(try picture(.white))
    area.draw(try picture(.black))

    #expect(!drawings[0].contains("\u{1B}[J"))
    #expect(drawings[1].hasPrefix("\r\u{1B}[10A\u{1B}[J\n"))
  }

  @Test func `draws once more below when the terminal was made wider or narrower`() throws {
    let area = try area(.symbols(.none))

    area.draw(try picture(.white))
    window.withLock { $0.columns = 20 }
    area.draw(try picture(.black))

    #expect(drawings[1] == String(repeating: String(repeating: " ", count: 20) + "\n", count: 5))
  }

  @Test func `draws once more below when the place has left the screen`() throws {
    let area = try area(.symbols(.none))

    area.draw(try picture(.white))
    for line in 1...14 { console.writeLine("line \(line)") }
    area.draw(try picture(.black))

    #expect(screen.events.last == .output(rows(" ", 10)))
  }

  @Test func `reaches a place that is still wholly on the screen`() throws {
    let area = try area(.symbols(.none))

    area.draw(try picture(.white))
    for line in 1...13 { console.writeLine("line \(line)") }
    area.draw(try picture(.black))

    #expect(drawings.last?.hasPrefix("\r\u{1B}[23A") == true)
  }

  @Test func `draws once more below when the window was made too low`() throws {
    let area = try area(.symbols(.none))

    area.draw(try picture(.white))
    window.withLock { $0.rows = 10 }
    area.draw(try picture(.black))

    // Seven of the window's ten lines: text needs the others.
    let low = String(repeating: String(repeating: " ", count: 28) + "\n", count: 7)
    #expect(drawings[1] == low)
  }

  @Test func `takes the progress line away while it draws`() throws {
    let area = try area(.symbols(.none))
    area.draw(try picture(.white))

    console.drawStatus(ProgressLine(fraction: nil, text: "fetching"))
    area.draw(try picture(.black))

    let erase = "\r\u{1B}[K"
    #expect(
      screen.events.dropFirst() == [
        .errors(erase + "fetching"), .errors(erase), .output("\r\u{1B}[10A" + rows(" ", 10)),
      ]
    )
  }

  @Test func `tells how many pixels there is room for`() throws {
    #expect(try area(.kitty).room == PixelSize(width: 400, height: 420))
  }

  private var drawings: [String] {
    screen.events.compactMap { if case .output(let text) = $0 { text } else { nil } }
  }

  /// The lines of a picture as wide as the window.
  private func rows(_ character: String, _ count: Int) -> String {
    String(repeating: String(repeating: character, count: 40) + "\n", count: count)
  }

  private func picture(_ colour: RGBColour, width: Int = 400, height: Int = 200) throws -> Picture {
    let bytes = [colour.red, colour.green, colour.blue, 255]
    return try Picture.plain(width: width, height: height, colour: bytes)
  }

  private func area(_ graphicsProtocol: GraphicsProtocol) throws -> PictureArea {
    let graphics = TerminalGraphics(graphicsProtocol: graphicsProtocol)
    return PictureArea(
      console: console,
      encoder: try #require(PictureEncoder(graphics, firstImageID: 7)),
      window: { [window] in window.withLock { $0 } }
    )
  }
}

struct PictureDrawingTests {
  @Test(arguments: [
    (TerminalWindow(columns: 100, rows: 40), 5), (TerminalWindow(columns: 200, rows: 50), 4),
    (TerminalWindow(columns: 40, rows: 14), 6), (TerminalWindow(columns: 20, rows: 9), 4),
    (TerminalWindow(columns: 1, rows: 1), 0),
  ])
  func `keeps lines for text, half of a small window at most`(window: TerminalWindow, rows: Int) {
    #expect(PictureDrawing.rowsKept(in: window) == rows)
  }

  @Test(arguments: [PictureMode.auto, .never])
  func `is none where nothing is drawn`(mode: PictureMode) {
    let terminal = PictureTerminal(mode: mode, descriptor: -1, environment: ["TERM": "xterm"])

    let drawing = PictureDrawing(on: terminal, console: Screen().console())
    #expect(drawing.map { _ in true } == nil)
  }

  @Test func `has a grid and places where pictures are drawn`() throws {
    let terminal = PictureTerminal(mode: .always, descriptor: -1, environment: [:])
    let drawing = try #require(PictureDrawing(on: terminal, console: Screen().console()))

    #expect(drawing.makeGrid().countPerRow == 3)
    #expect(drawing.makeArea().room == PixelSize(width: 800, height: 380))
  }
}
