import Scenes
import Testing
import Workers

@testable import Terminal

struct ScreenPainterTests {
  private let terminal = TerminalEmulator(columns: 20, rows: 6)

  private func painter(_ graphics: GraphicsProtocol = .kitty) -> ScreenPainter {
    ScreenPainter(
      sink: terminal,
      graphics: TerminalGraphics(graphicsProtocol: graphics),
      hasStyles: true
    ) { TerminalWindow(columns: 20, rows: 6) }
  }

  private var empty: ScreenContent { ScreenContent(size: CellSize(columns: 20, rows: 6)) }

  private func content(_ lines: String...) -> ScreenContent {
    var content = empty
    for (row, line) in lines.enumerated() { content.put(line, at: .init(column: 0, row: row)) }
    return content
  }

  private func placed(_ key: String, _ area: CellArea) throws -> PlacedPicture {
    let bytes = [UInt8](repeating: 255, count: 20 * 20 * 4)
    let picture = try #require(Picture(width: 20, height: 20, bytes: bytes))
    return PlacedPicture(key: key, picture: picture, area: area)
  }

  private let area = CellArea(column: 2, row: 1, size: CellSize(columns: 4, rows: 2))

  @Test func `shows text, and then writes only what differs`() {
    let painter = painter()

    painter.paint(content("one", "two", "three"))
    #expect(terminal.text == "one\ntwo\nthree")
    let before = terminal.written
    painter.paint(content("one", "tWo", "three"))

    #expect(terminal.text == "one\ntWo\nthree")
    #expect(terminal.written - before < 30)
    #expect(terminal.unknown == [])
  }

  @Test func `writes nothing while nothing changes`() throws {
    let painter = painter()
    var content = content("one")
    content.place(try placed("a", area))
    content.cursor = .init(column: 3, row: 0)

    painter.paint(content)
    let before = terminal.written
    painter.paint(content)

    #expect(terminal.written == before)
    #expect(terminal.cursor == .init(column: 3, row: 0))
  }

  @Test func `keeps wide characters, marks and styles in their cells`() {
    let painter = painter()
    var content = content("漢字 e\u{301} x", "\u{1B}[31mred")
    content.put("chosen", at: .init(column: 0, row: 2), width: 10, style: .selected, isFilled: true)

    painter.paint(content)
    #expect(terminal.lines[0] == "漢字 e\u{301} x")
    #expect(terminal.lines[1] == "\u{FFFD}[31mred")
    #expect(terminal.text(inStyle: "7") == "chosen")
    painter.paint(self.content("ab字 e x"))

    #expect(terminal.text == "ab字 e x")
  }

  @Test func `cuts what is too wide for its cells`() {
    var content = empty
    content.put("a long title", at: .init(column: 0, row: 0), width: 6)
    content.put("漢字漢字", at: .init(column: 0, row: 1), width: 5)
    content.put("outside", at: .init(column: 0, row: 6))
    content.put("edge of it", at: .init(column: 17, row: 2))
    painter().paint(content)

    #expect(terminal.text == "a lon…\n漢字…\n                 ed…")
  }

  @Test func `places a picture, moves it, and takes it away`() throws {
    let painter = painter()
    var one = content("text")
    one.place(try placed("a", area))
    painter.paint(one)

    #expect(terminal.pictures.map(\.column) == [2])
    #expect(terminal.pictures.map(\.rows) == [2])
    var two = content("text")
    two.place(try placed("a", CellArea(column: 8, row: 3, size: area.size)))
    painter.paint(two)
    #expect(terminal.pictures.map(\.column) == [8])
    painter.paint(content("text"))

    #expect(terminal.pictures == [])
  }

  @Test func `replaces a picture in its place`() throws {
    let painter = painter()
    var one = empty
    one.place(try placed("thumbnail", area))
    painter.paint(one)
    let first = terminal.pictures
    var two = empty
    two.place(try placed("original", area))
    painter.paint(two)

    #expect(terminal.pictures.count == 1)
    #expect(terminal.pictures != first)
  }

  @Test func `a picture of characters leaves nothing behind`() throws {
    let painter = painter(.symbols(.none))
    var one = content("a", "b")
    one.place(try placed("a", area))
    painter.paint(one)
    #expect(terminal.lines[1] == "b ████")
    #expect(terminal.lines[2] == "  ████")
    painter.paint(content("a", "b"))

    #expect(terminal.text == "a\nb")
  }

  @Test func `sends no picture that will not be seen`() throws {
    let painter = painter()
    var content = content("text")
    content.place(try placed("a", area))
    content.place(try placed("b", CellArea(column: 8, row: 3, size: area.size)))
    painter.paint(content) { terminal.pictures.count == 1 }

    #expect(terminal.text == "text")
    #expect(terminal.pictures.count == 1)
    painter.paint(content)
    #expect(terminal.pictures.count == 2)
  }

  @Test func `draws everything again when the screen is not as it was`() throws {
    let painter = painter()
    var content = content("text")
    content.place(try placed("a", area))
    painter.paint(content)
    terminal.write(Array("\u{1B}[2J".utf8))
    painter.forget()
    painter.paint(content)

    #expect(terminal.text == "text")
    #expect(terminal.pictures.count == 1)
  }
}
