import Testing
import Workers

@testable import Scenes
@testable import Terminal

/// Whole screens, as a terminal shows them.
struct BrowseScreenTests {
  private static let titles = [
    "Moon over the bay", "月と海の写真展", "", "A title that is longer than its tile", "Sun \u{1B}[2J",
    "שלום",
    "Stars",
  ]

  private func screen(_ columns: Int, _ rows: Int = 24, pixels: Bool = true) -> BrowseScreen {
    let screen = BrowseScreen(
      window: TerminalWindow(columns: columns, rows: rows),
      graphics: pixels ? TerminalGraphics(graphicsProtocol: .kitty) : nil
    )
    var page = ListedPage()
    page.images = Self.titles.enumerated().map { .named($1, id: Int64($0) + 1) }
    screen.grid.take(page, of: .init(number: 0))
    return screen
  }

  private func shown(_ screen: BrowseScreen) -> TerminalEmulator {
    let terminal = TerminalEmulator(columns: screen.window.columns, rows: screen.window.rows)
    let painter = ScreenPainter(
      sink: terminal,
      graphics: screen.drawing?.graphics,
      hasStyles: true
    ) { screen.window }
    screen.arrange()
    painter.paint(screen.content)
    #expect(terminal.unknown == [])
    return terminal
  }

