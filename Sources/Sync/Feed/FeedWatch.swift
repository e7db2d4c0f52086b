import FoundationEssentials
import Models
import Workers

/// A sync that runs until it is stopped, and requests each feed when it is due.
///
/// Feeds that are due together form a round. A slow feed does not delay the others.
struct FeedWatch {
  let worker: SyncWorker
  let plan: SyncPlan
  let tools: SyncTools
  let teller: AsyncStream<SyncFact>.Continuation
  private let agenda = Locked(WatchAgenda())
  private let readers = AsyncSemaphore(permits: SyncLimits.feedsReadAtOnce)
  /// Lets one round at a time fill in colour grids and export.
  private let completing = AsyncSemaphore()

  func run() async {
    agenda.withLock { $0.hearsHubs = plan.hearsHubs }
    await withTaskGroup(of: Bool.self) { group in
      while !Task.isCancelled {
        // If the library cannot be read now, the next pass of the loop reads it again.
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
        // Wait until the pause is over, even if rounds end before.
        while let isOver = await group.next(), !isOver {}
      }
    }
  }

  /// Syncs the feeds of one round; a feed can be due again before the others of its round are done.
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

/// The feeds that a watch is asking, and the times when others are due.
struct WatchAgenda {
  /// The most seconds between two reads of the library, where other processes add feeds and change due times.
  static let longestPause = 60.0

  /// All feeds that are followed.
  var feeds: [Feed] = []
  /// Whether hubs tell this process of changes, so that it requests feeds less often.
  var hearsHubs = false
  private var running: Set<Int64> = []
  /// When each feed was last begun; a feed whose end could not be noted is not requested again at once.
  private var begun: [Int64: Date] = [:]

  /// The number of feeds that the watch asks.
  var count: Int { feeds.count(where: \.isWatched) }

  /// The earliest time at which a feed that is not being asked is due; nil if there is no such time.
  ///
  /// A feed to ask at once has no time.
  var next: Date? { waiting.compactMap { time(of: $0) }.min() }

  private var waiting: [Feed] { feeds.filter { $0.isWatched && !running.contains($0.id) } }

  /// The time when a feed is due.
  ///
  /// A hub may have sent deliveries while no process received them, so the first request follows the usual schedule.
  private func time(of feed: Feed) -> Date? {
    hearsHubs && begun[feed.id] != nil ? feed.dueBesideHub : feed.due
  }

  /// Begins the feeds that are due; the feed that has waited longest comes first.
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

  /// The time until the next feed is due: at least a second, and at most `longestPause`.
  func pause(at now: Date) -> Duration {
    let wait = next.map { $0.timeIntervalSince(now) } ?? Self.longestPause
    return .seconds(min(max(wait, 1), Self.longestPause))
  }
}
