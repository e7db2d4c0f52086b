import Models
import Workers

/// What a sync is to do, and what it says.
extension ListImagesInteractor {
  func plan(
    of request: ListImages.SyncFeeds.Request,
    feeds: [WebAddress]
  ) -> SyncPlan {
    let usualBudget = request.fetchesOriginals ? nil : SyncLimits.originalBytesForThumbnails
    return SyncPlan(
      feeds: feeds,
      fetchesThumbnails: request.fetchesThumbnails,
      fetchesOriginals: request.fetchesOriginals,
      isForced: request.isForced,
      isEveryFeed: request.feeds.isEmpty,
      retriesFailed: request.retriesFailed,
      isDryRun: request.isDryRun,
      allowsPrivate: request.allowsPrivate,
      originalBytes: request.budget ?? usualBudget
    )
  }

  /// Tells all that a sync says, to its end: that is what makes its summary true.
  func follow(_ run: SyncRun, _ plan: SyncPlan, stop: StopRequest) async {
    stop.whenMade { run.stop() }
    presenter.presentStartedSync(response: .init(progress: run.progress, stop: stop))
    var tally = SyncTally()
    for await fact in run.facts {
      switch fact {
      case .problem(let problem):
        presenter.presentSyncProblem(response: .init(problem: problem))
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
            isDryRun: plan.isDryRun
          )
        )
        if let timings = end.timings {
          presenter.presentTimedSync(response: .init(timings: timings))
        }
      }
    }
  }

  /// The addresses that are meant, each once.
  func addresses(of arguments: [FeedArgument]) throws(RequestFailure) -> [WebAddress] {
    var addresses: [WebAddress] = []
    if arguments.isEmpty {
      addresses = try followedFeeds(for: .sync).map(\.address)
      if addresses.isEmpty { throw .noFeedKnown }
    }
    for argument in arguments {
      let address = try address(of: argument)
      if !addresses.contains(address) { addresses.append(address) }
    }
    return addresses
  }

  private func address(of argument: FeedArgument) throws(RequestFailure) -> WebAddress {
    switch argument {
    case .address(let address): return address
    case .unusable(let scheme): throw .unusableScheme(scheme)
    case .id: return try feed(named: argument, for: .sync).address
    }
  }
}
