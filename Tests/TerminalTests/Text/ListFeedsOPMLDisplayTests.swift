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

  @Test func `says what is masked beside the document`() {
    let feeds = [
      DisplayedFeed.of("https://a.b/1", title: ""), .of("https://***@a.b/2", title: ""),
      .of("https://a.b/3?token=***", title: ""),
    ]

    display().displayFetchedFeeds(viewModel: .init(displayedFeeds: feeds, maskedNote: "of pages"))

    let note = "the secrets in 2 addresses are masked — put them back before the list is used\n"
    #expect(screen.errors == note)
    #expect(screen.output.contains("https://***@a.b/2"))
  }

  @Test(arguments: [
    (["Home"], "'Home' is not in the list"),
    (["", "Home"], "'https://***@a.b/' and 1 other gallery are"),
    (["Home", "", ""], "'Home' and 2 other galleries are not in the list"),
  ])
  func `says which galleries are not in it, and counts none of their masked addresses`(
    titles: [String],
    note: String
  ) {
    let galleries = titles.map { title in
      var gallery = DisplayedFeed.of("https://***@a.b/", title: title)
      (gallery.format, gallery.isSubscription) = ("gallery", false)
      return gallery
    }

    display().displayFetchedFeeds(viewModel: .init(displayedFeeds: galleries))

    #expect(screen.errors.hasPrefix(note), "\(screen.errors)")
    #expect(!screen.errors.contains("are masked"))
    #expect(screen.output.contains("<body>\n  </body>"))
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
