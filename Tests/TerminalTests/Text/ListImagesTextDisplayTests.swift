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
}
