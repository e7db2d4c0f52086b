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

  @Test func `divides a window anew that was resized between two rows`() throws {
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
