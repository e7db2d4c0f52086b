import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ListFeedsPresenterTests {
  private let display = ListFeedsDisplaySpy()
  private var presenter: ListFeedsPresenter { ListFeedsPresenter(display: display) }

  @Test func `presents feeds as finished text`() {
    presenter.presentFetchedFeeds(response: .init(feeds: [.astronomy, .secret]))

    let displayed = [
      DisplayedFeed(
        id: 1,
        title: "Astronomy",
        address: "https://stars.example/feed.xml",
        format: "mediarss",
        images: "120 images",
        imageNumber: "120",
        lastSync: "2026-11-02T08:00:00Z",
        lastSyncTime: Wording.localTime(.novemberMorning),
        status: "updated",
        problem: ""
      ),
      DisplayedFeed(
        id: 2,
        title: "",
        address: "https://***@team.example/shots.json?token=***",
        format: "",
        images: "1 image",
        imageNumber: "1",
        lastSync: "",
        lastSyncTime: "",
        status: "failed",
        problem: "the server answered 401 (authentication is needed)"
      ),
    ]
    let note = "the secrets in 1 address are masked — put them back before the list is used"
    #expect(
      display.events == [
        .fetchedFeeds(
          .init(displayedFeeds: displayed, maskedNote: note, outlineNotes: [note])
        )
      ]
    )
  }

  @Test(arguments: [
    (["Home"], "'Home' is not in the list"),
    ([nil, "Home"], "'https://***@a.b/' and 1 other gallery are not in the list"),
    (["Home", nil, nil], "'Home' and 2 other galleries are not in the list"),
  ])
  func `says which galleries a list for other programs lacks, and counts none of their secrets`(
    titles: [String?],
    note: String
  ) throws {
    let galleries = titles.enumerated().map { index, title in
      Feed(
        id: Int64(index + 1),
        address: .at("https://token@a.b/"),
        title: title,
        format: .gallery
      )
    }

    presenter.presentFetchedFeeds(response: .init(feeds: galleries))

    guard case .fetchedFeeds(let viewModel)? = display.events.last else {
      Issue.record("the feeds were not presented")
      return
    }
    #expect(viewModel.outlineNotes.count == 1)
    #expect(viewModel.outlineNotes.first?.hasPrefix(note) == true, "\(viewModel.outlineNotes)")
  }

  @Test func `notes nothing where no address holds a secret`() {
    presenter.presentFetchedFeeds(response: .init(feeds: [.astronomy]))

    let notes = display.events.map { event in
      if case .fetchedFeeds(let viewModel) = event { viewModel.maskedNote } else { "none" }
    }
    #expect(notes == [nil])
  }

  @Test func `knows which feeds other readers can follow`() {
    let list = Feed(id: 3, address: .at("https://lists.example/all.opml"), format: .opml)
    let piped = Feed(id: 4, address: .at("stdin:"))

    presenter.presentFetchedFeeds(response: .init(feeds: [.astronomy, list, piped]))

    let answers = display.events.flatMap { event -> [Bool] in
      guard case .fetchedFeeds(let viewModel) = event else { return [] }
      return viewModel.displayedFeeds.map(\.isSubscription)
    }
    #expect(answers == [true, false, false])
  }

  @Test(arguments: [
    (1, 0, false, "1 image hidden — syncing its address again brings it back"),
    (1_200, 0, false, "1,200 images hidden — syncing its address again brings them back"),
    (120, 0, true, "120 images deleted"), (120, 1, true, "120 images and 1 original deleted"),
  ])
  func `presents what removing a feed did`(
    _ images: Int,
    _ originals: Int,
    _ wasPurged: Bool,
    _ what: String
  ) {
    let removed = RemovedFeed(feed: .astronomy, images: images, originals: originals)

    presenter.presentRemovedFeed(response: .init(removed: removed, wasPurged: wasPurged))

    #expect(display.events == [.removedFeed(.init(text: "removed 'Astronomy': \(what)"))])
  }

  @Test(arguments: [
    (0, ImageChoice.front, ""), (1, .front, " — its 1 stored image stays; "),
    (1_200, .front, " — its 1,200 stored images stay; "), (1_200, .all, ""),
  ])
  func `says that stored images stay when their feed gives fewer`(
    _ number: Int,
    _ choice: ImageChoice,
    _ what: String
  ) {
    var feed = Feed.astronomy
    feed.imageCount = number
    let change = FeedChange(imageChoice: FeedSetting(choice))

    let lines = Wording.changes(.init(feed: feed, change: change))

    let rest = """
      <run(command: "remove 1 --purge")> deletes all of them, and a sync of its address then brings those in front, \
      under new ids
      """
    #expect(lines.count == 1)
    #expect(
      lines.first?.described.hasSuffix("next sync on\(what)\(what.isEmpty ? "" : rest)") == true
    )
  }

  @Test func `tells which pictures of a feed failed lately, and when they are asked for again`() {
    presenter.presentFetchedFeeds(response: .init(feeds: [.astronomy], failures: [1: .failing]))

    let retry = Wording.localTime(.novemberMorning)
    let problem: HintedText = """
      41 thumbnails failed lately: the server answered 404 (not found), tried again from \
      \(retry) on, \(.retryNow); 1 original failed lately: no answer, tried again from \
      \(retry) on, \(.retryNow)
      """
    let problems = display.events.flatMap { event -> [HintedText] in
      if case .fetchedFeeds(let viewModel) = event {
        viewModel.displayedFeeds.map(\.problem)
      } else {
        []
      }
    }
    #expect(problems == [problem])
  }

  @Test func `says from where a removed feed of a gallery comes back`() {
    var feed = Feed.astronomy
    feed.gallery = WebAddress("https://gallery.example/")
    let removed = RemovedFeed(feed: feed, images: 2, originals: 0)

    presenter.presentRemovedFeed(response: .init(removed: removed, wasPurged: false))

    let texts = display.events.map { event in
      if case .removedFeed(let viewModel) = event { viewModel.text } else { "" }
    }
    let end = "again brings them back from its own server, and not from the gallery"
    #expect(texts.count == 1 && texts.allSatisfy { $0.hasSuffix(end) }, "\(texts)")
  }

  @Test func `names a feed without a title by its masked address`() {
    let removed = RemovedFeed(feed: .secret, images: 0, originals: 0)

    presenter.presentRemovedFeed(response: .init(removed: removed, wasPurged: true))

    let text = "removed 'https://***@team.example/shots.json?token=***': 0 images deleted"
    #expect(display.events == [.removedFeed(.init(text: text))])
  }

  @Test(arguments: [
    (nil, nil, "'https://stars.example/feed.xml' has no title"),
    ("Stars", nil, "'https://stars.example/feed.xml' has its own title again: 'Stars'"),
    ("Stars", "NASA", "'https://stars.example/feed.xml' is called 'NASA' from now on"),
  ])
  func `presents what a feed is called`(_ own: String?, _ given: String?, _ text: String) {
    var feed = Feed.astronomy
    (feed.ownTitle, feed.givenTitle) = (own, given)

    presenter.presentChangedFeed(response: .init(feed: feed, change: .title(given)))

    #expect(display.events == [.changedFeed(.init(lines: ["\(text)"]))])
  }

  @Test(arguments: [
    (nil, "gallery asks 'Astronomy' as often as it changes"),
    (60, "gallery asks 'Astronomy' every minute from now on"),
    (1_800, "gallery asks 'Astronomy' every 30 minutes from now on"),
    (5_400, "gallery asks 'Astronomy' every 90 minutes from now on"),
    (172_800, "gallery asks 'Astronomy' every 2 days from now on"),
  ])
  func `presents how often a feed is asked`(_ interval: Int?, _ text: String) {
    let change = FeedChange(interval: FeedSetting(interval))

    presenter.presentChangedFeed(response: .init(feed: .astronomy, change: change))

    #expect(display.events == [.changedFeed(.init(lines: ["\(text)"]))])
  }

  @Test func `presents why a request came to nothing`() {
    presenter.presentFailure(response: .init(failure: .noSuchFeed(.id(9))))

    let message: HintedText = "no feed '9' is followed — \(.listFeeds)"
    #expect(display.events == [.failure(.init(message: message, outcome: .notFound))])
  }
}
