import TestSupport
import Testing
import Workers

@testable import Scenes
@testable import Terminal

struct ListImagesTextDisplayTests {
  private let screen = Screen()

  // MARK: Lists

  @Test func `separates by tabs through a pipe`() {
    display().displayFetchedImages(viewModel: .init(displayedImages: images))

    #expect(
      screen.output == """
        7\t2026-11-02T08:00:00Z\tAstronomy\tThe moon over the bay\toriginal
        12\t\tAstronomy\t月と海の写真展\t
        345\t2026-11-01T23:59:59Z\tCams\t\toriginal

        """
    )
  }

  @Test func `lets no title break its line or act on the terminal`() {
    var image = images[0]
    image.title = "a\tb\nc\u{1B}[2Jd\u{9B}e\u{202E}f"

    display().displayFetchedImages(viewModel: .init(displayedImages: [image]))

    let title = "a b c\u{FFFD}[2Jd\u{FFFD}e\u{FFFD}f"
    #expect(screen.output == "7\t2026-11-02T08:00:00Z\tAstronomy\t\(title)\toriginal\n")
  }

  @Test func `aligns on a terminal`() {
    display(columns: 80).displayFetchedImages(viewModel: .init(displayedImages: images))

    #expect(
      screen.output == """
        ID   DATE        FEED       TITLE
        7    2026-11-02  Astronomy  The moon over the bay  original
        12               Astronomy  月と海の写真展
        345  2026-11-01  Cams                              original

        """
    )
  }

  @Test func `keeps words that run to the left in their column`() {
    var image = images[0]
    image.feed = "عالم"
    image.title = "שלום"

    display(columns: 80).displayFetchedImages(viewModel: .init(displayedImages: [image]))

    let cells = "\u{200E}عالم\u{200E}  \u{200E}שלום \u{200E}"
    #expect(screen.output.hasSuffix("\n7   2026-11-02  \(cells)  original\n"))
  }

  @Test func `leaves feed and date out before a title is cut short`() {
    display(columns: 40).displayFetchedImages(viewModel: .init(displayedImages: images))

    #expect(
      screen.output == """
        ID   TITLE
        7    The moon over the bay  original
        12   月と海の写真展
        345                         original

        """
    )
  }

  @Test(arguments: [8, 20, 30, 50, 60])
  func `writes no line that is wider than the terminal`(columns: Int) {
    display(columns: columns).displayFetchedImages(viewModel: .init(displayedImages: images))

    let lines = screen.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { TextWidth.columns(of: String($0)) <= columns })
  }

  @Test func `leaves a column without a word out, with its heading`() {
    display(columns: 80).displayFetchedImages(viewModel: .init(displayedImages: [images[1]]))

    #expect(screen.output == "ID  FEED       TITLE\n12  Astronomy  月と海の写真展\n")
  }

  @Test func `writes headings once over a list that comes in parts`() {
    let display = display(columns: 80)

    for image in images {
      display.displayFetchedImages(viewModel: .init(displayedImages: [image]))
    }

    #expect(screen.output.split(separator: "\n").count { $0.hasPrefix("ID") } == 1)
  }

  @Test func `tells on a terminal what failed, and where the original is stored only that`() {
    var failed = images
    for index in failed.indices { failed[index].hasFailed = true }
    let end = ListImages.FetchImages.Ended.ViewModel(failures: ["3 thumbnails failed"])
    for display in [display(columns: 80), display()] {
      display.displayFetchedImages(viewModel: .init(displayedImages: failed))
      display.displayEndedFetch(viewModel: end)
    }

    let lines = screen.output.split(separator: "\n")
    let marks = lines.map { $0.split(whereSeparator: \.isWhitespace).last ?? "" }
    #expect(marks.filter { $0 == "failed" }.count == 1)
    #expect(marks.filter { $0 == "original" }.count == 4)
    #expect(screen.errors == "3 thumbnails failed\n")
  }

  @Test func `gives the command of the next page where the screen was the limit`() {
    let end = ListImages.FetchImages.Ended.ViewModel(nextOffset: 20)
    for isQuiet in [false, true] {
      let console = screen.console(isQuiet: isQuiet)
      ListImagesTextDisplay(console: console) { "gallery list --offset \($0)" }
        .displayEndedFetch(viewModel: end)
    }
    display().displayEndedFetch(viewModel: end)

    #expect(screen.events == [.errors("more: gallery list --offset 20\n")])
  }

  @Test func `names the option that helps where a certificate is not trusted`() {
    display().displaySyncProblem(viewModel: .init(text: "cannot sync 'a'", isUntrusted: true))

    #expect(
      screen.errors == "cannot sync 'a'; --cacert FILE trusts the authorities of a file\n"
    )
  }

  @Test func `tells why a request came to nothing`() {
    let display = display()

    display.displayFailure(viewModel: .init(message: "no such image", outcome: .notFound))

    #expect(screen.events == [.errors("no such image\n")])
    #expect(display.outcome == .notFound)
  }

  @Test func `says problems in red and notes dimly where a terminal can`() {
    let console = screen.console(outputColumns: 80, errorColumns: 80, hasStyles: true)
    let display = ListImagesTextDisplay(console: console)

    display.displayEndedFetch(viewModel: .init(note: "no image matches"))
    display.displayFailure(viewModel: .init(message: "no such image", outcome: .notFound))

    #expect(
      screen.errors
        == "\u{1B}[2mno image matches\u{1B}[0m\n\u{1B}[31mno such image\u{1B}[0m\n"
    )
  }

  // MARK: Syncs

  @Test func `shows a sync as it goes`() {
    let console = screen.console(outputColumns: 80, errorColumns: 80)
    let display = ListImagesTextDisplay(console: console)

    display.displayStartedSync(viewModel: .init { ProgressLine(fraction: 0.5, text: "1 of 2") })
    console.drawStatus()
    display.displaySyncProblem(viewModel: .init(text: "cannot sync 'b'"))
    display.displaySyncedFeed(viewModel: .init(text: "updated 'a\u{7}': 2 images"))
    console.drawStatus()
    display.displayEndedSync(viewModel: .init(outcome: .partly, note: "interrupted"))
    console.drawStatus()

    let erase = "\r\u{1B}[K"
    let status = Screen.Event.errors(erase + "[########........] 1 of 2")
    #expect(
      screen.events == [
        status, .errors(erase), .errors("cannot sync 'b'\n"),
        .output("updated 'a\u{FFFD}': 2 images\n"), status, .errors(erase),
        .errors("interrupted\n"),
      ]
    )
    #expect(display.outcome == .partly)
  }

  @Test func `tells a blemish, and each of what failed alike, only to who wants to know all`() {
    let group = ListImages.SyncFeeds.Problem.ViewModel(
      text: "cannot fetch 2 thumbnails",
      details: ["no sun", "no moon"],
      hint: "--verbose lists them"
    )
    for isVerbose in [false, true] {
      let display = ListImagesTextDisplay(console: screen.console(isVerbose: isVerbose))
      display.displaySyncProblem(viewModel: .init(text: "odd prefix", severity: .blemish))
      display.displaySyncProblem(viewModel: group)
    }

    #expect(
      screen.errors == """
        cannot fetch 2 thumbnails; --verbose lists them
        odd prefix
        cannot fetch 2 thumbnails
        no sun
        no moon

        """
    )
  }

  @Test func `writes the totals as the last result`() {
    let end = ListImages.SyncFeeds.Ended.ViewModel(outcome: .done, totals: "2 feeds", note: nil)

    display().displayEndedSync(viewModel: end)
    display(isQuiet: true).displayEndedSync(viewModel: end)

    #expect(screen.events == [.output("2 feeds\n")])
  }

  @Test func `tells failures only when it is to be quiet`() {
    let display = display(isQuiet: true)
    display.displaySyncProblem(viewModel: .init(text: "cut off", severity: .warning))

    display.displayStartedSync(viewModel: .init { ProgressLine(fraction: nil, text: "reading") })
    display.displaySyncProblem(viewModel: .init(text: "cannot sync 'b'"))
    display.displaySyncedFeed(viewModel: .init(text: "updated 'a': 2 images"))
    display.displayEndedSync(viewModel: .init(outcome: .partly, note: nil))

    #expect(screen.events == [.errors("cannot sync 'b'\n")])
    #expect(display.outcome == .partly)
  }

  private var images: [DisplayedImage] {
    [
      DisplayedImage(
        id: 7,
        published: "2026-11-02T08:00:00Z",
        day: "2026-11-02",
        feed: "Astronomy",
        title: "The moon over the bay",
        originalMark: "original"
      ),
      DisplayedImage(
        id: 12,
        published: "",
        day: "",
        feed: "Astronomy",
        title: "月と海の写真展",
        originalMark: ""
      ),
      DisplayedImage(
        id: 345,
        published: "2026-11-01T23:59:59Z",
        day: "2026-11-01",
        feed: "Cams",
        title: "",
        originalMark: "original"
      ),
    ]
  }

  private func display(columns: Int? = nil, isQuiet: Bool = false) -> ListImagesTextDisplay {
    ListImagesTextDisplay(console: screen.console(outputColumns: columns, isQuiet: isQuiet))
  }

  @Test(arguments: [(false, "1 feed is paused\n"), (true, "")])
  func `notes a notice, unless quiet was asked for`(isQuiet: Bool, text: String) {
    display(isQuiet: isQuiet).displaySyncNotice(viewModel: .init(text: "1 feed is paused"))

    #expect(screen.output == "")
    #expect(screen.errors == text)
  }
}
