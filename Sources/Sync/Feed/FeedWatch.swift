import FoundationEssentials
import Models
import Workers

/// A sync that runs until it is stopped, and requests each feed when it is due.
///
/// Feeds that are due together form a round. A slow feed does not delay the others. A folder of pictures is also due when
/// something has changed in it.
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
    // Each element is a reason to look at the agenda again.
    let (wakes, waker) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let watcher = tools.watchFolders.map { make in
      make { [agenda, now = tools.now] folder in
        if agenda.withLock({ $0.noteChange(in: folder, at: now()) }) { waker.yield() }
      }
    }
    agenda.withLock { agenda in
      agenda.hearsHubs = plan.hearsHubs
      agenda.watchesFolders = watcher != nil
    }
    await withDiscardingTaskGroup { group in
      var wake = wakes.makeAsyncIterator()
      while !Task.isCancelled {
        // If the library cannot be read now, the next pass of the loop reads it again.
        let feeds = try? await tools.store.feeds()
        if let feeds { agenda.withLock { $0.feeds = feeds } }
        if let watcher { watchFolders(with: watcher, waker, in: &group) }
        let now = tools.now()
        let (due, lists, count, next, pause) = agenda.withLock { agenda in
          let due = agenda.begin(at: now)
          let lists = agenda.feeds.filter(\.isList).map(\.address)
          return (due, lists, agenda.count, agenda.next, agenda.pause(at: now))
        }
        if !due.isEmpty { group.addTask { await round(of: due, lists: lists, waker) } }
        teller.yield(.watching(feeds: count, next: next))
        let waiting = Task {
          if (try? await tools.pause(pause)) != nil { waker.yield() }
        }
        await wake.next()
        waiting.cancel()
      }
    }
  }

  /// Watches the folders that are followed now, and no others.
  private func watchFolders(
    with watcher: any FolderWatching,
    _ waker: AsyncStream<Void>.Continuation,
    in group: inout DiscardingTaskGroup
  ) {
    let (wanted, dropped) = agenda.withLock { $0.takeFolders() }
    for folder in dropped { watcher.unwatch(folder) }
    for folder in wanted {
      group.addTask {
        let status = await watcher.watch(folder)
        let (problem, isNews) = agenda.withLock { agenda in
          (agenda.problem(in: status, of: folder), agenda.take(status, of: folder, at: tools.now()))
        }
        if let problem { teller.yield(.notice(.unwatched(folder: folder, problem))) }
        if isNews { waker.yield() }
      }
    }
  }

  /// Syncs the feeds of one round; a feed can be due again before the others of its round are done.
  private func round(
    of feeds: [Feed],
    lists: [WebAddress],
    _ waker: AsyncStream<Void>.Continuation
  ) async {
    var plan = plan
    (plan.feeds, plan.lists) = (feeds.map(\.address), lists)
    plan.changedFolders = agenda.withLock { $0.changed }
    let progress = SyncProgress()
    let ids = Dictionary(feeds.map { ($0.address, $0.id) }) { first, _ in first }
    let shared = SharedSync(plan, progress, teller: teller, readers: readers) {
      [agenda, now = tools.now] address, isLocked in
      guard let id = ids[address] else { return }
      let isDue = agenda.withLock { agenda in
        agenda.end([id])
        return agenda.endChange(of: address, isLocked: isLocked, at: now())
      }
      if isDue { waker.yield() }
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
  /// Whether a program tells of changes in folders.
  var watchesFolders = false
  /// The folders that are being synced because something has changed in them.
  private(set) var changed: Set<WebAddress> = []
  private var folders: [WebAddress: Folder] = [:]
  private var running: Set<Int64> = []
  /// When each feed was last begun; a feed whose end could not be noted is not requested again at once.
  private var begun: [Int64: Date] = [:]

  /// The number of feeds that the watch asks.
  var count: Int { feeds.count(where: \.isWatched) }

  /// The earliest time at which a feed that is not being asked is due; nil if there is no such time.
  ///
  /// A feed to ask at once has no time.
  var next: Date? { waiting.compactMap { time(of: $0) }.min() }

  /// A folder waits first until it is watched, so that no change after the listing is missed.
  private var waiting: [Feed] {
    feeds.filter { feed in
      guard feed.isWatched, !running.contains(feed.id) else { return false }
      return !watchesFolders || !feed.isOwnFolder || folders[feed.address]?.isKnown == true
    }
  }

  /// The time when a feed is due.
  ///
  /// A hub may have sent deliveries while no process received them, so the first request follows the usual schedule.
  private func time(of feed: Feed) -> Date? {
    if folders[feed.address]?.isWatched == true { return feed.dueWhileWatched }
    return hearsHubs && begun[feed.id] != nil ? feed.dueBesideHub : feed.due
  }

  /// Begins the feeds that are due; the feed that has waited longest comes first.
  mutating func begin(at now: Date) -> [Feed] {
    let due = waiting.filter { feed in
      if folders[feed.address]?.change?.isDue(at: now) == true { return true }
      let rest = begun[feed.id].map { now.timeIntervalSince($0) } ?? .infinity
      return feed.isDue(time(of: feed), at: now) && (rest >= Self.longestPause || rest < 0)
    }
    for feed in due {
      running.insert(feed.id)
      begun[feed.id] = now
      if folders[feed.address]?.change != nil {
        folders[feed.address]?.change = nil
        changed.insert(feed.address)
      }
    }
    return due.sorted { ($0.due ?? .distantPast, $0.id) < ($1.due ?? .distantPast, $1.id) }
  }

  mutating func end(_ ids: [Int64]) { running.subtract(ids) }

  /// The time until the next feed is due: at least a second unless a folder has changed, and at most `longestPause`.
  func pause(at now: Date) -> Duration {
    let wait = next.map { $0.timeIntervalSince(now) } ?? Self.longestPause
    let settling = waiting.compactMap { folders[$0.address]?.change?.wait(at: now) }.min()
    return .seconds(min(max(wait, 1), settling ?? Self.longestPause, Self.longestPause))
  }
}

/// Folders of pictures, which are due when something has changed in them.
extension WatchAgenda {
  /// Changes in a folder that no sync has seen.
  ///
  /// A camera card of many files is one sync: a second after the last change, or half a minute after the first.
  fileprivate struct FolderChange {
    private static let quiet = 1.0
    private static let longest = 30.0
    private static let shortestWait = 0.05

    let first: Date
    var last: Date

    private func seconds(until now: Date) -> Double {
      min(last + Self.quiet, first + Self.longest).timeIntervalSince(now)
    }

    /// A time that is too far away comes from a clock that was set back.
    func isDue(at now: Date) -> Bool {
      let wait = seconds(until: now)
      return wait <= 0 || wait > Self.longest
    }

    func wait(at now: Date) -> Double { max(seconds(until: now), Self.shortestWait) }

    /// One that is due at once.
    static func before(_ now: Date) -> Self { Self(first: now - longest, last: now - quiet) }
  }

  fileprivate struct Folder {
    /// Whether its watch is being made or checked.
    var isChecking = true
    /// Whether it is known if the folder can be watched.
    var isKnown = false
    var isWatched = false
    /// The last reason why it cannot be watched.
    var problem: FolderWatchProblem?
    var change: FolderChange?
  }

  /// The seconds after which a changed folder is due again that another process was syncing.
  private static let lockedWait = 4.0

  /// The folders to watch whose watches are not being checked, and those that are not followed any more.
  mutating func takeFolders() -> (wanted: [WebAddress], dropped: [WebAddress]) {
    let followed = Set(feeds.filter { $0.isWatched && $0.isOwnFolder }.map(\.address))
    let dropped = folders.keys.filter { !followed.contains($0) }
    for folder in dropped { folders[folder] = nil }
    let wanted = followed.filter { folders[$0]?.isChecking != true }
    for folder in wanted { folders[folder, default: Folder()].isChecking = true }
    return (Array(wanted), dropped)
  }

  /// The reason why a folder is not watched, unless it was the same before.
  func problem(in status: FolderWatchStatus, of folder: WebAddress) -> FolderWatchProblem? {
    guard case .unwatched(let problem) = status else { return nil }
    return folders[folder]?.problem == problem ? nil : problem
  }

  /// Takes over whether a folder is watched; returns whether that changes when it is due.
  mutating func take(_ status: FolderWatchStatus, of folder: WebAddress, at now: Date) -> Bool {
    guard var state = folders[folder] else { return false }
    let before = (state.isKnown, state.isWatched)
    (state.isChecking, state.isKnown, state.isWatched) = (false, true, false)
    var isNew = false
    switch status {
    case .watched(let new): (state.isWatched, isNew) = (true, new)
    case .missing: break
    case .unwatched(let problem): state.problem = problem
    }
    if isNew { state.change = .before(now) }
    folders[folder] = state
    return isNew || before != (state.isKnown, state.isWatched)
  }

  /// Notes a change; returns whether the folder had none before that waits.
  mutating func noteChange(in folder: WebAddress, at now: Date) -> Bool {
    guard folders[folder] != nil else { return false }
    let first = folders[folder]?.change?.first
    folders[folder]?.change = FolderChange(first: first ?? now, last: now)
    return first == nil
  }

  /// Ends the sync of a folder; returns whether it has changed since.
  mutating func endChange(of folder: WebAddress, isLocked: Bool, at now: Date) -> Bool {
    let hadChanged = changed.remove(folder) != nil
    if isLocked, hadChanged, folders[folder] != nil {
      let later = now + Self.lockedWait
      folders[folder]?.change = FolderChange(first: later, last: later)
    }
    return folders[folder]?.change != nil
  }
}
