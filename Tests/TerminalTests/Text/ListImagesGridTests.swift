import Testing

@testable import Scenes
@testable import Terminal

struct ListImagesGridTests {
  private let screen = Screen()

  @Test func `draws thumbnails with id and title under each`() throws {
    let picture = try Picture.plain(width: 240, height: 160, colour: [0, 0, 0, 255])
    let images = [image(7, "The moon", picture), image(12, "A \u{1B}[2Jbay", nil)]

    try display().displayFetchedImages(viewModel: .init(displayedImages: images, isGrid: true))

    let lines = screen.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 11)
    #expect(lines[4].hasSuffix("│      no picture      │"))
    #expect(lines[8] == "7 The moon                12 A \u{FFFD}[2Jbay")
  }

  @Test func `lists in words what comes without pictures, after a note`() throws {
    let display = try display()

    display.displayUndrawnImages(viewModel: .init(note: "cannot draw pictures"))
    display.displayFetchedImages(viewModel: .init(displayedImages: [image(7, "The moon", nil)]))

    #expect(
      screen.events == [
        .errors("cannot draw pictures\n"), .output("ID  DATE        FEED  TITLE\n"),
        .output("7   2026-11-02  Sky   The moon\n"),
      ]
    )
  }

  private func image(_ id: Int64, _ title: String, _ picture: Picture?) -> DisplayedImage {
    DisplayedImage(
      id: id,
      published: "2026-11-02T08:00:00Z",
      day: "2026-11-02",
      feed: "Sky",
      title: title,
      originalMark: "",
      picture: picture
    )
  }

  private func display() throws -> ListImagesTextDisplay {
    let console = screen.console(outputColumns: 50)
    let grid = PictureGrid(
      console: console,
      encoder: try #require(PictureEncoder(.init(graphicsProtocol: .symbols(.none)))),
      missingNote: "no picture",
      window: { TerminalWindow(columns: 50, rows: 24) }
    )
    return ListImagesTextDisplay(console: console, grid: grid)
  }
}
