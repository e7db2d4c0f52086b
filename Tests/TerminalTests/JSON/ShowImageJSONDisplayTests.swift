import Models
import TestSupport
import Testing
import Workers

@testable import Scenes
@testable import Terminal

/// Records as scripts read them: from the interactor's responses to the bytes.
struct ShowImageJSONDisplayTests {
  private let screen = Screen()
  private let display: RecordDisplay
  private var presenter: ShowImageJSONPresenter { ShowImageJSONPresenter(display: display) }

  init() { display = RecordDisplay(console: screen.console()) }

  @Test func `writes an event a line`() {
    presenter.presentFetchedThumbnail(response: .init(image: .moon, thumbnail: .smallMoon))
    presenter.presentFetchProgress(response: .init(imageID: 7, received: 65_536, total: 4_404_019))
    presenter.presentFetchProgress(response: .init(imageID: 7, received: 131_072, total: nil))
    presenter.presentFetchedOriginal(
      response: .init(image: .moon, fetched: .moon, copy: nil)
    )

    #expect(
      screen.output == """
        {"event":"thumbnail","id":7,"title":"The moon over the bay","type":"image/jpeg",\
        "bytes":1234,"width":320,"height":213}
        {"event":"progress","id":7,"received":65536,"total":4404019}
        {"event":"progress","id":7,"received":131072,"total":null}
        {"event":"original","id":7,"file":"/library/originals/a1/a1b2.jpg","bytes":4404019,\
        "sha256":"a1b2","type":"image/jpeg","width":6000,"height":4000,"downloaded":true,\
        "resumedFrom":0,"damaged":false}

        """
    )
    #expect(screen.errors == "")
    #expect(display.outcome == .done)
  }

  @Test func `writes why there is no original for scripts and for people`() {
    presenter.presentUnavailableOriginal(
      response: .init(image: .moon, failure: .status(404), stored: nil)
    )

    let reason = "the server answered 404 (not found)"
    #expect(
      screen.events == [
        .output(#"{"event":"unavailable","id":7,"reason":"\#(reason)","detail":null}"# + "\n"),
        .errors("cannot show the original of '7': \(reason) — its thumbnail is stored\n"),
      ]
    )
    #expect(display.outcome == .unavailable)
  }

  @Test func `writes all that is known of an image`() {
    presenter.presentDescribedImage(response: .init(image: .moon.with(.stored), original: .moon))
    presenter.presentDescribedImage(response: .init(image: .unnamed))

    #expect(
      screen.output == """
        {"id":7,"feed":{"id":1,"title":"Astronomy"},"title":"The moon over the bay",\
        "caption":"Seen from the pier.","author":"Ann Lee","licence":"CC BY 4.0",\
        "published":"2026-11-02T08:00:00Z","pageURL":"https://stars.example/moon",\
        "thumbnailURL":"https://stars.example/moon-small.jpg",\
        "originalURL":"https://stars.example/moon.jpg","width":6000,"height":4000,\
        "thumbnailStored":true,"originalStored":true,\
        "thumbnailDamaged":false,"originalDamaged":false,"gone":false,"pinned":false,"failures":[],\
        "feedURL":"https://stars.example/feed.xml","firstSeen":"2026-11-02T12:00:00Z",\
        "thumbnail":{"bytes":1234,"type":"image/jpeg","width":320,"height":213,\
        "sha256":null},\
        "original":{"file":"\(StoredOriginal.moon.path)",\
        "sha256":"\(StoredOriginal.moon.sha256)","bytes":4404019,"type":"image/jpeg",\
        "width":6000,"height":4000,"stale":false},"manifest":null}
        {"id":8,"feed":{"id":2,"title":null},"title":null,"caption":null,"author":null,\
        "licence":null,"published":null,"pageURL":null,"thumbnailURL":null,\
        "originalURL":"https://team.example/8.png","width":null,"height":null,\
        "thumbnailStored":false,"originalStored":false,\
        "thumbnailDamaged":false,"originalDamaged":false,"gone":false,"pinned":false,"failures":[],\
        "feedURL":"https://***@team.example/shots.json?token=***",\
        "firstSeen":"2026-11-02T08:00:00Z","thumbnail":null,"original":null,"manifest":null}

        """
    )
    #expect(display.outcome == .done)
  }

  @Test func `tells why a request came to nothing`() {
    presenter.presentFailure(response: .init(failure: .noThumbnail(imageID: 8)))

    #expect(
      screen.events == [.errors("cannot show the thumbnail of '8': none is stored\n")]
    )
    #expect(display.outcome == .unavailable)
  }
}
