import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ListImagesJSONPresenterTests {
  private let display = ListImagesRecordDisplaySpy()
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
      gone: false
    )
    #expect(display.events == [.fetchedImages(.init(records: [record]))])
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
    #expect(display.events == [.fetchedImages(.init(records: [record]))])
  }

  @Test func `presents what a sync did for a feed`() {
    presenter.presentSyncedFeed(response: .init(summary: .astronomy))

    let record = FeedSyncRecord(
      feed: .init(
        id: 1,
        url: "https://stars.example/feed.xml",
        title: "Astronomy",
        format: "mediarss"
      ),
      status: "updated",
      images: .init(total: 120, new: 12, changed: 3, gone: 0),
      thumbnails: .init(stored: 15, failed: 0, waiting: 0),
      originals: .init(stored: 0, failed: 0, waiting: 0),
      bytes: 123_456,
      seconds: 0.42,
      dryRun: false,
      problems: []
    )
    #expect(display.events == [.syncedFeed(.init(record: record))])
  }

  @Test func `presents a feed that was never read without an id`() {
    presenter.presentSyncedFeed(response: .init(summary: .secret))

    let url = "https://***@team.example/shots.json?token=***"
    let none = FeedSyncRecord.Pictures(stored: 0, failed: 0, waiting: 0)
    let record = FeedSyncRecord(
      feed: .init(url: url),
      status: "failed",
      images: .init(total: 0, new: 0, changed: 0, gone: 0),
      thumbnails: none,
      originals: none,
      bytes: 0,
      seconds: 0,
      dryRun: false,
      problems: [
        .init(
          url: url,
          reason: "the server answered 401 (authentication is needed)",
          severity: "failure"
        )
      ]
    )
    #expect(display.events == [.syncedFeed(.init(record: record))])
  }

  @Test func `presents problems, the end and failures, and no progress`() {
    presenter.presentStartedSync(response: .init(progress: SyncProgress()))
    presenter.presentSyncProblem(response: .init(problem: .damagedDocument))
    presenter.presentEndedSync(response: .init(outcome: .done, isInterrupted: false))
    presenter.presentEndedFetch(response: .init(count: 0, nextOffset: 20))
    presenter.presentFailure(response: .init(failure: .noFeedKnown))

    let problem = """
      cannot read all of 'https://stars.example/feed.xml': markup that is not well-formed \
      — the rest was read
      """
    let failure = "no feed is followed yet — 'gallery sync <feed-url>' follows one"
    #expect(
      display.events == [
        .syncProblem(.init(text: problem, severity: .warning)),
        .endedSync(.init(outcome: .done, note: nil)),
        .failure(.init(message: failure, outcome: .misused)),
      ]
    )
  }

  @Test func `presents a notice as a sentence`() {
    presenter.presentSyncNotice(response: .init(notice: .paused(feeds: 1)))

    #expect(display.events == [.syncNotice(.init(text: Wording.notice(.paused(feeds: 1))))])
  }

  @Test func `marks a dry run, and gives no id of a feed that the library does not know`() {
    var summary = FeedSyncSummary.astronomy
    summary.isDryRun = true
    presenter.presentSyncedFeed(response: .init(summary: summary))
    summary.isUnknown = true
    presenter.presentSyncedFeed(response: .init(summary: summary))

    let records = display.events.compactMap { event in
      if case .syncedFeed(let viewModel) = event { viewModel.record } else { nil }
    }
    #expect(records.map(\.dryRun) == [true, true])
    #expect(records.map(\.feed.id) == [1, nil])
    #expect(records.map(\.feed.title) == ["Astronomy", "Astronomy"])
  }
}
