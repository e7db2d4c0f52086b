import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ListFeedsJSONPresenterTests {
  private let display = RecordDisplaySpy()
  private var presenter: ListFeedsJSONPresenter { ListFeedsJSONPresenter(display: display) }

  @Test func `presents feeds as records of raw values`() {
    presenter.presentFetchedFeeds(response: .init(feeds: [.astronomy, .secret]))

    let records: [Record] = [
      [
        "id": 1, "url": "https://stars.example/feed.xml", "title": "Astronomy",
        "format": "mediarss", "images": 120, "lastSync": "2026-11-02T08:00:00Z",
        "status": "updated", "problem": .text(nil), "damaged": 0, "failures": .records([]),
        "listedFeeds": .integer(nil), "keep": .integer(nil),
        "keepOriginals": .integer(nil), "every": .integer(nil), "nextSync": .text(nil),
      ],
      [
        "id": 2, "url": "https://***@team.example/shots.json?token=***", "title": .text(nil),
        "format": .text(nil), "images": 1, "lastSync": .text(nil), "status": "failed",
        "problem": "the server answered 401 (authentication is needed)", "damaged": 0,
        "failures": .records([]), "listedFeeds": .integer(nil), "keep": .integer(nil),
        "keepOriginals": .integer(nil), "every": .integer(nil),
        "nextSync": .text(nil),
      ],
    ]
    #expect(display.events == [.records(.init(records))])
  }

  @Test func `presents what removing a feed did`() {
    let removed = RemovedFeed(feed: .secret, images: 1, originals: 2)

    presenter.presentRemovedFeed(response: .init(removed: removed, wasPurged: true))

    let record: Record = [
      "id": 2, "url": "https://***@team.example/shots.json?token=***", "images": 1,
      "originals": 2, "purged": true,
    ]
    #expect(display.events == [.records(.init(record))])
  }

  @Test func `presents a feed that was named as a record`() {
    var feed = Feed.secret
    feed.givenTitle = "Shots"

    presenter.presentChangedFeed(response: .init(feed: feed, change: .title("Shots")))

    #expect(display.records.map { $0.text("title") } == ["Shots"])
  }

  @Test func `presents why a request came to nothing`() {
    presenter.presentFailure(response: .init(failure: .library(.noLibrary, .remove)))

    let message: HintedText = "nothing is stored at '/library' yet — \(.beginLibrary)"
    let failure = Fail.ViewModel(message: message, outcome: .notFound, isOfLibrary: true)
    #expect(display.events == [.failure(failure)])
  }
}
