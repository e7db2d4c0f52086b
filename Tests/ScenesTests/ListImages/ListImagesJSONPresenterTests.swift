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

  // MARK: Timelines

  @Test func `presents the buckets of a timeline with their months`() {
    presenter.presentFetchedTimeline(
      response: .init(
        version: 12,
        total: 5,
        order: .newest,
        buckets: [
          .init(start: 0, count: 3, month: 24_299),
          .init(start: 3, count: 2, month: 109),
        ]
      )
    )

    let record: Record = [
      "version": "12", "total": 5, "sort": "newest",
      "buckets": .records([
        ["key": "0", "count": 3, "month": "2024-12"], ["key": "1", "count": 2, "month": "0009-02"],
      ]),
    ]
    #expect(display.events == [.records(.init(record))])
  }

  private static let white = Array(repeating: UInt8(255), count: 36)

  @Test(
    arguments: [(nil, false, "A"), ([], true, "A"), (white, true, "/")]
      as [([UInt8]?, Bool, String)]
  )
  func `presents a bucket in columns, which is complete when no thumbnail waits for colours`(
    colours: [UInt8]?,
    isComplete: Bool,
    text: String
  ) {
    let hash = SHA256Digest(words: SIMD4(1, 2, 3, 4))
    presenter.presentFetchedBucket(
      response: .init(tiles: [
        ImageTile(id: 1, name: "One", thumbnail: hash, aspectRatio: 1.23456, colours: Self.white),
        ImageTile(id: 2, colours: Self.white),
        ImageTile(id: 3, thumbnail: hash, colours: colours, isOriginalStored: true),
      ])
    )

    let grids = ["/", "A", text].map { String(repeating: $0, count: 48) }
    let record: Record = [
      "ids": .numbers([1, 2, 3]),
      "ratios": .array([1.235, 0.0, 0.0]),
      "thumbnails": .texts([hash.hexadecimal, "", hash.hexadecimal]),
      "colours": .text(grids.joined()),
      "names": .texts(["One", "", ""]),
      "originals": .array([false, false, true]),
    ]
    #expect(display.events == [.records(.init(record, outcome: isComplete ? .done : nil))])
  }
}
