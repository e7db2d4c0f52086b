import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct SyncFeedsJSONPresenterTests {
  private let display = RecordDisplaySpy()
  private var presenter: SyncFeedsJSONPresenter { SyncFeedsJSONPresenter(display: display) }

  @Test func `presents what a sync did for a feed`() {
    presenter.presentSyncedFeed(response: .init(summary: .astronomy))

    let record: Record = [
      "feed": [
        "id": 1,
        "url": "https://stars.example/feed.xml",
        "title": "Astronomy",
        "format": "mediarss",
      ],
      "status": "updated",
      "images": ["total": 120, "new": 12, "changed": 3, "gone": 0],
      "thumbnails": ["stored": 15, "failed": 0, "waiting": 0],
      "originals": ["stored": 0, "failed": 0, "waiting": 0],
      "bytes": 123_456,
      "seconds": 0.42,
      "dryRun": false,
      "problems": .records([]),
      "failures": .records([]),
      "newIDs": .ranges([]),
      "list": .record(nil),
    ]
    #expect(display.events == [.records(.init(record, outcome: nil))])
  }

  @Test func `presents that a gallery shows only a part of itself, and else nothing of it`() {
    var summary = FeedSyncSummary.astronomy
    for isLimited in [true, false] {
      summary.isLimited = isLimited
      presenter.presentSyncedFeed(response: .init(summary: summary))
    }

    #expect(display.records.map { $0.value("limited") } == [true, nil])
  }

  @Test func `presents a feed that was never read without an id`() {
    presenter.presentSyncedFeed(response: .init(summary: .secret))

    let url = "https://***@team.example/shots.json?token=***"
    let problem: Record = [
      "url": .text(url),
      "reason": "the server answered 401 (authentication is needed)",
      "severity": "failure",
      "detail": .text(nil),
    ]
    #expect(
      display.records.map(\.feed) == [
        ["id": .integer(nil), "url": .text(url), "title": .text(nil), "format": .text(nil)]
      ]
    )
    #expect(display.records.map { $0.value("status") } == ["failed"])
    #expect(display.records.map { $0.value("problems") } == [.records([problem])])
  }

  @Test func `presents how many bytes a dry run would fetch`() {
    var summary = FeedSyncSummary.astronomy
    summary.originals.waiting = 2
    summary.originals.waitingBytes = 512

    presenter.presentSyncedFeed(response: .init(summary: summary))

    let originals: Record.Value = ["stored": 0, "failed": 0, "waiting": 2, "waitingBytes": 512]
    #expect(display.records.map { $0.value("originals") } == [originals])
  }

  @Test func `presents the progress every five seconds`() {
    let presenter = presenter
    var snapshot = SyncProgress.Snapshot()
    snapshot.feeds.total = 2
    snapshot.thumbnails = .init(done: 3, total: 9)
    for milliseconds in [0, 4_900, 5_000, 9_900, 12_500] {
      snapshot.elapsed = .milliseconds(milliseconds)
      presenter.presentSyncProgress(response: .init(snapshot: snapshot))
    }

    let record: Record = [
      "event": "progress", "feeds": ["done": 0, "total": 2], "images": 0,
      "thumbnails": ["done": 3, "total": 9], "originals": ["done": 0, "total": 0], "bytes": 0,
      "seconds": 5.0,
    ]
    #expect(display.records.first == record)
    #expect(display.records.map { $0.value("seconds") } == [5.0, 12.5])
  }

  @Test func `presents problems, the end and failures`() {
    var summary = FeedSyncSummary.astronomy
    summary.problems = [.damagedDocument]
    presenter.presentSyncedFeed(response: .init(summary: summary))
    presenter.presentEndedSync(response: .init(outcome: .done, isInterrupted: false))
    presenter.presentFailure(response: .init(failure: .noFeedKnown))

    let problem: HintedText = """
      cannot read all of 'https://stars.example/feed.xml': markup that is not well-formed \
      — the rest was read
      """
    let failure: HintedText = "no feed is followed yet — \(.followFeed)"
    #expect(
      display.events.filter { if case .records = $0 { false } else { true } } == [
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

    #expect(display.records.map { $0.value("dryRun") } == [true, true])
    #expect(display.records.map { $0.value("newIDs") } == [.ranges(nil), .ranges(nil)])
    #expect(display.records.map { $0.feed?.value("id") } == [1, .integer(nil)])
    #expect(display.records.map { $0.feed?.text("title") } == ["Astronomy", "Astronomy"])
  }
}

extension Record {
  fileprivate var feed: Record? {
    if case .record(let feed) = value("feed") { feed } else { nil }
  }
}
