import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct SyncFeedsPresenterTests {
  private let display = SyncFeedsDisplaySpy()
  private var presenter: SyncFeedsPresenter { SyncFeedsPresenter(display: display) }

  @Test func `presents how far the sync is`() {
    let progress = SyncProgress()
    progress.update { $0.feeds.total = 2 }

    presenter.presentSyncProgress(response: .init(snapshot: progress.snapshot))

    var line = ProgressLine(fraction: nil, text: "0 of 2 feeds, reading 0 images")
    line.shorter = ["reading 0 images"]
    #expect(display.events == [.syncProgress(.init(line: line))])
  }

  @Test func `presents no progress but that it stops once it is to stop`() {
    presenter.presentSyncProgress(response: .init(snapshot: .init(), isStopping: true))

    let text = "stopping — storing what has arrived; interrupt again to end at once"
    #expect(
      display.events == [.syncProgress(.init(line: ProgressLine(fraction: nil, text: text)))]
    )
  }

  @Test func `presents a problem of a document at the end of its feed, and how much it matters`() {
    var summary = FeedSyncSummary.astronomy
    summary.problems = [.damagedDocument]
    presenter.presentSyncProblem(response: .init(problem: .damagedDocument))
    presenter.presentSyncedFeed(response: .init(summary: summary))

    let text: HintedText = """
      cannot read all of 'https://stars.example/feed.xml': markup that is not well-formed \
      — the rest was read
      """
    #expect(
      display.events.dropLast() == [
        .syncProblem(.init(text: text, severity: .warning))
      ]
    )
  }

  @Test func `names the address of a feed whose title another feed of the sync has`() {
    var other = FeedSyncSummary.astronomy
    other.address = .at("https://moon.example/feed.xml")
    let presenter = presenter
    for summary in [.astronomy, other, .astronomy] {
      presenter.presentSyncedFeed(response: .init(summary: summary))
    }

    let starts = display.events.map { event -> String in
      guard case .syncedFeed(let viewModel) = event else { return "" }
      return String(viewModel.text.text { _ in "" }.prefix { $0 != "1" })
    }
    #expect(
      starts == [
        "updated 'Astronomy': ", "updated 'Astronomy' (https://moon.example/feed.xml): ",
        "updated 'Astronomy': ",
      ]
    )
  }

  @Test(arguments: [1, 3, 4, 51])
  func `presents the first three of many pages that failed alike, and the number of the others`(
    count: Int
  ) {
    let pages = (1...count).map { number in
      SyncProblem(
        subject: .page,
        address: .at("https://stars.example/\(number).json"),
        failure: .status(404)
      )
    }
    let other = SyncProblem(
      subject: .page,
      address: .at("https://stars.example/x.json"),
      failure: .status(403)
    )
    var summary = FeedSyncSummary.astronomy
    summary.problems = pages + [other]
    presenter.presentSyncedFeed(response: .init(summary: summary))

    let problems = display.events.compactMap { event -> SyncFeeds.Problem.ViewModel? in
      if case .syncProblem(let problem) = event { problem } else { nil }
    }
    let texts = problems.map { $0.text.text { _ in "" } }
    let more = count > 3 ? 1 : 0
    #expect(texts.count == min(count, 3) + more + 1)
    #expect(
      texts[0].hasPrefix("cannot read 'https://stars.example/1.json': the server answered 404")
    )
    #expect(texts.last?.hasPrefix("cannot read 'https://stars.example/x.json'") == true)
    guard more > 0 else { return }
    #expect(texts[3] == "and \(count - 3) more such problem\(count > 4 ? "s" : "") of 'Astronomy'")
    #expect(problems[3].details.count == count - 3 && problems[3].severity == .failure)
  }

  @Test func `presents a picture that failed at the end of its feed, and what failed alike once`() {
    let names = ["sun", "moon", "star"]
    let missing = names.map { name in
      SyncProblem(
        subject: .thumbnail,
        address: .at("https://stars.example/\(name).jpg"),
        failure: .status(404)
      )
    }
    var summary = FeedSyncSummary.astronomy
    summary.problems = [missing[0], .noThumbnail, missing[1], missing[2]]
    summary.problems[1].failure = .status(503)
    for problem in summary.problems {
      presenter.presentSyncProblem(response: .init(problem: problem))
    }
    presenter.presentSyncedFeed(response: .init(summary: summary))

    let group: HintedText = """
      cannot fetch 3 thumbnails of 'Astronomy': the server answered 404 (not found), for example \
      'https://stars.example/sun.jpg' — \
      \(.syncAgain(.init(time: .someDaysLater, isOriginal: false)))
      """
    let single: HintedText = """
      cannot fetch the thumbnail 'https://stars.example/moon-small.jpg': the server answered 503 \
      (not available now) — \(.syncAgain(.init(time: .later, isOriginal: false)))
      """
    #expect(
      display.events.dropLast() == [
        .syncProblem(
          .init(text: group, details: missing.map { Wording.message($0) }, hint: .showDetails)
        ),
        .syncProblem(.init(text: single)),
      ]
    )
  }

  @Test func `tells a feed that failed as a problem, and no second time`() {
    presenter.presentSyncProblem(response: .init(problem: .notAllowed))
    presenter.presentSyncedFeed(response: .init(summary: .secret))

    #expect(display.events == [.syncProblem(.init(text: Wording.message(.notAllowed)))])
  }

  @Test func `ends a sync of several feeds with what they come to`() {
    var tally = SyncTally()
    for summary in [FeedSyncSummary.astronomy, .secret] { tally.add(summary) }
    let totals = tally.totals(after: .seconds(1))
    presenter.presentEndedSync(
      response: .init(outcome: .partly, isInterrupted: false, totals: totals)
    )

    let text = totals.map { Wording.totals($0, isDryRun: false) }
    #expect(text?.hasPrefix("2 feeds: 1 updated, 1 failed; 120 images") == true)
    #expect(display.events == [.endedSync(.init(outcome: .partly, totals: text, note: nil))])
  }

  @Test func `presents what a sync did for a feed in a line`() {
    presenter.presentSyncedFeed(response: .init(summary: .astronomy))

    let text: HintedText = """
      updated 'Astronomy': 120 images, 12 new, 3 changed; 15 thumbnails stored; 121 KiB in 0.4 s
      """
    #expect(display.events == [.syncedFeed(.init(text: text))])
  }

  @Test func `presents how a sync came out`() {
    presenter.presentEndedSync(response: .init(outcome: .partly, isInterrupted: false))
    presenter.presentEndedSync(response: .init(outcome: .done, isInterrupted: true))

    let note =
      "interrupted — gallery has stored what arrived, and the next sync continues from here"
    #expect(
      display.events == [
        .endedSync(.init(outcome: .partly, note: nil)),
        .endedSync(.init(outcome: .done, note: note)),
      ]
    )
  }

  @Test func `presents a notice as a sentence`() {
    presenter.presentSyncNotice(response: .init(notice: .paused(feeds: 1)))

    #expect(display.events == [.syncNotice(.init(text: Wording.notice(.paused(feeds: 1))))])
  }

  @Test(arguments: [
    (Failure.store(StoreError(reason: .busy, path: "/library", message: "")), true),
    (.store(StoreError(reason: .tooLarge(bound: 9), path: "/library", message: "")), false),
    (.imaging(.noDecoder(lookedAt: ["/usr/libexec/gallery-decoder"])), true),
    (.imaging(.timedOut(seconds: 60)), false),
    (.status(404), false),
  ])
  func `tells which problems are of the library`(_ failure: Failure, _ isOfLibrary: Bool) {
    let feed = SyncProblem(subject: .feed, address: Feed.astronomy.address, failure: failure)
    var picture = feed
    picture.subject = .original
    var summary = FeedSyncSummary.astronomy
    summary.problems = [picture]
    presenter.presentSyncProblem(response: .init(problem: feed))
    presenter.presentSyncedFeed(response: .init(summary: summary))

    let told = display.events.compactMap { event -> Bool? in
      if case .syncProblem(let problem) = event { problem.isOfLibrary } else { nil }
    }
    #expect(told == [isOfLibrary, isOfLibrary])
  }

  @Test(arguments: [
    (SyncNotice.exported(folder: "/home/mia/photos", FileExportCounts()), true),
    (.notPut(count: 1, StoreError(reason: .noCredentials, path: "s3://b", message: "")), true),
    (.trustedOnce([Feed.astronomy.address], authorities: "/home/mia/ca.pem"), true),
    (.empty(Feed.astronomy.address), false),
  ])
  func `tells which notices are of the library`(_ notice: SyncNotice, _ isOfLibrary: Bool) {
    presenter.presentSyncNotice(response: .init(notice: notice))

    guard case .syncNotice(let told)? = display.events.last else {
      Issue.record("nothing was displayed")
      return
    }
    #expect(told.isOfLibrary == isOfLibrary)
  }
}
