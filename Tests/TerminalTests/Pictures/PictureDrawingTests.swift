import Testing

@testable import Terminal

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
