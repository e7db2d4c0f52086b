import FoundationEssentials
import Models
package import Workers

/// The requests of the scene.
package protocol SyncFeedsBusinessLogic {
  func syncFeeds(request: SyncFeeds.Start.Request) async
}

/// Syncs feeds, and presents the facts of the sync.
package struct SyncFeedsInteractor: SyncFeedsBusinessLogic {
  /// The names from which the addresses of unknown feeds were guessed, by the identity of the address.
  private typealias Guesses = [String: FeedName]
  /// The ids of the followed feeds when they were last read, by the identities of their addresses.
  private typealias KnownIDs = [String: Int64]

  let presenter: any SyncFeedsPresentationLogic
  let library: any LibraryReading
  let manager: (any LibraryManaging)?
  private let worker: any Syncing
  let settings: [ConfiguredFeed]
  private let tellers: [any NewImageTelling]
  let pause: Pause
  /// The pause of a watch: it fails, so that the watch presents no progress.
  private static let noProgress: Pause = { throw CancellationError() }

  /// Creates the interactor.
  ///
  /// `manager` applies the user's `settings` of feeds. `tellers` announce new images to other programs. `pause` waits
  /// between two presentations of the progress.
  package init(
    presenter: any SyncFeedsPresentationLogic,
    library: any LibraryReading,
    manager: (any LibraryManaging)? = nil,
    worker: any Syncing,
    settings: [ConfiguredFeed] = [],
    tellers: [any NewImageTelling] = [],
    pause: @escaping Pause = tenthOfASecond
  ) {
    self.presenter = presenter
    self.library = library
    self.manager = manager
    self.worker = worker
    self.settings = settings
    self.tellers = tellers
    self.pause = pause
  }

  package func syncFeeds(request: SyncFeeds.Start.Request) async {
    do throws(RequestFailure) {
      var guesses = Guesses()
      var failed = FailedFeeds()
      var plan = request.plan
      if plan.isWatching {
        try await prepareWatch(&plan, until: request.stop)
      } else {
        try await addFeeds(of: request, to: &plan, &guesses, &failed)
        if let former = request.formerGallery {
          try await takeOver(former, at: try await address(of: former, &guesses), in: &plan)
        }
        try await applySettings(to: &plan)
      }
      if plan.originalBytes == nil, !plan.fetchesOriginals, plan.originalsOf.isEmpty {
        plan.originalBytes = SyncPlan.originalBytesForThumbnails
      }
      let followed = request.authorities == nil ? [] : try await followedFeeds()
      await follow(worker.sync(plan), plan, guesses, failed, stop: request.stop)
      if let file = request.authorities { await tell(ofAuthorities: file, addedTo: followed) }
      // The sync may have added feeds that have settings. The next watch applies those that fail now.
      if plan.isWatching {
        try? await applySettings(to: &plan)
      } else {
        try await applySettings(to: &plan)
      }
    } catch .noFeedKnown where request.mayHaveNone {
      presenter.presentEndedSync(response: .init(outcome: .done, isInterrupted: false))
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  // MARK: The feeds to sync

  private func addFeeds(
    of request: SyncFeeds.Start.Request,
    to plan: inout SyncPlan,
    _ guesses: inout Guesses,
    _ failed: inout FailedFeeds
  ) async throws(RequestFailure) {
    if request.feeds.isEmpty { return try await addFollowedFeeds(to: &plan, &failed) }
    // One feed alone takes the place of another.
    let named =
      try await request.formerGallery == nil ? spread(request.feeds) : request.feeds
    plan.feeds = try await addresses(of: named, &guesses)
    plan.piped = Set(request.feeds.compactMap(\.piped))
  }

  /// Plans all followed feeds, beginning with the one whose last sync is the oldest.
  ///
  /// It omits mirrored feeds: they come from their gallery, and their own servers are never asked.
  private func addFollowedFeeds(
    to plan: inout SyncPlan,
    _ failed: inout FailedFeeds
  ) async throws(RequestFailure) {
    let feeds = try await followedFeeds().filter { $0.gallery == nil }
      .sorted { ($0.lastSync ?? .distantPast, $0.id) < ($1.lastSync ?? .distantPast, $1.id) }
    if feeds.isEmpty { throw .noFeedKnown }
    plan.feeds = feeds.map(\.address)
    plan.lists = feeds.filter(\.isList).map(\.address)
    plan.isEveryFeed = true
    failed = FailedFeeds(feeds)
  }

  /// The followed feeds; empty while there is no library.
  func followedFeeds() async throws(RequestFailure) -> [Feed] {
    do throws(RequestFailure) {
      return try await library.feeds(for: .sync)
    } catch .library(let error, _) where error.reason == .noLibrary {
      return []
    }
  }

  /// The addresses that the arguments name, without duplicates.
  private func addresses(
    of arguments: [FeedArgument],
    _ guesses: inout Guesses
  ) async throws(RequestFailure) -> [WebAddress] {
    var addresses: [WebAddress] = []
    var known: Set<String> = []
    for argument in arguments {
      let address = try await address(of: argument, &guesses)
      if known.insert(address.identity).inserted { addresses.append(address) }
    }
    return addresses
  }

  /// The arguments with the followed feeds of each range of ids in its place.
  private func spread(
    _ arguments: [FeedArgument]
  ) async throws(RequestFailure) -> [FeedArgument] {
    guard arguments.contains(where: { $0.idsOfRange != nil }) else { return arguments }
    let feeds = try await followedFeeds()
    return arguments.flatMap { $0.spread(among: feeds) }
  }

  private func address(
    of argument: FeedArgument,
    _ guesses: inout Guesses
  ) async throws(RequestFailure) -> WebAddress {
    switch argument {
    case .address(let address) where address.text.contains("%"):
      // The feed may be stored with the characters that are escaped in the argument.
      return try await followedFeeds().first { $0.has(address) }?.address ?? address
    case .address(let address), .pipe(let address): return address
    case .unusable(let address): throw .unusableAddress(address)
    case .mistyped(let address): throw .mistypedAddress(address)
    case .id: return try argument.feed(of: await followedFeeds()).address
    case .name(let name) where name.isThere: return try await path(of: name)
    case .name(let name):
      let feeds = try await followedFeeds()
      if !argument.meant(of: feeds).isEmpty { return try argument.feed(of: feeds).address }
      let address = name.web ?? name.file
      guesses[address.identity] = name
      return address
    }
  }

  /// The address of a file or folder that is there.
  ///
  /// - Throws: `.titleAndPath` if the name is the title of another followed feed, and so may mean that one.
  private func path(of name: FeedName) async throws(RequestFailure) -> WebAddress {
    guard !name.isSpelledAsPath else { return name.file }
    let meant = FeedArgument.name(name).meant(of: try await followedFeeds())
    guard meant.allSatisfy(name.isPath) else { throw .titleAndPath(name, meant) }
    return name.file
  }

  // MARK: The facts of a sync

  /// Presents all facts of a sync, and its progress in between.
  private func follow(
    _ run: SyncRun,
    _ plan: SyncPlan,
    _ guesses: Guesses,
    _ failed: FailedFeeds,
    stop: StopRequest
  ) async {
    let telling = Telling()
    stop.whenMade {
      run.stop()
      telling.stop()
    }
    var failed = failed
    var tally = SyncTally()
    var told = ToldProblems()
    var known = KnownIDs()
    for await fact in ticking(run.facts, plan.isWatching ? Self.noProgress : pause) {
      if let fact {
        if case .feedFinished(let summary) = fact, plan.isWatching || plan.isEveryFeed,
          let feed = plan.isWatching ? told.recovered(summary) : failed.recovered(summary)
        {
          presenter.presentSyncNotice(response: .init(notice: .recovered(feed)))
        }
        if plan.isWatching, !told.isNews(fact) { continue }
        if plan.isEveryFeed, !plan.isWatching {
          if case .feedFinished(let summary) = fact { failed.noteWaiting(summary) }
          if failed.holds(fact) { continue }
          for response in failed.takeHeld(before: fact) {
            presenter.presentSyncProblem(response: response)
          }
        }
        if case .ended = fact {
          for notice in failed.notices {
            presenter.presentSyncNotice(response: .init(notice: notice))
          }
        }
        await present(fact, of: run, plan, guesses, failed, &known, &tally)
        if case .feedFinished(let summary) = fact, await !tell(of: summary, telling) {
          tally.noteFailure()
        }
        if case .ended = fact { return }
      } else {
        presenter.presentSyncProgress(
          response: .init(snapshot: run.progress.snapshot, isStopping: stop.isMade)
        )
      }
    }
  }

  /// Tells other programs of a feed's new images; it stops when these cannot be read any more.
  ///
  /// - Returns: Whether each program has taken them.
  private func tell(of summary: FeedSyncSummary, _ telling: Telling) async -> Bool {
    var isTold = true
    for teller in tellers {
      var ids = summary.newIDs.lazy.joined().makeIterator()
      while true {
        var page: [Int64] = []
        while page.count < teller.most, let id = ids.next() { page.append(id) }
        guard let images = try? await library.images(ids: page), let feed = images.first?.feed
        else { break }
        guard let reason = await telling.tell(teller, of: images, in: feed) else { continue }
        presenter.presentSyncNotice(response: .init(notice: .notTold(feed, reason: reason)))
        isTold = false
        break
      }
    }
    return isTold
  }

  private func present(
    _ fact: SyncFact,
    of run: SyncRun,
    _ plan: SyncPlan,
    _ guesses: Guesses,
    _ failed: FailedFeeds,
    _ known: inout KnownIDs,
    _ tally: inout SyncTally
  ) async {
    switch fact {
    case .problem(let problem):
      let guess = problem.subject == .feed ? guesses[problem.address.identity] : nil
      let isNew = await isOfNewFeed(problem, plan, &known)
      presenter.presentSyncProblem(
        response: .init(
          problem: problem,
          guessedFrom: guess,
          isOfEveryFeed: plan.isEveryFeed,
          isKnown: failed.isKnown(problem),
          isNew: isNew,
          ids: await ids(of: problem.namedFeeds.filter(\.hasSecrets), &known)
        )
      )
    case .notice(let notice):
      if notice.endsPartly { tally.noteFailure() }
      var response = SyncFeeds.Notice.Response(notice: notice)
      switch notice {
      case .empty(let feed) where feed.hasSecrets: response.ids = await ids(of: [feed], &known)
      case .overlaps(let folder, _, _): response.ids = await ids(of: [folder], &known)
      default: break
      }
      presenter.presentSyncNotice(response: response)
    case .explained(let entries, let feed):
      let isOneOfSeveral = plan.feeds.map(\.identity) != [feed.identity]
      presenter.presentExplainedEntries(
        response: .init(entries: entries, feed: feed, isOneOfSeveral: isOneOfSeveral)
      )
    case .feedFinished(let summary):
      tally.add(summary)
      presenter.presentSyncedFeed(
        response: .init(summary: summary, isExplained: plan.isExplained)
      )
    case .watching(let feeds, let next):
      presenter.presentWatchedFeeds(response: .init(feeds: feeds, next: next))
    case .ended where plan.isWatching:
      presenter.presentEndedSync(response: .init(outcome: .done, isInterrupted: false))
    case .ended(let end): present(end, of: run, plan, tally)
    }
  }

  /// Whether a problem is that of a feed that the library does not have; false while it cannot be read.
  private func isOfNewFeed(
    _ problem: SyncProblem,
    _ plan: SyncPlan,
    _ known: inout KnownIDs
  ) async -> Bool {
    guard problem.subject == .feed, !plan.isEveryFeed else { return false }
    return await followedID(of: problem.address, &known) == .some(nil)
  }

  /// The ids of the feeds at the addresses; none while the library cannot be read.
  private func ids(of addresses: [WebAddress], _ known: inout KnownIDs) async -> [WebAddress: Int64]
  {
    var ids: [WebAddress: Int64] = [:]
    for address in addresses {
      if let id = await followedID(of: address, &known) { ids[address] = id }
    }
    return ids
  }

  /// The id of a followed feed; nil inside for none, and nil while the library cannot be read.
  ///
  /// It reads all feeds only for one that was not there before, because thousands of feeds of a list may fail.
  private func followedID(of address: WebAddress, _ known: inout KnownIDs) async -> Int64?? {
    let identity = address.escaped.identity
    if let id = known[identity] { return id }
    guard let feeds = try? await followedFeeds() else { return nil }
    known = [:]
    for feed in feeds.reversed() {
      for address in [feed.address] + feed.aliases { known[address.escaped.identity] = feed.id }
    }
    return .some(known[identity])
  }

  private func present(_ end: SyncEnd, of run: SyncRun, _ plan: SyncPlan, _ tally: SyncTally) {
    presenter.presentEndedSync(
      response: .init(
        outcome: tally.outcome,
        isInterrupted: end.isInterrupted,
        isDryRun: plan.isDryRun,
        totals: tally.totals(after: run.progress.snapshot.elapsed)
      )
    )
    if let timings = end.timings { presenter.presentTimedSync(response: .init(timings: timings)) }
  }
}

/// The problems of feeds that a watch has reported, so that it reports each problem only when it begins.
private struct ToldProblems {
  private var problems: [String: SyncProblem] = [:]
  /// The failures of pages, which are told at the end of a feed.
  private var pages: [String: [SyncProblem]] = [:]
  /// The flaws of documents and folders, and of the making of thumbnails, which each round would report.
  private var flaws: [String: [SyncProblem]] = [:]

  /// The feed of a summary, if the problem that was reported last is over.
  func recovered(_ summary: FeedSyncSummary) -> FeedReference? {
    guard problems[summary.address.identity] != nil, summary.status != .failed else { return nil }
    return summary.feed.map { FeedReference(id: $0.id, address: $0.address, title: $0.title) }
  }

  /// Whether to report a fact, because it is a change.
  mutating func isNews(_ fact: SyncFact) -> Bool {
    switch fact {
    case .problem(let problem) where problem.subject == .feed:
      return problems.updateValue(problem, forKey: problem.address.identity) != problem
    case .problem(let problem) where Self.isFlaw(problem):
      return !flaws.values.contains { $0.contains(problem) }
    case .feedFinished(let summary):
      if summary.status != .failed { problems[summary.address.identity] = nil }
      note(summary.problems.filter(Self.isFlaw), of: summary)
      let failures = summary.problems.filter { $0.subject == .page }
      let isNew = pages.updateValue(failures, forKey: summary.address.identity) ?? [] != failures
      return summary.hasNews || isNew && !failures.isEmpty
    default: return true
    }
  }

  private static func isFlaw(_ problem: SyncProblem) -> Bool {
    problem.subject == .document || problem.subject == .making
  }

  /// Remembers the flaws of a feed; those of an unchanged document stay, because it is not read.
  private mutating func note(_ found: [SyncProblem], of summary: FeedSyncSummary) {
    let isRead = summary.status == .updated || summary.address.isFolder || !found.isEmpty
    if isRead, summary.status != .failed { flaws[summary.address.identity] = found }
  }
}

extension FeedArgument {
  /// The web address that the argument is or may mean; nil for other arguments.
  var address: WebAddress? {
    switch self {
    case .address(let address): address
    case .name(let name): name.web
    default: nil
    }
  }

  /// The address of a document from a pipe; nil for other arguments.
  fileprivate var piped: WebAddress? {
    if case .pipe(let address) = self { address } else { nil }
  }
}

extension SyncProblem {
  /// The feeds that a hint about the problem names.
  fileprivate var namedFeeds: [WebAddress] {
    guard subject == .feed, case .feed(let error) = failure else { return [] }
    switch error {
    case .gallery(.mirroredFrom(let former)), .gallery(.removals(_, _, let former?)),
      .otherFolder(let former, _, _):
      return [address, former]
    case .gallery: return [address]
    default: return []
    }
  }
}
