import Models
import Workers

/// The failures of feeds in a sync of every feed: those of earlier syncs, and those without any answer of a server.
struct FailedFeeds {
  /// The reasons for which the last syncs of feeds failed, in words, by the identities of the feeds.
  private var known: [String: String] = [:]
  /// Failures that the user's own network may have caused, until a server has answered.
  private var held: [SyncProblem] = []
  private var hasAnswer = false
  /// The failed feeds that were not asked, because they are not due.
  private var waiting: [Feed] = []
  /// The most of them that are named.
  private static let mostNamed = 3

  init(_ feeds: [Feed] = []) {
    for feed in feeds where feed.status == .failed {
      known[feed.address.identity] = feed.problem ?? ""
    }
  }

  /// Whether the last sync of the feed has told the same failure.
  func isKnown(_ problem: SyncProblem) -> Bool {
    guard problem.subject == .feed, let reason = known[problem.address.identity] else {
      return false
    }
    return Wording.isSameReason(reason, Wording.storedReason(problem.failure))
  }

  /// The feed of a summary, if it was read after its last sync had failed.
  func recovered(_ summary: FeedSyncSummary) -> FeedReference? {
    // A feed that was not due is as it was.
    guard known[summary.address.identity] != nil, summary.status != .failed,
      let feed = summary.feed, feed.status != .failed
    else { return nil }
    return FeedReference(id: feed.id, address: feed.address, title: feed.title)
  }

  /// Notes a feed that failed in an earlier sync, and was not asked now.
  mutating func noteWaiting(_ summary: FeedSyncSummary) {
    guard summary.problems.isEmpty, let feed = summary.feed, feed.status == .failed,
      feed.problem != nil
    else { return }
    waiting.append(feed)
  }

  /// What to tell of these feeds at the end of the sync: the first ones, and the number of the others.
  var notices: [SyncNotice] {
    let named = waiting.prefix(Self.mostNamed).map { feed in
      SyncNotice.stillFailing(
        FeedReference(id: feed.id, address: feed.address, title: feed.title),
        reason: feed.problem ?? "",
        next: feed.nextSync
      )
    }
    let rest = waiting.count - named.count
    return rest > 0 ? named + [.moreFailing(feeds: rest)] : named
  }

  /// Holds a failure back while no server has answered, because all such failures may be one.
  mutating func holds(_ fact: SyncFact) -> Bool {
    switch fact {
    case .problem(let problem) where problem.subject == .feed && problem.address.isWeb:
      guard !hasAnswer, problem.failure.pictureClass == .offline else {
        hasAnswer = true
        return false
      }
      held.append(problem)
      return true
    case .feedFinished(let summary) where summary.address.isWeb && summary.bytes > 0:
      hasAnswer = true
      return false
    default: return false
    }
  }

  /// Removes the failures that were held back, once a server has answered or the sync ends.
  ///
  /// - Returns: One response for all of them if no server has answered, or else one for each.
  mutating func takeHeld(before fact: SyncFact) -> [SyncFeeds.Problem.Response] {
    var hasEnded = false
    if case .ended = fact { hasEnded = true }
    guard hasAnswer || hasEnded, let first = held.first else { return [] }
    defer { held = [] }
    if hasAnswer || held.count == 1 { return held.map { response($0) } }
    var together = response(first)
    together.isKnown = held.allSatisfy(isKnown)
    together.others = Array(held.dropFirst())
    return [together]
  }

  private func response(_ problem: SyncProblem) -> SyncFeeds.Problem.Response {
    .init(problem: problem, isOfEveryFeed: true, isKnown: isKnown(problem))
  }
}
