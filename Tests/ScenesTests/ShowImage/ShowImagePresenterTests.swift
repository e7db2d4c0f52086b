import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ShowImagePresenterTests {
  private let display = ShowImageDisplaySpy()
  private var presenter: ShowImagePresenter { ShowImagePresenter(display: display) }

  @Test func `presents a thumbnail in a line`() {
    presenter.presentThumbnail(response: .init(image: .moon, thumbnail: .smallMoon))

    let text = "7 'The moon over the bay': thumbnail, 320 × 213, JPEG, 1.2 KB"
    #expect(display.events == [.thumbnail(.init(text: text))])
  }

  @Test func `presents how much of the original has arrived`() {
    presenter.presentProgress(response: .init(received: 1 << 20, total: 4 << 20))
    presenter.presentProgress(response: .init(received: 1 << 20, total: nil))

    #expect(
      display.events == [
        .progress(.init(line: .init(fraction: 0.25, text: "1.0 MB of 4.0 MB"))),
        .progress(.init(line: .init(fraction: nil, text: "1.0 MB"))),
      ]
    )
  }

  @Test(arguments: [
    (nil, "/library/originals/a1/a1b2.jpg" as String?),
    (ExportDestination.file(path: "/home/ann/moon.jpg", isReplacing: false), "/home/ann/moon.jpg"),
    (.standardOutput, nil),
  ])
  func `presents the file to look at`(_ copy: ExportDestination?, _ path: String?) {
    presenter.presentOriginal(
      response: .init(image: .moon, original: .moon, wasDownloaded: false, copy: copy)
    )

    let text = "stored original, 6000 × 4000, JPEG, 4.2 MB"
    #expect(display.events == [.original(.init(text: text, path: path))])
  }

  @Test func `tells an original that was fetched now`() {
    presenter.presentOriginal(
      response: .init(image: .moon, original: .moon, wasDownloaded: true, copy: .standardOutput)
    )

    let text = "fetched original, 6000 × 4000, JPEG, 4.2 MB"
    #expect(display.events == [.original(.init(text: text, path: nil))])
  }

  @Test func `presents why there is no original`() {
    presenter.presentUnavailableOriginal(
      response: .init(image: .moon, failure: .status(404), stale: nil)
    )

    let message = """
      cannot show the original of '7': the server answered 404 (not found) — its thumbnail is stored
      """
    #expect(
      display.events == [.unavailableOriginal(.init(message: message, outcome: .unavailable))]
    )
  }

  @Test func `counts an original before that is shown instead as done`() {
    presenter.presentUnavailableOriginal(
      response: .init(image: .moon, failure: .status(503), stale: .staleMoon)
    )

    let message = """
      cannot show the original of '7': the server answered 503 (not available now) — this is the \
      one stored before its feed named another
      """
    #expect(display.events == [.unavailableOriginal(.init(message: message, outcome: .done))])
  }

  @Test func `describes an image in the order in which people ask`() {
    presenter.presentDescription(response: .init(image: .moon.with(.stale)))

    let fields = [
      ("id", "7"),
      ("title", "The moon over the bay"),
      ("caption", "Seen from the pier."),
      ("author", "Ann Lee"),
      ("licence", "CC BY 4.0"),
      ("published", "2026-11-02T08:00:00Z"),
      ("first seen", "2026-11-02T12:00:00Z"),
      ("feed", "1 Astronomy"),
      ("page", "https://stars.example/moon"),
      ("thumbnail", "https://stars.example/moon-small.jpg"),
      ("original", "https://stars.example/moon.jpg"),
      ("size", "6000 × 4000"),
      (
        "stored",
        "thumbnail (320 × 213, JPEG, 1.2 KB), original (before its feed named another)"
      ),
    ]
    #expect(display.events == [description(fields)])
  }

  @Test func `leaves out what is unknown of an image`() {
    var image = WebImage.unnamed
    image.isGone = true

    presenter.presentDescription(response: .init(image: image))

    let fields = [
      ("id", "8"),
      ("first seen", "2026-11-02T08:00:00Z"),
      ("feed", "2 https://***@team.example/shots.json?token=***"),
      ("original", "https://team.example/8.png"),
      ("stored", "nothing yet"),
      ("gone", "the feed lists it no longer"),
    ]
    #expect(display.events == [description(fields)])
  }

  @Test func `presents why a request came to nothing`() {
    presenter.presentFailure(response: .init(failure: .noThumbnail(imageID: 8)))

    let message = "cannot show the thumbnail of '8': none is stored"
    #expect(display.events == [.failure(.init(message: message, outcome: .unavailable))])
  }

  private func description(_ fields: [(String, String)]) -> ShowImageDisplaySpy.Event {
    .description(.init(fields: fields.map { DescriptionField(name: $0, value: $1) }))
  }
}
