import Models
import TestSupport
import Testing

@testable import Scenes
@testable import Workers

struct ListImagesPresenterTests {
  private let display = ListImagesDisplaySpy()
  private var presenter: ListImagesPresenter { ListImagesPresenter(display: display) }

  @Test func `presents images as finished text`() {
    presenter.presentFetchedImages(response: .init(images: [.moon, .unnamed.with(.stored)]))

    let displayed = [
      DisplayedImage.moon,
      DisplayedImage(
        id: 8,
        published: "",
        day: "",
        feed: "https://***@team.example/shots.json?token=***",
        title: "",
        originalMark: "original"
      ),
    ]
    #expect(display.events == [.fetchedImages(.init(displayedImages: displayed))])
  }

  @Test func `marks an original that its feed has replaced as stored`() {
    presenter.presentFetchedImages(response: .init(images: [.moon.with(.stale)]))

    var displayed = DisplayedImage.moon
    displayed.originalMark = "original"
    #expect(display.events == [.fetchedImages(.init(displayedImages: [displayed]))])
  }

  @Test func `presents thumbnails with the words under them`() throws {
    presenter.presentFetchedImages(
      response: .init(images: [.moon, .unnamed], thumbnails: [.plain(), nil])
    )

    guard case .fetchedImages(let viewModel) = display.events.first else {
      Issue.record("nothing was displayed")
      return
    }
    #expect(viewModel.isGrid)
    #expect(viewModel.displayedImages.map(\.caption) == ["7 The moon over the bay", "8"])
    let picture = try #require(Picture(.plain()))
    #expect(viewModel.displayedImages.map(\.picture) == [picture, nil])
  }

  @Test func `tells why no picture is drawn`() {
    presenter.presentUndrawnImages(response: .init(reason: .cannotStart(message: "No memory")))

    let note =
      "cannot draw pictures: the decoder cannot be started: no memory — the rest is told in words"
    #expect(display.events == [.undrawnImages(.init(note: note))])
  }

  @Test func `tells where the next page begins`() {
    presenter.presentEndedFetch(response: .init(count: 20, nextOffset: 60))

    #expect(display.events == [.endedFetch(.init(note: nil, nextOffset: 60))])
  }

  @Test func `tells which pictures of the list failed, and where there is more about it`() {
    let end = ListImages.FetchImages.Ended.Response(count: 20, nextOffset: nil, failures: .failing)

    presenter.presentEndedFetch(response: end)

    let retry = Wording.localTime(.novemberMorning)
    let failures = [
      "41 thumbnails failed lately: the server answered 404 (not found)",
      "1 original failed lately: no answer",
    ].map {
      "\($0), tried again from \(retry) on, or with --retry-failed — 'gallery feeds' tells more"
    }
    #expect(display.events == [.endedFetch(.init(failures: failures))])
  }

  @Test func `tells that no image matches`() {
    presenter.presentEndedFetch(response: .init(count: 0, nextOffset: nil))

    #expect(display.events == [.endedFetch(.init(note: "no image matches"))])
  }

  @Test func `tells that there is no image to match`() {
    presenter.presentEndedFetch(
      response: .init(count: 0, nextOffset: nil, isLibraryEmpty: true)
    )

    let note = "no image is stored yet — 'gallery sync <feed-url>' gets some"
    #expect(display.events == [.endedFetch(.init(note: note))])
  }

  @Test func `adds nothing to a list that says it all`() {
    presenter.presentEndedFetch(response: .init(count: 20, nextOffset: nil))

    #expect(display.events == [.endedFetch(.init(note: nil, nextOffset: nil))])
  }

  @Test func `gives the progress of the moment it is asked`() {
    let progress = SyncProgress()

    presenter.presentStartedSync(response: .init(progress: progress))
    progress.update { $0.feeds.total = 2 }

    var line = ProgressLine(fraction: nil, text: "0 of 2 feeds, reading 0 images")
    line.shorter = ["reading 0 images"]
    #expect(display.events == [.startedSync])
    #expect(display.samples.map { $0() } == [line])
  }

  @Test func `gives no progress but that it stops once it is to stop`() {
    let stop = StopRequest()

    presenter.presentStartedSync(response: .init(progress: SyncProgress(), stop: stop))
    stop.make()

    let text = "stopping — storing what has come; once more ends at once"
    #expect(display.samples.map { $0() } == [ProgressLine(fraction: nil, text: text)])
  }

  @Test func `presents a problem of a sync as a sentence, and how much it matters`() {
    presenter.presentSyncProblem(response: .init(problem: .damagedDocument))

    let text = """
      cannot read all of 'https://stars.example/feed.xml': markup that is not well-formed \
      — the rest was read
      """
    #expect(display.events == [.syncProblem(.init(text: text, severity: .warning))])
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

    let group = """
      cannot fetch 3 thumbnails of 'Astronomy': the server answered 404 (not found), for example \
      'https://stars.example/sun.jpg' — a sync some days later tries again, one with \
      --retry-failed at once
      """
    let single = """
      cannot fetch the thumbnail 'https://stars.example/moon-small.jpg': the server answered 503 \
      (not available now) — a later sync tries again
      """
    #expect(
      display.events.dropLast() == [
        .syncProblem(
          .init(text: group, details: missing.map(Wording.message), hint: "--verbose lists them")
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

    let text = """
      updated 'Astronomy': 120 images, 12 new, 3 changed; 15 thumbnails stored; 121 KiB in 0.4 s
      """
    #expect(display.events == [.syncedFeed(.init(text: text))])
  }

  @Test func `presents how a sync came out`() {
    presenter.presentEndedSync(response: .init(outcome: .partly, isInterrupted: false))
    presenter.presentEndedSync(response: .init(outcome: .done, isInterrupted: true))

    let note = "interrupted — what came is stored, and the next sync goes on from here"
    #expect(
      display.events == [
        .endedSync(.init(outcome: .partly, note: nil)),
        .endedSync(.init(outcome: .done, note: note)),
      ]
    )
  }

  @Test func `presents why a request came to nothing`() {
    presenter.presentFailure(response: .init(failure: .noSuchImage(id: 99)))

    let message = "cannot show '99': no such image — 'gallery list' shows the ids"
    #expect(display.events == [.failure(.init(message: message, outcome: .notFound))])
  }

  @Test func `presents a notice as a sentence`() {
    presenter.presentSyncNotice(response: .init(notice: .paused(feeds: 1)))

    #expect(display.events == [.syncNotice(.init(text: Wording.notice(.paused(feeds: 1))))])
  }
}

extension DisplayedImage {
  fileprivate static let moon = DisplayedImage(
    id: 7,
    published: "2026-11-02T08:00:00Z",
    day: "2026-11-02",
    feed: "Astronomy",
    title: "The moon over the bay",
    originalMark: ""
  )
}
