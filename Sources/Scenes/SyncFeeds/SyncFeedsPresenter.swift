import Models
import Workers

/// The responses that the interactor presents.
package protocol SyncFeedsPresentationLogic {
  func presentSyncProgress(response: SyncFeeds.Progress.Response)
  func presentSyncProblem(response: SyncFeeds.Problem.Response)
  func presentSyncNotice(response: SyncFeeds.Notice.Response)
  func presentExplainedEntries(response: SyncFeeds.Explained.Response)
  func presentSyncedFeed(response: SyncFeeds.FeedFinished.Response)
  func presentWatchedFeeds(response: SyncFeeds.Watch.Response)
  func presentEndedSync(response: SyncFeeds.Ended.Response)
  func presentTimedSync(response: SyncFeeds.Timed.Response)
  func presentFailure(response: Fail.Response)
}

/// A display of the messages of a sync.
package protocol SyncMessageDisplayLogic {
  func displaySyncProblem(viewModel: SyncFeeds.Problem.ViewModel)
  func displaySyncNotice(viewModel: SyncFeeds.Notice.ViewModel)
}

/// A display for people.
package protocol SyncFeedsDisplayLogic: SyncMessageDisplayLogic {
  func displayProgress(viewModel: Run.Progress.ViewModel)
  func displayExplainedEntries(viewModel: SyncFeeds.Explained.ViewModel)
  func displaySyncedFeed(viewModel: SyncFeeds.FeedFinished.ViewModel)
  func displayWatchedFeeds(viewModel: SyncFeeds.Watch.ViewModel)
  func displayEndedSync(viewModel: SyncFeeds.Ended.ViewModel)
  func displayTimedSync(viewModel: SyncFeeds.Timed.ViewModel)
  func displayFailure(viewModel: Fail.ViewModel)
}

