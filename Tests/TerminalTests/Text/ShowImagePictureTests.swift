import Testing

@testable import Scenes
@testable import Terminal

/// A picture on the display, and the better pictures that replace it.
struct ShowImagePictureTests {
  private let screen = Screen()
  private let rows = Array(repeating: String(repeating: " ", count: 40) + "\n", count: 10).joined()
  private let up = "\r\u{1B}[10A"

  @Test func `draws thumbnail, parts and original in one place, and the facts around it`() throws {
    let display = try display()

    display.displayFetchedThumbnail(viewModel: .init(text: "7: thumbnail", picture: try picture()))
    display.displayPartialOriginal(viewModel: .init(picture: try picture()))
    display.displayFetchedOriginal(
      viewModel: .init(text: "fetched", path: "/a.jpg", picture: try picture())
    )

    #expect(
      screen.events.map(text) == [
        "7: thumbnail\n", rows, up + rows, up + rows, "fetched\n", "/a.jpg\n",
      ]
    )
  }

  @Test func `draws the next image below`() throws {
    let display = try display()

    for _ in 1...2 {
      display.displayFetchedOriginal(viewModel: .init(text: "a", path: nil, picture: try picture()))
    }
    display.displayFetchedThumbnail(viewModel: .init(text: "b", picture: try picture()))
    display.displayUnavailableOriginal(viewModel: .init(message: "c", outcome: .unavailable))
    display.displayPartialOriginal(viewModel: .init(picture: try picture()))
    display.displayFailure(viewModel: .init(message: "d", outcome: .failed))
    display.displayPartialOriginal(viewModel: .init(picture: try picture()))

    #expect(
      screen.events.map(text) == [rows, "a\n", rows, "a\n", "b\n", rows, "c\n", rows, "d\n", rows]
    )
  }

  @Test func `draws the original before in the place of the thumbnail`() throws {
    let display = try display()

    display.displayFetchedThumbnail(viewModel: .init(text: "a", picture: try picture()))
    display.displayUnavailableOriginal(viewModel: .init(message: "b", outcome: .done))
    display.displayFetchedOriginal(viewModel: .init(text: "c", path: nil, picture: try picture()))

    let last = text(screen.events[3])
    #expect(last.hasPrefix("\r\u{1B}[11A"))
    #expect(text(screen.events[4]) == "c\n")
  }

  @Test func `says once what holds for every picture`() throws {
    let display = try display()

    for _ in 1...2 {
      display.displayFetchedThumbnail(viewModel: .init(text: "a", note: "no decoder"))
      display.displayFetchedOriginal(viewModel: .init(text: "b", path: nil, note: "no decoder"))
    }

    #expect(screen.events.map(text) == ["a\n", "no decoder\n", "b\n", "a\n", "b\n"])
  }

  @Test func `draws nothing without a place to draw`() throws {
    let display = ShowImageTextDisplay(console: screen.console(outputColumns: 40))

    display.displayPartialOriginal(viewModel: .init(picture: try picture()))

    #expect(screen.events == [])
  }

  private func text(_ event: Screen.Event) -> String {
    switch event {
    case .output(let text), .errors(let text): text
    }
  }

  private func picture() throws -> DisplayedPicture {
    DisplayedPicture(picture: try .plain(width: 400, height: 200, colour: [0, 0, 0, 255]))
  }

  private func display() throws -> ShowImageTextDisplay {
    let console = screen.console(outputColumns: 40, errorColumns: 40)
    let encoder = try #require(PictureEncoder(.init(graphicsProtocol: .symbols(.none))))
    return ShowImageTextDisplay(console: console) {
      PictureArea(
        console: console,
        encoder: encoder,
        window: { TerminalWindow(columns: 40, rows: 24) }
      )
    }
  }
}
