import FoundationEssentials
import Models
import Workers

/// The names that were taken for addresses of feeds that are not followed, by what they were taken for.
typealias FeedGuesses = [String: FeedName]

/// What a sync is to do, and what it says.
extension ListImagesInteractor {
  func plan(
    of request: ListImages.SyncFeeds.Request,
    feeds: [WebAddress],
    lists: [WebAddress]
  ) -> SyncPlan {
    let usualBudget = request.fetchesOriginals ? nil : SyncLimits.originalBytesForThumbnails
    return SyncPlan(
      feeds: feeds,
      lists: lists,
      piped: Set(request.feeds.compactMap(\.piped)),
      fetchesThumbnails: request.fetchesThumbnails,
      fetchesOriginals: request.fetchesOriginals,
      isForced: request.isForced,
      isEveryFeed: request.feeds.isEmpty,
      retriesFailed: request.retriesFailed,
      isDryRun: request.isDryRun,
      allowsPrivate: request.allowsPrivate,
      bounds: request.hasNoLimits ? .none : FeedBounds(),
      originalBytes: request.budget ?? usualBudget
    )
  }

  /// Tells all that a sync says, to its end: that is what makes its summary true.
  func follow(
    _ run: SyncRun,
    _ plan: SyncPlan,
    _ guesses: FeedGuesses,
    stop: StopRequest
  ) async {
    stop.whenMade { run.stop() }
    presenter.presentStartedSync(response: .init(progress: run.progress, stop: stop))
    var tally = SyncTally()
    for await fact in run.facts {
      switch fact {
      case .problem(let problem):
        let guess = problem.subject == .feed ? guesses[problem.address.identity] : nil
        presenter.presentSyncProblem(
          response: .init(
            problem: problem,
            guessedFrom: guess,
            isOfEveryFeed: plan.isEveryFeed
          )
        )
      case .notice(let notice):
        presenter.presentSyncNotice(response: .init(notice: notice))
      case .feedFinished(let summary):
        tally.add(summary)
        presenter.presentSyncedFeed(response: .init(summary: summary))
      case .ended(let end):
        presenter.presentEndedSync(
          response: .init(
            outcome: tally.outcome,
            isInterrupted: end.isInterrupted,
            isDryRun: plan.isDryRun,
            totals: tally.totals(after: run.progress.snapshot.elapsed)
          )
        )
        if let timings = end.timings {
          presenter.presentTimedSync(response: .init(timings: timings))
        }
      }
    }
  }

  /// All that are followed, those first that were not asked for the longest; and the lists among them.
  func followedFeeds(_ lists: inout [WebAddress]) throws(RequestFailure) -> [WebAddress] {
    let feeds = try followedFeeds(for: .sync)
      .sorted { ($0.lastSync ?? .distantPast, $0.id) < ($1.lastSync ?? .distantPast, $1.id) }
    if feeds.isEmpty { throw .noFeedKnown }
    lists = feeds.filter(\.isList).map(\.address)
    return feeds.map(\.address)
  }

  /// The addresses that are meant, each once.
  func addresses(
    of arguments: [FeedArgument],
    _ guesses: inout FeedGuesses
  ) throws(RequestFailure) -> [WebAddress] {
    var addresses: [WebAddress] = []
    var known: Set<String> = []
    for argument in arguments {
      let address = try address(of: argument, &guesses)
      if known.insert(address.identity).inserted { addresses.append(address) }
    }
    return addresses
  }

  private func address(
    of argument: FeedArgument,
    _ guesses: inout FeedGuesses
  ) throws(RequestFailure) -> WebAddress {
    switch argument {
    case .address(let address), .pipe(let address): return address
    case .unusable(let address): throw .unusableAddress(address)
    case .id: return try feed(named: argument, for: .sync).address
    case .name(let name) where name.isThere: return name.file
    case .name(let name):
      let feeds = try followedFeeds(for: .sync)
      if !argument.meant(of: feeds).isEmpty { return try argument.feed(of: feeds).address }
      let address = name.web ?? name.file
      guesses[address.identity] = name
      return address
    }
  }
}

extension FeedArgument {
  /// The address of a document that is to be read from a pipe; nil for all else.
  fileprivate var piped: WebAddress? {
    if case .pipe(let address) = self { address } else { nil }
  }
}
