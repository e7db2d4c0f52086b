import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

/// What a sync of every feed tells about feeds that failed before, and about a network that is down.
struct FailedFeedsTests {
  private static let pause = Date(timeIntervalSince1970: 1_800_000_000)

  private static func paused(_ seconds: Double) -> Failure {
    let end = pause.addingTimeInterval(seconds)
    return .network(
      NetworkError(reason: .paused(until: end), address: Feed.astronomy.address, message: "")
    )
  }

  @Test(
    arguments: [
      (nil, .status(404), false), (.status(404), .status(404), true),
      (.status(404), .status(500), false), (.gone, .status(404), false),
      (paused(0), paused(3_600), true), (.status(503), paused(0), false),
      (
        .feed(.replaced(.feed, by: .page, offers: [])),
        .feed(.replaced(.feed, by: .page, offers: [Feed.secret.address])), true
      ),
    ] as [(Failure?, Failure, Bool)]
  )
  func `tells whether the last sync failed in the same way`(
    _ former: Failure?,
    _ failure: Failure,
    _ isKnown: Bool
  ) async {
    let problem = SyncProblem(subject: .feed, address: Feed.astronomy.address, failure: failure)

    let every = await problems(of: [problem], former: former)
    let named = await problems(of: [problem], former: former, named: [.id(1)])

    #expect(every == [.init(problem: problem, isOfEveryFeed: true, isKnown: isKnown)])
    #expect(named == [.init(problem: problem)])
  }

  @Test(
    arguments: [
      (.status(404), .unchanged, .unchanged, true),
      (.status(404), .updated, .updated, true), (nil, .unchanged, .unchanged, false),
      // It failed again, or it was not due.
      (.status(404), .failed, .failed, false), (.status(404), .unchanged, .failed, false),
    ] as [(Failure?, Feed.Status, Feed.Status, Bool)]
  )
  func `tells when a failure is over`(
    _ former: Failure?,
    _ status: Feed.Status,
    _ stored: Feed.Status,
    _ isTold: Bool
  ) {
    var feed = Feed.astronomy
    if let former { (feed.status, feed.problem) = (.failed, Wording.reason(former)) }
    let failed = FailedFeeds([feed, .secret])
    feed.status = stored
    let summary = FeedSyncSummary(address: feed.address, feed: feed, status: status)

    let told = failed.recovered(summary)

    #expect((told?.id == feed.id) == isTold)
    guard let told else { return }
    let response = SyncFeeds.Notice.Response(notice: .recovered(told))
    #expect(response.presented.endsFailure)
    #expect(response.presented.text == "'\(feed.title ?? "")' answers again")
  }

  @Test(arguments: [0, 1, 3, 4, 6])
  func `names the first feeds that failed before and are not due, and counts the others`(
    number: Int
  ) async {
    let feeds = (0..<6).map { index in
      let isFailed = index < number
      var feed = Feed(id: Int64(index + 1), address: .at("https://a.example/\(index)"))
      feed.status = isFailed ? .failed : .unchanged
      feed.problem = isFailed ? "it is gone" : nil
      feed.nextSync = Self.pause
      return feed
    }
    let facts = feeds.map { feed in
      let status = feed.status ?? .failed
      return SyncFact.feedFinished(.init(address: feed.address, feed: feed, status: status))
    }

    let every = await notices(of: facts, library: LibraryStub(feeds: feeds))
    let named = await notices(of: facts, library: LibraryStub(feeds: feeds), named: [.id(1)])

    let told = feeds.prefix(min(number, 3)).map { feed in
      SyncNotice.stillFailing(
        FeedReference(id: feed.id, address: feed.address, title: nil),
        reason: "it is gone",
        next: Self.pause
      )
    }
    #expect(every == told + (number > 3 ? [.moreFailing(feeds: number - 3)] : []))
    #expect(named == [])
  }

