import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

/// The reasons for the images of entries, as people and scripts read them.
struct SyncExplanationTests {
  private let moon = EntryExplanation(
    id: "7",
    title: "Moon",
    images: [
      .init(
        original: .init(address: .at("https://a.b/moon.jpg?token=x"), place: .media, side: 4000),
        thumbnail: .init(address: .at("https://a.b/moon-s.jpg"), place: .thumbnail, side: 320)
      )
    ],
    passed: [
      .init(address: "https://a.b/face.png", place: .member("user.avatar"), reason: .foreign)
    ]
  )

  private func response(_ entries: [EntryExplanation]) -> SyncFeeds.Explained.Response {
    .init(entries: entries, feed: .at("https://a.b/feed"))
  }

  @Test func `presents what an entry has, and what was not used`() {
    let display = SyncFeedsDisplaySpy()
    let presenter = SyncFeedsPresenter(display: display)

    presenter.presentExplainedEntries(response: response([moon]))

    let rows: [SyncFeeds.Explained.Row] = [
      .init(
        label: "original",
        address: "https://a.b/moon.jpg?token=***",
        reason: "Media RSS content, 4,000 pixels"
      ),
      .init(
        label: "thumbnail",
        address: "https://a.b/moon-s.jpg",
        reason: "thumbnail, the smallest with at least 200 pixels: 320"
      ),
      .init(
        label: "not used",
        address: "https://a.b/face.png",
        reason: "user.avatar, of a person, an album, a tag or a site"
      ),
    ]
    let entry = SyncFeeds.Explained.Entry(title: "'Moon': 1 image", rows: rows)
    #expect(display.events == [.explainedEntries(.init(entries: [entry]))])
  }

  @Test(arguments: [
    (EntryExplanation(title: "Moon"), "'Moon': no image"),
    (EntryExplanation(id: "7"), "entry 7: no image"),
    (EntryExplanation(), "an entry without a title: no image"),
  ])
  func `names an entry by its title, else by its id`(_ entry: EntryExplanation, _ title: String) {
    #expect(Wording.entry(entry).title == title)
  }

  @Test func `names the feed of an entry where there may be several`() {
    let display = SyncFeedsDisplaySpy()
    var response = response([EntryExplanation(title: "Moon")])
    response.isOneOfSeveral = true

    SyncFeedsPresenter(display: display).presentExplainedEntries(response: response)

    let entry = SyncFeeds.Explained.Entry(
      title: "'Moon' in 'https://a.b/feed': no image",
      rows: []
    )
    #expect(display.events == [.explainedEntries(.init(entries: [entry]))])
  }

  @Test func `says in words that a document has no images`() {
    let display = SyncFeedsDisplaySpy()
    var summary = FeedSyncSummary.astronomy
    summary.images = ImageCounts()

    SyncFeedsPresenter(display: display)
      .presentSyncedFeed(response: .init(summary: summary, isExplained: true))

    let text: HintedText =
      "'Astronomy' has no images: nothing in it is read as the address of one"
    #expect(display.events == [.syncedFeed(.init(text: text))])
  }

  @Test(arguments: EntryExplanation.Reason.allCases)
  func `has words for each reason`(_ reason: EntryExplanation.Reason) {
    let passed = EntryExplanation.Passed(address: "a", place: .markup, reason: reason)
    let words = Wording.entry(EntryExplanation(passed: [passed])).rows.map(\.reason)

    #expect(words[0].hasPrefix("HTML, ") && words[0].count > 10)
  }

  @Test func `presents a record of each entry`() {
    let display = RecordDisplaySpy()
    let presenter = SyncFeedsJSONPresenter(display: display)

    presenter.presentExplainedEntries(response: response([moon, EntryExplanation()]))

    #expect(
      display.records == [
        [
          "feed": ["url": "https://a.b/feed"],
          "entry": ["id": "7", "title": "Moon"],
          "images": .records([
            [
              "original": [
                "url": "https://a.b/moon.jpg?token=***", "place": "Media RSS content",
                "side": 4000,
              ],
              "thumbnail": [
                "url": "https://a.b/moon-s.jpg", "place": "thumbnail", "side": 320,
              ],
            ]
          ]),
          "passed": .records([
            ["url": "https://a.b/face.png", "place": "user.avatar", "reason": "foreign"]
          ]),
        ],
        [
          "feed": ["url": "https://a.b/feed"],
          "entry": ["id": .text(nil), "title": .text(nil)],
          "images": .records([]),
          "passed": .records([]),
        ],
      ]
    )
  }
}
