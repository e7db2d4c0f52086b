import Testing

@testable import Scenes
@testable import Terminal

struct ShowImageTextDisplayTests {
  private let screen = Screen()
  private let thumbnail = ShowImage.FetchThumbnail.ViewModel(text: "7 'Moon': thumbnail, 1.2 KB")
  private let original = ShowImage.FetchOriginal.ViewModel(
    text: "fetched original, 4.2 MB",
    path: "/library/originals/a1/a1b2.jpg"
  )

  @Test func `prints the original's path and nothing else through a pipe`() {
    let display = ShowImageTextDisplay(console: screen.console(errorColumns: 80))

    display.displayFetchedThumbnail(viewModel: thumbnail)
    display.displayFetchedOriginal(viewModel: original)

    #expect(screen.events == [.output("/library/originals/a1/a1b2.jpg\n")])
    #expect(display.outcome == .done)
  }

  @Test func `prints a path as it is through a pipe and harmlessly on a terminal`() {
    let viewModel = ShowImage.FetchOriginal.ViewModel(text: "stored original", path: "/a\u{1B}b")

    ShowImageTextDisplay(console: screen.console()).displayFetchedOriginal(viewModel: viewModel)
    ShowImageTextDisplay(console: screen.console(outputColumns: 80))
      .displayFetchedOriginal(viewModel: viewModel)

    #expect(screen.output == "/a\u{1B}b\nstored original\n/a\u{FFFD}b\n")
  }

  @Test func `prints nothing when the picture itself was written to the output`() {
    let display = ShowImageTextDisplay(console: screen.console())

    display.displayFetchedOriginal(viewModel: .init(text: "fetched original, 4.2 MB", path: nil))

    #expect(screen.events == [])
    #expect(display.outcome == .done)
  }

  @Test func `shows thumbnail, progress and original on a terminal, image after image`() {
    let console = screen.console(outputColumns: 80, errorColumns: 80)
    let display = ShowImageTextDisplay(console: console)

    for _ in 1...2 {
      display.displayFetchedThumbnail(viewModel: thumbnail)
      display.displayProgress(viewModel: .init(line: .init(fraction: 0.5, text: "2.1 MB")))
      display.displayProgress(viewModel: .init(line: .init(fraction: 1, text: "4.2 MB")))
      display.displayFetchedOriginal(viewModel: original)
    }

    let erase = "\r\u{1B}[K"
    let one: [Screen.Event] = [
      .output("7 'Moon': thumbnail, 1.2 KB\n"),
      .errors(erase + "[########........] 2.1 MB"),
      .errors(erase + "[################] 4.2 MB"),
      .errors(erase),
      .output("fetched original, 4.2 MB\n"),
      .output("/library/originals/a1/a1b2.jpg\n"),
    ]
    #expect(screen.events == one + one)
  }

  @Test func `tells why there is no original`() {
    let console = screen.console(errorColumns: 80)
    let display = ShowImageTextDisplay(console: console)

    display.displayProgress(viewModel: .init(line: .init(fraction: nil, text: "64.0 KB")))
    display.displayUnavailableOriginal(
      viewModel: .init(message: "cannot show the original of '7'", outcome: .unavailable)
    )

    let erase = "\r\u{1B}[K"
    #expect(
      screen.events == [
        .errors(erase + "64.0 KB"), .errors(erase), .errors("cannot show the original of '7'\n"),
      ]
    )
    #expect(display.outcome == .unavailable)
  }

  @Test func `counts an original before that is shown instead as done`() {
    let display = ShowImageTextDisplay(console: screen.console())

    display.displayUnavailableOriginal(viewModel: .init(message: "cannot show", outcome: .done))
    display.displayFetchedOriginal(viewModel: original)

    #expect(
      screen.events == [.errors("cannot show\n"), .output("/library/originals/a1/a1b2.jpg\n")]
    )
    #expect(display.outcome == .done)
  }

  @Test func `describes an image with a name and a value a line`() {
    let display = ShowImageTextDisplay(console: screen.console())
    let fields = [("id", "7"), ("first seen", "today"), ("caption", "Seen\nfrom\u{9B} the pier.")]

    display.displayDescribedImage(
      viewModel: .init(
        fields: fields.map { DescriptionField(name: $0, value: $1) },
        image: DisplayedImageFacts(feed: "Moon", feedID: 1)
      )
    )

    #expect(
      screen.output == """
        id          7
        first seen  today
        caption     Seen from\u{FFFD} the pier.

        """
    )
    #expect(display.outcome == .done)
  }

  @Test func `writes the bytes of a thumbnail as they are`() {
    let display = ShowImageTextDisplay(console: screen.console())

    display.displayReadThumbnail(
      viewModel: .init(mediaType: "image/jpeg", bytes: Array("a\u{1B}b".utf8))
    )

    #expect(screen.events == [.output("a\u{1B}b")])
    #expect(display.outcome == .done)
  }
}