/// Makes text for people.
package final class SyncFeedsPresenter: SyncFeedsPresentationLogic {
  private let display: any SyncFeedsDisplayLogic
  private var meter = ProgressMeter()
  /// The first address that was told with each title.
  private var titled: [String: WebAddress] = [:]

  package init(display: any SyncFeedsDisplayLogic) { self.display = display }

  package func presentSyncProgress(response: SyncFeeds.Progress.Response) {
    let snapshot = response.snapshot
    let line =
      response.isStopping
      ? ProgressLine(fraction: nil, text: Wording.stopping)
      : Wording.progressLine(snapshot, meter.pace(at: snapshot))
    display.displayProgress(viewModel: .init(line: line))
  }

  package func presentSyncProblem(response: SyncFeeds.Problem.Response) {
    guard let problem = response.presented else { return }
    display.displaySyncProblem(viewModel: problem)
  }

  package func presentSyncNotice(response: SyncFeeds.Notice.Response) {
    display.displaySyncNotice(viewModel: response.presented)
  }

  package func presentExplainedEntries(response: SyncFeeds.Explained.Response) {
    let feed = response.isOneOfSeveral ? response.feed : nil
    let entries = response.entries.map { Wording.entry($0, of: feed) }
    display.displayExplainedEntries(viewModel: .init(entries: entries))
  }

  package func presentSyncedFeed(response: SyncFeeds.FeedFinished.Response) {
    for failure in response.summary.failuresToTell {
      display.displaySyncProblem(viewModel: failure)
    }
    // A failed feed has no summary, because its failure was presented as a problem.
    guard response.summary.status != .failed else { return }
    let emptiness = response.isExplained ? Wording.emptiness(response.summary) : nil
    let withAddress = isSecondOfItsTitle(response.summary)
    let text =
      emptiness.map { "\($0)" } ?? Wording.summary(response.summary, withAddress: withAddress)
    display.displaySyncedFeed(viewModel: .init(text: text))
  }

  /// Whether another feed with the same title was told before, so that the title alone does not tell which feed it is.
  private func isSecondOfItsTitle(_ summary: FeedSyncSummary) -> Bool {
    guard let title = summary.feed?.title else { return false }
    let first = titled[title] ?? summary.address
    titled[title] = first
    return first != summary.address
  }

  package func presentWatchedFeeds(response: SyncFeeds.Watch.Response) {
    display.displayWatchedFeeds(viewModel: .init(text: Wording.watch(response)))
  }

  package func presentEndedSync(response: SyncFeeds.Ended.Response) {
    display.displayEndedSync(
      viewModel: .init(
        outcome: response.outcome,
        totals: response.totals.map { Wording.totals($0, isDryRun: response.isDryRun) },
        note: Wording.endOfSync(response)
      )
    )
  }

  package func presentTimedSync(response: SyncFeeds.Timed.Response) {
    let timings = response.timings
    let rows = SyncPhase.allCases.map { phase in
      SyncFeeds.Timed.Row(
        phase: Wording.name(of: phase),
        time: Wording.thousandths(timings[phase]),
        detail: Wording.detail(of: phase, timings.counts)
      )
    }
    let title = Wording.titleOfTimings(timings.whole)
    display.displayTimedSync(viewModel: .init(title: title, rows: rows))
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}

// MARK: Notices and problems, for people and for scripts

extension SyncFeeds.Notice.Response {
  /// The most feeds whose settings are written out.
  private static let mostTables = 3

  var presented: SyncFeeds.Notice.ViewModel {
    let endsFailure = if case .recovered = notice { true } else { false }
    var viewModel = SyncFeeds.Notice.ViewModel(
      text: Wording.notice(notice, ids: ids),
      endsFailure: endsFailure,
      isOfLibrary: notice.isOfLibrary
    )
    if case .trustedOnce(let feeds, let file) = notice {
      viewModel.authorities = file
      // A table with a masked address would be that of no feed.
      let hasTables = feeds.count <= Self.mostTables && !feeds.contains(where: \.hasSecrets)
      viewModel.feeds = hasTables ? feeds.map(\.text) : []
    }
    return viewModel
  }
}

extension SyncFeeds.Problem.Response {
  /// The view model; nil for the problem of a picture or of a page, which is presented at the end of its feed.
  var presented: SyncFeeds.Problem.ViewModel? {
    problem.isOfPicture || problem.isOfPage ? nil : viewModel
  }

  fileprivate var viewModel: SyncFeeds.Problem.ViewModel {
    .init(
      text: Wording.message(self),
      severity: problem.severity,
      details: others.isEmpty
        ? problem.failure.libraryWords.map { ["\($0)"] } ?? []
        : ([problem] + others).map(Wording.detail),
      hint: others.isEmpty ? nil : .showDetails,
      isUntrusted: problem.failure.isUntrusted,
      isKnown: isKnown,
      isOfLibrary: problem.failure.isOfLibrary
    )
  }
}

extension SyncProblem {
  fileprivate var isOfPicture: Bool {
    switch subject {
    case .thumbnail, .madeThumbnail, .original: true
    case .feed, .document, .page, .making: false
    }
  }

  /// Whether it concerns one of the pages or members of a feed, of which there may be thousands.
  fileprivate var isOfPage: Bool {
    switch (subject, failure) {
    case (.page, _), (.document, .flaw): true
    default: false
    }
  }
}

extension FeedSyncSummary {
  private struct Likeness: Hashable {
    var subject: SyncProblem.Subject
    var reason: String
  }

  /// The most problems of one kind that are told one by one.
  private static let most = 3

  /// The problems that are told at the end of the feed: those of its pages, and then those of its pictures.
  var failuresToTell: [SyncFeeds.Problem.ViewModel] { pageFailures + pictureFailures }

  /// The problems of pages: the first ones of each kind, and the number of the others.
  private var pageFailures: [SyncFeeds.Problem.ViewModel] {
    groups(problems.filter(\.isOfPage)).flatMap { alike in
      let rest = alike.dropFirst(Self.most)
      let told = alike.prefix(Self.most).map { SyncFeeds.Problem.Response(problem: $0).viewModel }
      guard let first = rest.first else { return told }
      let more = SyncFeeds.Problem.ViewModel(
        text: Wording.more(rest.count, of: feed?.title ?? address.masked),
        severity: first.severity,
        details: rest.map(Wording.detail),
        hint: .showDetails
      )
      return told + [more]
    }
  }

  /// The problems grouped by their kind and the reason, in the order of the first of each.
  private func groups(_ problems: [SyncProblem]) -> [[SyncProblem]] {
    var order: [Likeness] = []
    var groups: [Likeness: [SyncProblem]] = [:]
    for problem in problems {
      let likeness = Likeness(subject: problem.subject, reason: Wording.reason(problem.failure))
      if groups[likeness] == nil { order.append(likeness) }
      groups[likeness, default: []].append(problem)
    }
    return order.compactMap { groups[$0] }
  }

  /// The failed pictures, grouped by their kind and the reason.
  private var pictureFailures: [SyncFeeds.Problem.ViewModel] {
    groups(problems.filter(\.isOfPicture)).map { alike in
      .init(
        text: Wording.message(alike, of: feed?.title ?? address.masked),
        details: alike.count > 1
          ? alike.map(Wording.detail) : alike.compactMap(\.failure.libraryWords).map { "\($0)" },
        hint: alike.count > 1 ? .showDetails : nil,
        isUntrusted: alike[0].failure.isUntrusted,
        isOfLibrary: alike[0].failure.isOfLibrary
      )
    }
  }
}
