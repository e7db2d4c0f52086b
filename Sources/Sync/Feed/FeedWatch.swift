import FoundationEssentials
import Models
import Workers

/// A sync that goes on until it is stopped: it asks each feed when it is due.
///
/// Feeds that are due together are a round. A feed that takes long holds up no other.
struct FeedWatch {
  let worker: SyncWorker
  let plan: SyncPlan
  let tools: SyncTools
  let teller: AsyncStream<SyncFact>.Continuation
  private let agenda = Locked(WatchAgenda())
  private let readers = AsyncSemaphore(permits: SyncLimits.feedsReadAtOnce)
  /// Lets one round at a time fill colours and export.
  private let completing = AsyncSemaphore()

  func run() async {
    agenda.withLock { $0.hearsHubs = plan.hearsHubs }
    await withTaskGroup(of: Bool.self) { group in
      while !Task.isCancelled {
        // A library that cannot be read now is looked at again.
        let feeds = try? await tools.store.feeds()
        let now = tools.now()
        let (due, lists, count, next, pause) = agenda.withLock { agenda in
          if let feeds { agenda.feeds = feeds }
          let due = agenda.begin(at: now)
          let lists = agenda.feeds.filter(\.isList).map(\.address)
          return (due, lists, agenda.count, agenda.next, agenda.pause(at: now))
        }
        if !due.isEmpty {
          group.addTask {
            await round(of: due, lists: lists)
            return false
          }
        }
        teller.yield(.watching(feeds: count, next: next))
        group.addTask {
          try? await tools.pause(pause)
          return true
        }
        // Until the pause is over, whatever rounds end meanwhile.
        while let isOver = await group.next(), !isOver {}
      }
    }
  }

  /// A feed can be due again before the others of its round are done.
  private func round(of feeds: [Feed], lists: [WebAddress]) async {
    var plan = plan
    (plan.feeds, plan.lists) = (feeds.map(\.address), lists)
    let progress = SyncProgress()
    let ids = Dictionary(feeds.map { ($0.address, $0.id) }) { first, _ in first }
    let shared = SharedSync(plan, progress, teller: teller, readers: readers) { [agenda] address in
      if let id = ids[address] { agenda.withLock { $0.end([id]) } }
    }
    await worker.syncFeeds(plan, shared)
    guard shared.hasNews.withLock({ $0 }) else { return }
    await completing.wait()
    defer { completing.signal() }
    await worker.complete(plan, progress, teller)
  }
}

/// Which feeds a watch is asking, and which come next.
struct WatchAgenda {
  /// The most seconds between two looks at the library, where other processes add feeds and change when they are due.
  static let longestPause = 60.0

  /// All that are followed.
  var feeds: [Feed] = []
  /// Whether hubs tell this process of changes, so that it asks less often.
  var hearsHubs = false
  private var running: Set<Int64> = []
  /// When each was begun last: one whose end could not be noted is not asked again at once.
  private var begun: [Int64: Date] = [:]

  /// How many feeds are asked at all.
  var count: Int { feeds.count(where: \.isWatched) }

  /// When the first of those that are not being asked is due; nil for none, and for one that is due now.
  var next: Date? { waiting.compactMap { time(of: $0) }.min() }

  private var waiting: [Feed] { feeds.filter { $0.isWatched && !running.contains($0.id) } }

  /// When a feed is due.
  ///
  /// A hub may have told of changes while no process heard it, so the first question is as usual.
  private func time(of feed: Feed) -> Date? {
    hearsHubs && begun[feed.id] != nil ? feed.dueBesideHub : feed.due
  }

  /// Begins those that are due, the one that has waited longest first.
  mutating func begin(at now: Date) -> [Feed] {
    let due = waiting.filter { feed in
      let rest = begun[feed.id].map { now.timeIntervalSince($0) } ?? .infinity
      return feed.isDue(time(of: feed), at: now) && (rest >= Self.longestPause || rest < 0)
    }
    for feed in due {
      running.insert(feed.id)
      begun[feed.id] = now
    }
    return due.sorted { ($0.due ?? .distantPast, $0.id) < ($1.due ?? .distantPast, $1.id) }
  }

  mutating func end(_ ids: [Int64]) { running.subtract(ids) }

  /// Until the next is due, and at least a second.
  func pause(at now: Date) -> Duration {
    let wait = next.map { $0.timeIntervalSince(now) } ?? Self.longestPause
    return .seconds(min(max(wait, 1), Self.longestPause))
  }
}