  @Test func `shows two tiles in a row at 40 columns`() {
    let terminal = shown(screen(40, 16))

    #expect(
      terminal.text == """
        ┌─────────────────┐  ┌─────────────────┐
        │                 │  │                 │
        │                 │  │                 │
        │   no picture    │  │   no picture    │
        │                 │  │                 │
        └─────────────────┘  └─────────────────┘
        1 Moon over the bay  2 月と海の写真展

        ┌─────────────────┐  ┌─────────────────┐
        │                 │  │                 │
        │                 │  │                 │
        │   no picture    │  │   no picture    │
        │                 │  │                 │
        └─────────────────┘  └─────────────────┘
        3                    4 A title that is …
        1 of 7 images                     ? help
        """
    )
    #expect(terminal.text(inStyle: "7") == "1 Moon over the bay")
  }

  @Test func `shows three tiles in a row at 80 columns, and lets no title act on the terminal`() {
    let lines = shown(screen(80)).lines

    #expect(lines[8] == "1 Moon over the bay        2 月と海の写真展           3")
    let titles =
      "4 A title that is longer…  5 Sun \u{FFFD}[2J                 \u{200E}6 שלום\u{200E}"
    #expect(lines[18] == titles)
    #expect(lines[23] == "1 of 7 images" + String(repeating: " ", count: 61) + "? help")
  }

  @Test func `shows seven tiles in a row at 200 columns`() {
    let lines = shown(screen(200)).lines

    #expect(lines[9].hasPrefix("1 Moon over the bay         2 月と海の写真展            3"))
    #expect(lines[9].hasSuffix("  7 Stars"))
    #expect(lines[11...22].joined() == "")
  }

  @Test func `lists lines where no pictures are drawn`() {
    let terminal = shown(screen(60, 5, pixels: false))

    #expect(
      terminal.text == """
        1 Moon over the bay  2026-11-02  Night sky
        2 月と海の写真展  2026-11-02  Night sky
        3  2026-11-02  Night sky
        4 A title that is longer than its tile  2026-11-02  Night s…
        1 of 7 images                                         ? help
        """
    )
  }

  @Test(arguments: [(1, 1), (2, 3), (10, 4), (40, 2), (300, 100)])
  func `draws within any window`(columns: Int, rows: Int) {
    let screen = screen(columns, rows)
    _ = shown(screen)
    screen.facts = facts
    _ = shown(screen)
    screen.feeds = feeds
    _ = shown(screen)
    screen.prompt = "a long text to search for in the library"
    screen.isHelpShown = true

    #expect(shown(screen).lines.count == rows)
  }

  @Test func `keeps the selection in the window when that changes its size`() {
    let screen = screen(80)
    screen.grid.move(.end)
    screen.resize(to: TerminalWindow(columns: 40, rows: 9))
    let terminal = shown(screen)

    #expect(terminal.text(inStyle: "7") == "7 Stars")
    #expect(terminal.lines[8].hasPrefix("7 of 7 images"))
  }

  // MARK: One image

  @Test func `shows one image in the middle, and the same place in the grid after it`() throws {
    let screen = screen(80)
    screen.grid.move(.to(4))
    let before = shown(screen).text
    let image = ImageDisplay(id: 5, name: "5 Sun")
    screen.image = image
    image.displayFetchedThumbnail(
      viewModel: .init(text: "5 'Sun'", picture: try picture(300, 200, of: (3_000, 2_000)))
    )
    let thumbnail = shown(screen)
    image.displayProgress(viewModel: .init(line: .init(fraction: 0.5, text: "half of it")))
    #expect(shown(screen).lines[23].hasSuffix("....] half of it"))
    image.displayFetchedOriginal(
      viewModel: .init(text: "stored original", picture: try picture(690, 460, of: (3_000, 2_000)))
    )
    let original = shown(screen)
    screen.image = nil

    #expect(
      thumbnail.pictures.map { [$0.column, $0.row, $0.columns, $0.rows] } == [[5, 0, 69, 23]]
    )
    #expect(
      original.pictures.map { [$0.column, $0.row, $0.columns, $0.rows] } == [[5, 0, 69, 23]]
    )
    #expect(original.lines[23].hasPrefix("5 'Sun' — stored original  "))
    #expect(shown(screen).text == before)
  }

  @Test func `says why an original is not shown`() {
    let screen = screen(80)
    let image = ImageDisplay(id: 5, name: "5 Sun")
    screen.image = image
    image.displayUnavailableOriginal(
      viewModel: .init(message: "cannot fetch '5': there is no network", outcome: .unavailable)
    )

    #expect(shown(screen).text.hasPrefix("\n"))
    #expect(shown(screen).lines[23].hasPrefix("cannot fetch '5': there is no network  "))
  }

  // MARK: Panels

  private var facts: ImageDisplay {
    let display = ImageDisplay(id: 1, name: "1 Moon")
    display.displayDescribedImage(
      viewModel: .init(
        fields: [
          .init(name: "title", value: "Moon over the bay"),
          .init(name: "page", value: "https://example.com/a/page/with/a/long/address"),
        ],
        image: .init(feed: "Night sky", feedID: 1)
      )
    )
    return display
  }

  private var feeds: FeedListDisplay {
    let display = FeedListDisplay()
    let feeds = [(3, "Astronomy", "120"), (7, "", "5")].map { id, title, number in
      DisplayedFeed(
        id: id,
        title: title,
        address: "https://team.example/shots.json",
        format: "",
        images: "",
        imageNumber: number,
        lastSync: "",
        lastSyncTime: "",
        status: "",
        problem: ""
      )
    }
    display.displayFetchedFeeds(viewModel: .init(displayedFeeds: feeds))
    return display
  }

  @Test func `shows facts beside the grid, and whole addresses`() {
    let screen = screen(80, 12)
    screen.facts = facts
    let lines = shown(screen).lines

    #expect(lines[0].hasSuffix(" title"))
    #expect(lines[1].hasSuffix("  Moon over the bay"))
    #expect(lines[3].hasSuffix("  https://example.com/a/page/w"))
    #expect(lines[4].hasSuffix("  ith/a/long/address"))
  }

  @Test func `lists feeds, of which one is chosen`() {
    let screen = screen(40, 6)
    screen.feeds = feeds
    screen.feeds?.move(by: 2)
    let terminal = shown(screen)

    #expect(
      terminal.text == """
        All feeds
        Astronomy                            120
        https://team.example/shots.json        5


        1 of 7 images                     ? help
        """
    )
    #expect(terminal.text(inStyle: "7") == "https://team.example/shots.json        5")
    #expect(screen.feeds?.selectedFeed?.id == 7)
    #expect(screen.feedLine(at: .init(column: 3, row: 1)) == 1)
    #expect(screen.feedLine(at: .init(column: 3, row: 4)) == nil)
    screen.feeds?.move(by: -9)
    #expect(screen.feeds?.selectedFeed == nil)
  }

  @Test func `lists the keys`() {
    let screen = screen(60)
    screen.isHelpShown = true
    let terminal = shown(screen)

    #expect(terminal.lines[0] == "arrows               move from image to image")
    #expect(terminal.pictures == [])
  }

  @Test(arguments: [(40, 24), (40, 6), (80, 24), (24, 9), (200, 50)])
  func `shows every word of the help, if one scrolls`(columns: Int, rows: Int) {
    let screen = screen(columns, rows)
    screen.isHelpShown = true
    let words = BrowseHelp.keys.flatMap { ($0.key + " " + $0.text).split(separator: " ") }
    var lines = shown(screen).lines.dropLast()
    while screen.scroll(.down), lines.last != shown(screen).lines.dropLast().last {
      lines.append(shown(screen).lines.dropLast().last ?? "")
    }

    #expect(!lines.contains { $0.contains("…") })
    let text = lines.joined(separator: " ")
    for word in words { #expect(text.contains(word), "\(word)") }
    #expect(lines.last { !$0.isEmpty }?.hasSuffix("quit") == true)
  }

  @Test(arguments: [(80, 24), (40, 24), (40, 5)])
  func `scrolls facts that are longer than the window`(columns: Int, rows: Int) {
    let screen = screen(columns, rows)
    let facts = ImageDisplay(id: 1, name: "1 Moon")
    let fields = (1...30).map { DescriptionField(name: "name \($0)", value: "value \($0)") }
    facts.displayExplainedImage(viewModel: .init(fields: fields))
    screen.facts = facts
    let body = rows - 1
    func top() -> String { shown(screen).lines[0] }
    func note() -> String { shown(screen).lines[rows - 1] }

    #expect(top().hasSuffix("name 1"))
    #expect(note().hasSuffix("lines 1–\(body) of 60"))
    screen.scroll(.up)
    #expect(top().hasSuffix("name 1"))
    screen.scroll(.down)
    #expect(top().hasSuffix("value 1"))
    screen.scroll(.pageDown)
    #expect(note().hasSuffix("lines \(body + 1)–\(2 * body) of 60"))
    screen.scroll(.pageUp)
    #expect(top().hasSuffix("value 1"))
    screen.scroll(.end)
    #expect(note().hasSuffix("lines \(60 - body + 1)–60 of 60"))
    #expect(shown(screen).lines[body - 1].hasSuffix("value 30"))
    screen.scroll(.down)
    #expect(shown(screen).lines[body - 1].hasSuffix("value 30"))
    screen.resize(to: TerminalWindow(columns: 200, rows: 100))
    #expect(shown(screen).lines[0].hasSuffix("name 1"))
    #expect(shown(screen).lines[99].hasSuffix("? help"))
    screen.resize(to: TerminalWindow(columns: columns, rows: rows))
    screen.scroll(.home)
    #expect(top().hasSuffix("name 1"))
    screen.scroll(.end)
    screen.facts = self.facts
    #expect(top().hasSuffix("title"))
  }

  @Test func `does not scroll what fits`() {
    let screen = screen(80)
    #expect(!screen.scroll(.down))
    screen.facts = facts
    #expect(!screen.scroll(.down))
    #expect(shown(screen).lines[0].hasSuffix(" title"))
    screen.isHelpShown = true
    #expect(!screen.scroll(.end))
    #expect(shown(screen).lines[23].hasSuffix("? help"))
  }

  // MARK: The line at the bottom

  @Test func `shows what is typed, with the cursor behind it`() {
    let screen = screen(40, 6)
    screen.prompt = "夜 sky"
    let terminal = shown(screen)

    #expect(terminal.lines[5] == "/夜 sky")
    #expect(terminal.cursor == .init(column: 7, row: 5))
    screen.prompt = String(repeating: "a", count: 60) + "b"
    #expect(shown(screen).lines[5] == String(repeating: "a", count: 38) + "b")
    screen.prompt = nil
    #expect(shown(screen).cursor == nil)
  }

  @Test func `says what narrows the list, what came of a key, and how far a sync is`() {
    let screen = screen(80, 6)
    screen.filter = "Astronomy /moon"
    #expect(shown(screen).lines[5].hasPrefix("1 of 7 images — Astronomy /moon   "))
    screen.sync = ProgressLine(fraction: nil, text: "3 of 5 feeds")
    screen.message = "1 image is pinned"

    let line = "1 image is pinned" + String(repeating: " ", count: 51) + "3 of 5 feeds"
    #expect(shown(screen).lines[5] == line)
  }

  @Test func `shows what came of a key in the whole line, if it needs that`() {
    let screen = screen(40, 6)
    screen.message = Wording.unknownKey("x")
    #expect(shown(screen).lines[5] == "'x' does nothing here; ? lists the keys")
    screen.message = "1 image is pinned"
    #expect(shown(screen).lines[5].hasSuffix("? help"))
  }

  @Test func `says why there is nothing to see`() {
    let screen = screen(80, 6)
    var page = ListedPage()
    page.note = "no image matches"
    screen.grid = ImageGrid(layout: screen.grid.layout)
    screen.grid.take(page, of: .init(number: 0))

    #expect(shown(screen).lines[0] == "no image matches")
  }

  // MARK: A slide show

  @Test func `shows a slide in the middle, without a text`() throws {
    let drawing = BrowseDrawing(
      graphics: TerminalGraphics(graphicsProtocol: .kitty),
      window: TerminalWindow(columns: 80, rows: 25)
    )
    let image = ImageDisplay(id: 5, name: "5 Sun")
    image.displayFetchedThumbnail(
      viewModel: .init(text: "5 'Sun'", picture: try picture(30, 20, of: (300, 200)))
    )
    let terminal = TerminalEmulator(columns: 80, rows: 25)
    ScreenPainter(sink: terminal, graphics: drawing.graphics, hasStyles: true) { drawing.window }
      .paint(SlideContent.content(of: image, note: nil, drawing))

    #expect(terminal.text == "")
    #expect(
      terminal.pictures.map { [$0.column, $0.row, $0.columns, $0.rows] } == [[4, 0, 72, 24]]
    )
  }

  private func picture(
    _ width: Int,
    _ height: Int,
    of full: (width: Int, height: Int)
  ) throws -> DisplayedPicture {
    let bytes = [UInt8](repeating: 255, count: width * height * 4)
    return DisplayedPicture(
      picture: try #require(Picture(width: width, height: height, bytes: bytes)),
      fullSize: .init(width: full.width, height: full.height)
    )
  }
}
