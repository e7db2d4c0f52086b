package import Models
package import Workers

/// The sums of all feeds of one sync.
package struct SyncTally: Equatable, Sendable {
  package private(set) var feeds: [Feed.Status: Int] = [:]
  package private(set) var images = ImageCounts()
  package private(set) var thumbnails = TransferCounts()
  package private(set) var originals = TransferCounts()
  /// Bytes that came over the wire.
  package private(set) var bytes = 0
  /// How long the sync took; zero while it is under way.
  package private(set) var duration = Duration.zero
  private var hasFailures = false

  package init() {}

  package mutating func add(_ summary: FeedSyncSummary) {
    feeds[summary.status, default: 0] += 1
    images.total += summary.images.total
    images.new += summary.images.new
    images.changed += summary.images.changed
    images.gone += summary.images.gone
    thumbnails.add(summary.thumbnails)
    originals.add(summary.originals)
    bytes += summary.bytes
    if summary.problems.contains(where: { $0.severity == .failure }) { hasFailures = true }
  }

  package var feedCount: Int { feeds.values.reduce(0, +) }

  /// The sums at the end; nil when there are not several feeds.
  package func totals(after duration: Duration) -> SyncTally? {
    guard feedCount > 1 else { return nil }
    var totals = self
    totals.duration = duration
    return totals
  }

  /// Failed when every feed failed; partly when anything did.
  ///
  /// A document that could be read past its faults has not failed.
  var outcome: Outcome {
    let failed = feeds[.failed] ?? 0
    if failed > 0, failed == feedCount { return .failed }
    return hasFailures || failed > 0 ? .partly : .done
  }
}

extension TransferCounts {
  /// Adds the numbers; each feed says itself why its pictures wait.
  fileprivate mutating func add(_ other: TransferCounts) {
    stored += other.stored
    failed += other.failed
    waiting += other.waiting
    waitingBytes += other.waitingBytes
  }
}

extension SyncFeeds.Problem.Response {
  /// The view model; nil for a picture, whose problem follows at the end of its feed.
  var presented: SyncFeeds.Problem.ViewModel? {
    if problem.isOfPicture { return nil }
    return .init(
      text: Wording.message(self),
      severity: problem.severity,
      details: problem.failure.libraryWords.map { ["\($0)"] } ?? [],
      isUntrusted: problem.failure.isUntrusted
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
}

extension FeedSyncSummary {
  private struct Likeness: Hashable {
    var subject: SyncProblem.Subject
    var reason: String
  }

  /// The pictures that failed, together those that failed for the same reason.
  var pictureFailures: [SyncFeeds.Problem.ViewModel] {
    var order: [Likeness] = []
    var groups: [Likeness: [SyncProblem]] = [:]
    for problem in problems where problem.isOfPicture {
      let likeness = Likeness(subject: problem.subject, reason: Wording.reason(problem.failure))
      if groups[likeness] == nil { order.append(likeness) }
      groups[likeness, default: []].append(problem)
    }
    return order.compactMap { groups[$0] }.map { alike in
      .init(
        text: Wording.message(alike, of: feed?.title ?? address.masked),
        details: alike.count > 1
          ? alike.map(Wording.detail) : alike.compactMap(\.failure.libraryWords).map { "\($0)" },
        hint: alike.count > 1 ? .showDetails : nil,
        isUntrusted: alike[0].failure.isUntrusted
      )
    }
  }
}
