import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ListFeedsJSONPresenterTests {
  private let display = ListFeedsRecordDisplaySpy()
  private var presenter: ListFeedsJSONPresenter { ListFeedsJSONPresenter(display: display) }

  @Test func `presents feeds as records of raw values`() {
    presenter.presentFetchedFeeds(response: .init(feeds: [.astronomy, .secret]))

    let records = [
      FeedRecord(
        id: 1,
        url: "https://stars.example/feed.xml",
        title: "Astronomy",
        format: "mediarss",
        images: 120,
        lastSync: "2026-11-02T08:00:00Z",
        status: "updated"
      ),
      FeedRecord(
        id: 2,
        url: "https://***@team.example/shots.json?token=***",
        images: 1,
        status: "failed",
        problem: "the server answered 401 (authentication is needed)"
      ),
    ]
    let note =
      "the secrets in 1 address are masked — put them back before the list is used"
    #expect(display.events == [.fetchedFeeds(.init(records: records, maskedNote: note))])
  }

  @Test func `notes nothing where no address holds a secret`() {
    presenter.presentFetchedFeeds(response: .init(feeds: [.astronomy]))

    guard case .fetchedFeeds(let viewModel) = display.events.first else {
      Issue.record("no feeds were presented")
      return
    }
    #expect(viewModel.records.count == 1)
    #expect(viewModel.maskedNote == nil)
  }

  @Test func `presents what removing a feed did`() {
    let removed = RemovedFeed(feed: .secret, images: 1, originals: 2)

    presenter.presentRemovedFeed(response: .init(removed: removed, wasPurged: true))

    let record = RemovalRecord(
      id: 2,
      url: "https://***@team.example/shots.json?token=***",
      images: 1,
      originals: 2,
      purged: true
    )
    #expect(display.events == [.removedFeed(.init(record: record))])
  }

  @Test func `presents a feed that was named as a record`() {
    var feed = Feed.secret
    feed.givenTitle = "Shots"

    presenter.presentNamedFeed(response: .init(feed: feed))

    guard case .namedFeed(let viewModel) = display.events.first else {
      Issue.record("no feed was presented")
      return
    }
    #expect(viewModel.record.title == "Shots")
  }

  @Test func `presents why a request came to nothing`() {
    presenter.presentFailure(response: .init(failure: .library(.noLibrary, .remove)))

    let message = "nothing is stored at '/library' yet — 'gallery sync <feed-url>' begins"
    #expect(display.events == [.failure(.init(message: message, outcome: .notFound))])
  }
}
