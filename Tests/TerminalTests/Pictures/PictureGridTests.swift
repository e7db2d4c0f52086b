import Scenes
import Testing
import Workers

@testable import Terminal

struct PictureGridTests {
  private let screen = Screen()
  private let blank = Substring(String(repeating: " ", count: 24))
  private let window = Locked(TerminalWindow(columns: 50, rows: 24))

  @Test func `puts pictures in rows, with words under each`() throws {
    let black = try Picture.plain(width: 240, height: 160, colour: [0, 0, 0, 255])
    let white = try Picture.plain(width: 120, height: 160, colour: [255, 255, 255, 255])

    try grid(.symbols(.none)).write([
      .init(picture: white, caption: "1  White"), .init(picture: nil, caption: "2  Nothing"),
      .init(picture: black, caption: "3  Black"),
    ])

    let bar = String(repeating: "─", count: 22)
    #expect(
      screen.output.split(separator: "\n", omittingEmptySubsequences: false) == [
        "████████████              ┌\(bar)┐",
        "████████████              │                      │",
        "████████████              │                      │",
        "████████████              │                      │",
        "████████████              │       no image       │",
        "████████████              │                      │",
        "████████████              │                      │",
        "████████████              └\(bar)┘",
        "1  White                  2  Nothing",
        "",
        blank, blank, blank, blank, blank, blank, blank, blank,
        "3  Black",
        "",
        "",
      ]
    )
  }

  @Test func `writes each row at once`() throws {
    let picture = try Picture.plain(width: 240, height: 160)

    try grid(.kitty).write(Array(repeating: .init(picture: picture, caption: "1"), count: 5))

    #expect(screen.events.count == 3)
    #expect(screen.output.ranges(of: "i=7,").count == 1)
    #expect(screen.output.ranges(of: "i=11,").count == 1)
  }

  @Test func `divides a window again that was resized between two rows`() throws {
    let narrow = try grid(.symbols(.none)) { [window] in
      window.withLock { window in
        defer { window.columns = 24 }
        return window
      }
    }

    narrow.write((1...4).map { .init(picture: nil, caption: "\($0)") })

    let words = screen.output.split(separator: "\n").filter { $0.first?.isNumber == true }
    #expect(words == ["1                         2", "3", "4"])
  }

  @Test func `tells how many pictures and pixels there is room for`() throws {
    let grid = try grid(.kitty)

    #expect(grid.countPerRow == 2)
    #expect(grid.countPerPage(rowsKept: 2) == 4)
    #expect(grid.room == PixelSize(width: 240, height: 160))
  }

  private func grid(
    _ graphicsProtocol: GraphicsProtocol,
    window: (() -> TerminalWindow)? = nil
  ) throws -> PictureGrid {
    let graphics = TerminalGraphics(graphicsProtocol: graphicsProtocol)
    return PictureGrid(
      console: screen.console(outputColumns: 50),
      encoder: try #require(PictureEncoder(graphics, firstImageID: 7)),
      missingNote: "no image",
      window: window ?? { [locked = self.window] in locked.withLock { $0 } }
    )
  }
}

struct GridLayoutTests {
  private let cell = PixelSize(width: 10, height: 20)

  @Test(arguments: [
    (80, 3, CellSize(columns: 25, rows: 8)), (200, 7, CellSize(columns: 26, rows: 9)),
    (60, 2, CellSize(columns: 29, rows: 10)), (59, 3, CellSize(columns: 18, rows: 6)),
    (50, 2, CellSize(columns: 24, rows: 8)), (40, 2, CellSize(columns: 19, rows: 6)),
    (37, 1, CellSize(columns: 37, rows: 12)),
    (12, 1, CellSize(columns: 12, rows: 4)), (1, 1, CellSize(columns: 1, rows: 1)),
  ])
  func `divides a window of any width`(columns: Int, count: Int, place: CellSize) {
    let layout = GridLayout(window: TerminalWindow(columns: columns, rows: 24), cell: cell)

    #expect(layout.count == count)
    #expect(layout.tile == place)
    #expect(layout.column(count - 1) + layout.tile.columns <= columns)
  }

  @Test func `leaves room for the words in a low window`() {
    #expect(GridLayout(window: TerminalWindow(columns: 80, rows: 6), cell: cell).tile.rows == 3)
    #expect(GridLayout(window: TerminalWindow(columns: 80, rows: 1), cell: cell).tile.rows == 1)
  }

  @Test func `counts what a window shows at once`() {
    let window = TerminalWindow(columns: 80, rows: 24)
    let layout = GridLayout(window: window, cell: cell)

    #expect(layout.pageCount(in: window, rowsKept: 2) == 6)
    #expect(layout.pageCount(in: window, rowsKept: 20) == 3)
  }
}

struct PictureRowTests {
  @Test func `writes characters from top to bottom, without moving the cursor`() {
    let row = PictureRow(
      items: [item(0, lines: ["ab", "cd", "ef"]), item(4, lines: ["xyz"])],
      rows: 3
    )

    #expect(text(row.bytes) == "ab\ncd\nef  xyz\n")
  }

  @Test func `puts pixels side by side where lines were made free before`() {
    let row = PictureRow(
      items: [item(0, pixels: "ONE", rows: 3), item(10, pixels: "TWO", rows: 2)],
      rows: 3
    )

    let one = "\r\u{1B}7ONE\u{1B}8\r"
    let two = "\r\u{1B}[1B\u{1B}[10C\u{1B}7TWO\u{1B}8\r\u{1B}[1A"
    #expect(text(row.bytes) == "\n\n\n\r\u{1B}[3A\(one)\(two)\r\u{1B}[3B")
  }

  @Test func `draws a frame among pixels line by line`() {
    let row = PictureRow(
      items: [item(0, pixels: "ONE", rows: 2), item(6, lines: ["ab", "cd"])],
      rows: 2
    )

    let one = "\r\u{1B}7ONE\u{1B}8\r"
    let frame = "\r\u{1B}[6Cab\r\u{1B}[1B\u{1B}[6Ccd\r\u{1B}[1A\r"
    #expect(text(row.overlay) == one + frame)
  }

  @Test func `frames a note where a picture is missing`() {
    let frame = PictureFrame.frame(CellSize(columns: 12, rows: 5), note: "no picture")
    let narrow = PictureFrame.frame(CellSize(columns: 7, rows: 3), note: "no picture")
    let low = PictureFrame.frame(CellSize(columns: 12, rows: 2), note: "no picture")

    #expect(
      lines(frame) == [
        "┌──────────┐", "│          │", "│no picture│", "│          │", "└──────────┘",
      ]
    )
    #expect(lines(narrow) == ["┌─────┐", "│no p…│", "└─────┘"])
    #expect(lines(low) == ["no picture  ", "            "])
  }

  private func item(_ column: Int, lines: [String]) -> PictureRow.Item {
    let size = CellSize(columns: lines[0].count, rows: lines.count)
    let content = EncodedPicture.Content.lines(lines.map { Array($0.utf8) })
    return .init(column: column, picture: EncodedPicture(size: size, content: content))
  }

  private func item(_ column: Int, pixels: String, rows: Int) -> PictureRow.Item {
    let content = EncodedPicture.Content.pixels(Array(pixels.utf8), imageID: nil)
    let size = CellSize(columns: 5, rows: rows)
    return .init(column: column, picture: EncodedPicture(size: size, content: content))
  }

  private func lines(_ picture: EncodedPicture) -> [String] {
    guard case .lines(let lines) = picture.content else { return [] }
    return lines.map(text)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