  @Test func `does not name a feed again that this sync has asked`() async {
    var feed = Feed.astronomy
    (feed.status, feed.problem) = (.failed, "it is gone")
    var summary = FeedSyncSummary(address: feed.address, feed: feed, status: .failed)
    summary.problems = [
      SyncProblem(subject: .feed, address: feed.address, failure: .status(404))
    ]
    let library = LibraryStub(feeds: [feed])

    let told = await notices(of: [.feedFinished(summary)], library: library)

    #expect(told == [])
  }

  private static func offline(_ feed: Feed, _ reason: NetworkError.Reason) -> SyncProblem {
    let error = NetworkError(reason: reason, address: feed.address, message: "down")
    return SyncProblem(subject: .feed, address: feed.address, failure: .network(error))
  }

  private let offline = [Feed.astronomy, .secret].map { Self.offline($0, .unreachable) }

  @Test func `tells of a network that is down once, for all feeds`() async {
    let told = await problems(of: offline)

    #expect(
      told == [.init(problem: offline[0], isOfEveryFeed: true, others: [offline[1]])]
    )
    #expect(
      told.first.map { Wording.message($0) }
        == """
        cannot sync 2 feeds: no server can be reached, so there is probably no network — stored \
        data stays as it is
        """
    )
  }

  @Test(arguments: [0, 1, 2])
  func `tells of each feed once a server has answered`(position: Int) async {
    var summary = FeedSyncSummary(address: .at("https://other.example/feed"), status: .unchanged)
    summary.bytes = 200
    var facts = offline.map { SyncFact.problem($0) }
    facts.insert(.feedFinished(summary), at: position)

    let told = await problems(of: facts)

    #expect(told == offline.map { .init(problem: $0, isOfEveryFeed: true) })
  }

  @Test func `a refusal is an answer, and one feed is named`() async {
    let refusal = SyncProblem(subject: .feed, address: Feed.secret.address, failure: .status(404))

    let mixed = await problems(of: [offline[0], refusal])
    let one = await problems(of: [offline[0]])

    #expect(mixed.map(\.problem) == [offline[0], refusal])
    #expect(one == [.init(problem: offline[0], isOfEveryFeed: true)])
  }

  @Test func `a network that has been down for every feed is known`() async {
    let reason = Wording.reason(offline[0].failure)
    var feeds = [Feed.astronomy, .secret]
    for index in feeds.indices { (feeds[index].status, feeds[index].problem) = (.failed, reason) }

    let told = await problems(of: offline.map { .problem($0) }, library: LibraryStub(feeds: feeds))

    #expect(told.map(\.isKnown) == [true])
  }

  private func problems(
    of problems: [SyncProblem],
    former: Failure? = nil,
    named: [FeedArgument] = []
  ) async -> [SyncFeeds.Problem.Response] {
    var feed = Feed.astronomy
    if let former { (feed.status, feed.problem) = (.failed, Wording.reason(former)) }
    let library = LibraryStub(feeds: [feed, .secret])
    return await self.problems(of: problems.map { .problem($0) }, library: library, named: named)
  }

  private func notices(
    of facts: [SyncFact],
    library: LibraryStub,
    named: [FeedArgument] = []
  ) async -> [SyncNotice] {
    await events(of: facts, library: library, named: named).compactMap { event in
      if case .syncNotice(let response) = event { response.notice } else { nil }
    }
  }

  private func problems(
    of facts: [SyncFact],
    library: LibraryStub = LibraryStub(feeds: [.astronomy, .secret]),
    named: [FeedArgument] = []
  ) async -> [SyncFeeds.Problem.Response] {
    await events(of: facts, library: library, named: named).compactMap { event in
      if case .syncProblem(let response) = event { response } else { nil }
    }
  }

  private func events(
    of facts: [SyncFact],
    library: LibraryStub,
    named: [FeedArgument]
  ) async -> [SyncFeedsPresentationSpy.Event] {
    let presenter = SyncFeedsPresentationSpy()
    let interactor = SyncFeedsInteractor(
      presenter: presenter,
      library: library,
      worker: SyncStub(facts + [.ended(.init(isInterrupted: false))]),
      pause: Pauses.never
    )
    await interactor.syncFeeds(request: .init(feeds: named, stop: StopRequest()))
    return presenter.events
  }
}
