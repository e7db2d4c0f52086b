import Testing

@testable import Scenes
@testable import Terminal

struct ListFeedsTextDisplayTests {
  private let screen = Screen()

  @Test func `separates by tabs through a pipe`() {
    let display = display()

    display.displayFetchedFeeds(viewModel: .init(displayedFeeds: feeds))

    #expect(
      screen.output == """
        1\tAstronomy\thttps://stars.example/feed.xml\tmediarss\t120\t\
        2026-11-02T08:00:00Z\tupdated\t
        12\t\thttps://team.example/shots.json\t\t1\t\tfailed\tthe server answered 401

        """
    )
    #expect(display.outcome == .done)
  }

  @Test func `aligns on a terminal`() {
    display(columns: 120).displayFetchedFeeds(viewModel: .init(displayedFeeds: feeds))

    #expect(
      screen.output == """
        ID  TITLE                 ADDRESS                         IMAGES      SYNCED            STATUS
        1   Astronomy             https://stars.example/feed.xml  120 images  2026-11-02 09:00  updated
        12  https://team.exampl…                                  1 image                       failed   \
        the server answered 401

        """
    )
  }

  @Test(arguments: [40, 60, 80, 200])
  func `writes no line that is wider than the terminal`(columns: Int) {
    display(columns: columns).displayFetchedFeeds(viewModel: .init(displayedFeeds: feeds))

    let lines = screen.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { TextWidth.columns(of: String($0)) <= columns })
    #expect(lines[2].contains("failed"))
  }

  @Test func `keeps the addresses at 80 columns, which tell equal titles apart`() {
    display(columns: 80).displayFetchedFeeds(viewModel: .init(displayedFeeds: feeds))

    let lines = screen.output.split(separator: "\n")
    #expect(lines[0].contains("ADDRESS") && !lines[0].contains("SYNCED"))
    #expect(lines[1].contains("https://stars.example/f"))
  }

  @Test(arguments: [40, 60, 80, 100, 120, 200])
  func `tells each problem once`(columns: Int) {
    display(columns: columns).displayFetchedFeeds(viewModel: .init(displayedFeeds: feeds))

    let told = (screen.output + screen.errors).matches(of: /the server/).count
    #expect(told == 1)
    #expect((screen.output + screen.errors).contains("the server answered 401"))
  }

  @Test(arguments: [nil, 80])
  func `says that there is nothing to list, unless it is to be quiet`(columns: Int?) {
    let quiet = display(columns: columns, isQuiet: true)
    quiet.displayFetchedFeeds(viewModel: .init(displayedFeeds: []))
    quiet.displayFetchedManifests(viewModel: .init(rows: []))
    #expect(screen.events == [])

    let display = display(columns: columns)
    display.displayFetchedFeeds(viewModel: .init(displayedFeeds: []))
    display.displayFetchedManifests(viewModel: .init(rows: []))

    #expect(screen.output == "")
    #expect(
      screen.errors == """
        no feed is followed yet — 'gallery sync <feed-url>' follows one
        no feed has a IIIF manifest

        """
    )
    #expect(display.outcome == .done)
  }

  @Test func `keeps names longest on a narrow terminal`() {
    display(columns: 44).displayFetchedFeeds(viewModel: .init(displayedFeeds: feeds))

    #expect(
      screen.output == """
        ID  TITLE                 STATUS
        1   Astronomy             updated
        12  https://team.exampl…  failed

        """
    )
    #expect(screen.errors == "https://team.example/shots.json: the server answered 401\n")
  }

  @Test func `dims headings and shows problems in red where the terminal can`() {
    let console = screen.console(outputColumns: 200, hasStyles: true)
    ListFeedsTextDisplay(console: console)
      .displayFetchedFeeds(viewModel: .init(displayedFeeds: [feeds[1]]))

    #expect(screen.errors == "")
    #expect(screen.output.hasPrefix("\u{1B}[2mID\u{1B}[0m"))
    #expect(screen.output.hasSuffix("\u{1B}[31mthe server answered 401\u{1B}[0m\n"))
  }

  @Test func `tells what removing a feed did, unless it is to be quiet`() {
    let quiet = display(isQuiet: true)

    display().displayRemovedFeed(viewModel: .init(text: "removed 'a\nb': 2 images hidden"))
    quiet.displayRemovedFeed(viewModel: .init(text: "removed 'c': 2 images hidden"))

    #expect(screen.events == [.output("removed 'a b': 2 images hidden\n")])
    #expect(quiet.outcome == .done)
  }

  @Test func `tells why a request came to nothing`() {
    let display = display()

    display.displayFailure(viewModel: .init(message: "no feed '9'", outcome: .notFound))

    #expect(screen.events == [.errors("no feed '9'\n")])
    #expect(display.outcome == .notFound)
  }

  private var feeds: [DisplayedFeed] {
    [
      DisplayedFeed(
        id: 1,
        title: "Astronomy",
        address: "https://stars.example/feed.xml",
        format: "mediarss",
        images: "120 images",
        imageNumber: "120",
        lastSync: "2026-11-02T08:00:00Z",
        lastSyncTime: "2026-11-02 09:00",
        status: "updated",
        problem: ""
      ),
      DisplayedFeed(
        id: 12,
        title: "",
        address: "https://team.example/shots.json",
        format: "",
        images: "1 image",
        imageNumber: "1",
        lastSync: "",
        lastSyncTime: "",
        status: "failed",
        problem: "the server answered 401"
      ),
    ]
  }

  private func display(columns: Int? = nil, isQuiet: Bool = false) -> ListFeedsTextDisplay {
    ListFeedsTextDisplay(console: screen.console(outputColumns: columns, isQuiet: isQuiet))
  }
}
