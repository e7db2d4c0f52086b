import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ListImagesJSONPresenterTests {
  private let display = RecordDisplaySpy()
  private var presenter: ListImagesJSONPresenter { ListImagesJSONPresenter(display: display) }

  @Test func `presents images as records of raw values`() {
    presenter.presentFetchedImages(response: .init(images: [.moon]))

    let record = ImageRecord(
      id: 7,
      title: "The moon over the bay",
      caption: "Seen from the pier.",
      author: "Ann Lee",
      published: "2026-11-02T08:00:00Z",
      feed: .init(id: 1, title: "Astronomy"),
      thumbnail: .init(
        url: "https://stars.example/moon-small.jpg",
        stored: true,
        bytes: 1_234,
        type: "image/jpeg",
        width: 320,
        height: 213
      ),
      originalStored: false,
      gone: false,
      licence: "CC BY 4.0",
      width: 6_000,
      height: 4_000
    )
    #expect(display.events == [.images(.init(records: [record]))])
  }

  @Test func `presents what the cameras of stored originals have written`() throws {
    let hash = try #require(SHA256Digest(hexadecimal: String(repeating: "a1", count: 32)))
    let info = PictureInfo(format: .jpeg, bytes: 7, width: 3, height: 2, hash: hash)
    var details = PictureDetails()
    details.camera = "PENTAX K-7"
    details.taken = DateTaken(day: "2019:07:14 18:02:33", offset: "+02:00")

    presenter.presentFetchedImages(
      response: .init(
        images: [.moon, .unnamed],
        originals: [WebImage.moon.id: info],
        details: [hash.hexadecimal: details]
      )
    )

    guard case .images(let viewModel)? = display.events.first else {
      Issue.record("\(display.events)")
      return
    }
    let facts = viewModel.records.map(\.facts)
    #expect(facts[0]?.camera == "PENTAX K-7")
    #expect(facts[0]?.taken == "2019-07-14T18:02:33+02:00")
    #expect(facts[0]?.original == info)
    #expect(facts[0]?.feedURL == WebImage.moon.feed.address.masked)
    #expect(facts[1] == .init(feedURL: WebImage.unnamed.feed.address.masked))
  }

  @Test func `a page of the API has the camera and the time, and no other fact`() {
    var record = ImageRecord.blank
    record.facts = .init(
      pageURL: "https://stars.example/moon",
      feedURL: "file:///home/ann/a1/",
      isPinned: true,
      file: "/l/originals/a1/a1.jpg",
      camera: "PENTAX K-7",
      taken: "2019-07-14T18:02:33+02:00"
    )
    let page = String(decoding: JSONLine.page(of: [record, .blank], next: nil), as: UTF8.self)

    #expect(page.contains(#"[],"camera":"PENTAX K-7","taken":"2019-07-14T18:02:33+02:00"}"#))
    #expect(page.contains(#""failures":[],"camera":null,"taken":null}"#))
    #expect(!page.contains("pinned") && !page.contains("pageURL") && !page.contains("a1"))
  }

  @Test func `presents what is unknown as nothing`() {
    var image = WebImage.unnamed.with(.stale)
    image.isGone = true

    presenter.presentFetchedImages(response: .init(images: [image]))

    let record = ImageRecord(
      id: 8,
      feed: .init(id: 2),
      thumbnail: .init(stored: false),
      originalStored: true,
      gone: true
    )
    #expect(display.events == [.images(.init(records: [record]))])
  }

  @Test func `presents where the next page begins, and failures`() {
    let cursor = ImageCursor(number: 5, position: 6, imageID: 7)
    presenter.presentEndedFetch(response: .init(count: 3, nextOffset: 20, next: cursor))
    presenter.presentFailure(response: .init(failure: .noFeedKnown))

    let message: HintedText = "no feed is followed yet — \(.followFeed)"
    #expect(
      display.events == [
        .endedFetch(.init(nextOffset: 20, next: "5.6.7")),
        .failure(.init(message: message, outcome: .misused)),
      ]
    )
  }
}
