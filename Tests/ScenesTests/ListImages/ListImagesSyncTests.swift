import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ListImagesSyncTests {
  private let presenter = ListImagesPresentationSpy()
  private let stop = StopRequest()
  private let usualBytes = 200 << 20

  // MARK: What is asked for

  @Test func `syncs the feeds that are named, each once, as it is asked to`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    let new = WebAddress.at("https://new.example/feed")
    var request = request([.address(new), .id(1), .address(Feed.astronomy.address)])
    request.fetchesThumbnails = false
    request.fetchesOriginals = true
    request.isForced = true
    request.retriesFailed = true
    request.isDryRun = true
    request.allowsPrivate = true
    request.budget = 2 << 30

    await interactor(worker).syncFeeds(request: request)

    let plan = SyncPlan(
      feeds: [new, Feed.astronomy.address],
      fetchesThumbnails: false,
      fetchesOriginals: true,
      isForced: true,
      retriesFailed: true,
      isDryRun: true,
      allowsPrivate: true,
      originalBytes: 2 << 30
    )
    #expect(worker.events == [.sync(plan)])
  }

  @Test func `syncs every feed that is followed when none is named`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])

    await interactor(worker).syncFeeds(request: request([]))

    let addresses = [Feed.astronomy.address, Feed.secret.address]
    let plan = SyncPlan(feeds: addresses, isEveryFeed: true, originalBytes: usualBytes)
    #expect(worker.events == [.sync(plan)])
  }

  @Test func `bounds originals by what is asked for, else only where none are`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    var requests = [request([.id(1)]), request([.id(1)]), request([.id(1)])]
    requests[1].fetchesOriginals = true
    requests[2].budget = 0

    for request in requests { await interactor(worker).syncFeeds(request: request) }

    let bounds = worker.events.map { event -> Int? in
      if case .sync(let plan) = event { plan.originalBytes } else { -1 }
    }
    #expect(bounds == [200 << 20, nil, 0])
  }

  @Test func `asks for nothing when one of the feeds cannot be meant`() async {
    let failures: [(FeedArgument, RequestFailure)] = [
      (.id(9), .noSuchFeed(.id(9))), (.unusable(scheme: "ftp"), .unusableScheme("ftp")),
    ]
    let worker = SyncStub()

    for (argument, _) in failures {
      await interactor(worker).syncFeeds(request: request([.id(1), argument]))
    }

    #expect(worker.events == [])
    #expect(presenter.events == failures.map { .failure(.init(failure: $0.1)) })
  }

  @Test(arguments: [nil, StoreError.noLibrary])
  func `presents that no feed is known`(_ error: StoreError?) async {
    await interactor(library: LibraryStub(error: error)).syncFeeds(request: request([]))

    #expect(presenter.events == [.failure(.init(failure: .noFeedKnown))])
  }

  @Test func `presents that the library cannot be read`() async {
    await interactor(library: LibraryStub(error: .damaged)).syncFeeds(request: request([]))

    #expect(presenter.events == [.failure(.init(failure: .library(.damaged, .sync)))])
  }

  @Test func `needs no library for a feed that is named by its address`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    let address = Feed.astronomy.address

    await interactor(worker, library: LibraryStub(error: .damaged))
      .syncFeeds(request: request([.address(address)]))

    #expect(worker.events == [.sync(SyncPlan(feeds: [address], originalBytes: usualBytes))])
  }

  // MARK: What is told

  @Test func `presents each fact in its order`() async {
    let worker = SyncStub([
      .problem(.noThumbnail), .feedFinished(.astronomy), .notice(.paused(feeds: 1)),
      .problem(.notAllowed),
      .feedFinished(.secret), .ended(.init(isInterrupted: false)),
    ])

    await interactor(worker).syncFeeds(request: request([]))

    #expect(
      presenter.events == [
        .startedSync,
        .syncProblem(.init(problem: .noThumbnail)),
        .syncedFeed(.init(summary: .astronomy)),
        .syncNotice(.init(notice: .paused(feeds: 1))),
        .syncProblem(.init(problem: .notAllowed)),
        .syncedFeed(.init(summary: .secret)),
        .endedSync(.init(outcome: .partly, isInterrupted: false)),
      ]
    )
  }

  @Test func `says that what has ended was a dry run`() async {
    let worker = SyncStub([.ended(.init(isInterrupted: false))])
    var request = request([.id(1)])
    request.isDryRun = true

    await interactor(worker).syncFeeds(request: request)

    let end = ListImages.SyncFeeds.Ended.Response(
      outcome: .done,
      isInterrupted: false,
      isDryRun: true
    )
    #expect(presenter.events == [.startedSync, .endedSync(end)])
  }

  @Test(arguments: [
    ([], Outcome.done),
    ([FeedSyncSummary.astronomy], .done),
    ([.astronomy.with([.damagedDocument])], .done),
    ([.astronomy.with([.noThumbnail])], .partly),
    ([.astronomy, .secret], .partly),
    ([.secret], .failed),
    ([.secret, .secret], .failed),
  ])
  func `knows what the feeds come to together`(
    _ summaries: [FeedSyncSummary],
    _ outcome: Outcome
  ) async {
    let worker = SyncStub(
      summaries.map { .feedFinished($0) } + [.ended(.init(isInterrupted: false))]
    )

    await interactor(worker).syncFeeds(request: request([]))

    #expect(presenter.events.last == .endedSync(.init(outcome: outcome, isInterrupted: false)))
  }

  @Test func `passes a wish to stop on and tells the end as interrupted`() async {
    let worker = SyncStub([.feedFinished(.astronomy)])
    stop.make()

    await interactor(worker).syncFeeds(request: request([.id(1)]))

    let plan = SyncPlan(feeds: [Feed.astronomy.address], originalBytes: usualBytes)
    #expect(worker.events == [.sync(plan), .stop])
    #expect(
      presenter.events == [
        .startedSync,
        .syncedFeed(.init(summary: .astronomy)),
        .endedSync(.init(outcome: .done, isInterrupted: true)),
      ]
    )
  }

  private func interactor(
    _ worker: SyncStub = SyncStub(),
    library: LibraryStub = LibraryStub(feeds: [.astronomy, .secret])
  ) -> ListImagesInteractor {
    ListImagesInteractor(
      presenter: presenter,
      library: library,
      syncWorker: worker,
      decoder: ImageDecodingStub()
    )
  }

  private func request(_ feeds: [FeedArgument]) -> ListImages.SyncFeeds.Request {
    ListImages.SyncFeeds.Request(feeds: feeds, stop: stop)
  }
}

extension FeedSyncSummary {
  fileprivate func with(_ problems: [SyncProblem]) -> FeedSyncSummary {
    var summary = self
    summary.problems = problems
    return summary
  }
}
