import Models
import TestSupport
import Testing
import Workers

@testable import Scenes
@testable import Terminal

/// Records as scripts read them: from the interactor's responses to the bytes.
struct ListFeedsJSONDisplayTests {
  private let screen = Screen()
  private let display: RecordDisplay
  private var presenter: ListFeedsJSONPresenter { ListFeedsJSONPresenter(display: display) }

  init() { display = RecordDisplay(console: screen.console()) }

  @Test func `writes a feed a line`() {
    presenter.presentFetchedFeeds(response: .init(feeds: [.astronomy, .secret]))

    #expect(
      screen.output == """
        {"id":1,"url":"https://stars.example/feed.xml","title":"Astronomy","format":"mediarss",\
        "images":120,"lastSync":"2026-11-02T08:00:00Z","status":"updated","problem":null,\
        "damaged":0,"failures":[],"listedFeeds":null,"keep":null,"keepOriginals":null,"every":null,"nextSync":null}
        {"id":2,"url":"https://***@team.example/shots.json?token=***","title":null,\
        "format":null,"images":1,"lastSync":null,"status":"failed",\
        "problem":"the server answered 401 (authentication is needed)","damaged":0,"failures":[],"listedFeeds":null,"keep":null,"keepOriginals":null,"every":null,"nextSync":null}

        """
    )
    #expect(display.outcome == .done)
  }

  @Test func `writes what removing a feed did`() {
    let removed = RemovedFeed(feed: .astronomy, images: 120, originals: 3)

    presenter.presentRemovedFeed(response: .init(removed: removed, wasPurged: true))

    #expect(
      screen.output == """
        {"id":1,"url":"https://stars.example/feed.xml","images":120,"originals":3,"purged":true}

        """
    )
    #expect(display.outcome == .done)
  }

  @Test func `tells why a request came to nothing`() {
    presenter.presentFailure(response: .init(failure: .noSuchFeed(.id(9))))

    #expect(
      screen.events == [
        .errors("no feed '9' is followed — 'gallery feeds' lists the ones that are\n")
      ]
    )
    #expect(display.outcome == .notFound)
  }
}
