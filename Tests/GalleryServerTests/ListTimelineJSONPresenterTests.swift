import Models
import TestSupport
import Testing
import Web
import Workers

@testable import Scenes

struct ListTimelineJSONPresenterTests {
  private let display = RecordDisplaySpy()
  private var presenter: ListTimelineJSONPresenter { ListTimelineJSONPresenter(display: display) }

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
        ImageTile(id: 2, colours: Self.white, isPinned: true),
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
      "pins": .array([false, true, false]),
    ]
    #expect(display.events == [.records(.init(record, outcome: isComplete ? .done : nil))])
  }
}
