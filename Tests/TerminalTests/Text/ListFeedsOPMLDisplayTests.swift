import Testing

@testable import Scenes
@testable import Terminal

struct ListFeedsOPMLDisplayTests {
  private let screen = Screen()

  @Test func `writes a document of all feeds`() {
    let display = display()
    var piped = DisplayedFeed.of("stdin:", title: "Piped")
    piped.isSubscription = false
    let feeds = [
      DisplayedFeed.of("https://a.b/1?x=1&y=2", title: "Moon \"& <Sun>"),
      .of("https://a.b/2", title: ""), piped,
    ]

    display.displayFetchedFeeds(viewModel: .init(displayedFeeds: feeds))

    #expect(
      screen.events == [
        .output(
          """
          <?xml version="1.0" encoding="UTF-8"?>
          <opml version="2.0">
            <head>
              <title>Feeds of gallery</title>
              <dateCreated>Mon, 02 Nov 2026 08:00:00 GMT</dateCreated>
            </head>
            <body>
              <outline type="rss" text="Moon &quot;&amp; &lt;Sun&gt;" \
          title="Moon &quot;&amp; &lt;Sun&gt;" xmlUrl="https://a.b/1?x=1&amp;y=2"/>
              <outline type="rss" text="https://a.b/2" title="https://a.b/2" \
          xmlUrl="https://a.b/2"/>
            </body>
          </opml>

          """
        )
      ]
    )
    #expect(display.outcome == .done)
  }

  @Test func `says what the document masks and leaves out, and not what a page says`() {
    let feeds = [DisplayedFeed.of("https://***@a.b/2", title: "")]

    display().displayFetchedFeeds(
      viewModel: .init(
        displayedFeeds: feeds,
        maskedNote: "of pages",
        outlineNotes: ["one is masked", "one is not in the list"]
      )
    )

    #expect(screen.errors == "one is masked\none is not in the list\n")
    #expect(screen.output.contains("https://***@a.b/2"))
  }

  @Test func `says why there is no list`() {
    let display = display()

    display.displayFailure(viewModel: .init(message: "no library", outcome: .failed))

    #expect(screen.events == [.errors("no library\n")])
    #expect(display.outcome == .failed)
  }

  private func display() -> ListFeedsOPMLDisplay {
    ListFeedsOPMLDisplay(console: screen.console(), created: "Mon, 02 Nov 2026 08:00:00 GMT")
  }
}

extension DisplayedFeed {
  fileprivate static func of(_ address: String, title: String) -> DisplayedFeed {
    DisplayedFeed(
      id: 1,
      title: title,
      address: address,
      format: "",
      images: "0 images",
      imageNumber: "0",
      lastSync: "",
      lastSyncTime: "",
      status: "",
      problem: ""
    )
  }
}
