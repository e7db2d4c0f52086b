import Composition
import Scenes
import Web
import Workers

/// Syncs that requests have asked for, and those of a fixed schedule, one at a time; beside them the watch, which asks
/// each feed when it is due.
actor SyncJobs {
  enum State: String, Sendable { case waiting, running, done, failed }

  /// How far a job is.
  struct Status: Sendable, Equatable {
    var id: Int
    var state = State.waiting
    /// Feeds that have ended.
    var ended = 0
    /// The part that is done, from 0 to 1; nil while the whole is unknown.
    var progress: Double?
    /// One line for people.
    var text = ""
    /// What was said of the feed that ended last.
    var lastFeed = ""
    var problems: [String] = []
  }

  private struct Job {
    var status: Locked<Status>
    var stop: StopRequest
  }

  private let root: CompositionRoot
  private let colours: ColourFill
  private var jobs: [Int: Job] = [:]
  private var last = 0
  private var tail: Task<Void, Never>?
  private var watch: (job: Job, task: Task<Void, Never>)?
  private var isClosed = false

  init(_ root: CompositionRoot, _ colours: ColourFill) {
    self.root = root
    self.colours = colours
  }

  /// Begins a sync once those before have ended.
  ///
  /// - Parameters:
  ///   - feeds: The feeds; empty for all that are followed.
  ///   - plan: How to sync them.
  /// - Returns: The number of the job; nil when the server is ending.
  func start(_ feeds: [FeedArgument], _ plan: SyncPlan = SyncPlan(feeds: [])) -> Int? {
    guard !isClosed else { return nil }
    last += 1
    let job = Job(status: Locked(Status(id: last)), stop: StopRequest())
    jobs[last] = job
    jobs[last - Limits.endedJobs] = nil
    let before = tail
    tail = Task { [root, colours] in
      await before?.value
      guard !job.stop.isMade else { return job.status.withLock { $0.state = .failed } }
      await Self.run(job, feeds, plan, root)
      await colours.start()
    }
    return last
  }

  /// Syncs feeds as `start` does, and waits for the end.
  func run(_ feeds: [FeedArgument]) async {
    guard start(feeds) != nil else { return }
    await tail?.value
  }

  /// Asks each feed when it is due, until `close`; `hearsHubs` as in `SyncPlan`.
  func startWatch(hearsHubs: Bool) {
    guard !isClosed, watch == nil else { return }
    let job = Job(status: Locked(Status(id: 0)), stop: StopRequest())
    var plan = SyncPlan(feeds: [])
    plan.isWatching = true
    plan.hearsHubs = hearsHubs
    watch = (job, Task { [root] in await Self.run(job, [], plan, root) })
  }

  func status(of id: Int) -> Status? { jobs[id]?.status.withLock { $0 } }

  var counts: (running: Int, ended: Int) {
    let states = jobs.values.map { $0.status.withLock { $0.state } }
    let ended = states.count { $0 == .done || $0 == .failed }
    return (states.count - ended, ended)
  }

  /// Stops all as Ctrl-C stops a sync, and waits for their ends: what has come is stored.
  func close() async {
    isClosed = true
    for job in jobs.values { job.stop.make() }
    watch?.job.stop.make()
    await tail?.value
    await watch?.task.value
  }

  private static func run(
    _ job: Job,
    _ feeds: [FeedArgument],
    _ plan: SyncPlan,
    _ root: CompositionRoot
  ) async {
    job.status.withLock { $0.state = .running }
    let display = SyncJobDisplay(job.status)
    let interactor = root.syncFeeds(presenter: SyncFeedsPresenter(display: display))
    await interactor.syncFeeds(request: .init(feeds: feeds, plan: plan, stop: job.stop))
    job.status.withLock { status in
      if status.state == .running { status.state = .done }
    }
  }
}

/// The display of the scene that syncs feeds: keeps the status of a job.
private struct SyncJobDisplay: SyncFeedsDisplayLogic {
  /// The most problems that a status tells.
  private static let mostProblems = 100

  private let status: Locked<SyncJobs.Status>

  init(_ status: Locked<SyncJobs.Status>) { self.status = status }

  func displayProgress(viewModel: Run.Progress.ViewModel) {
    status.withLock { status in
      status.text = viewModel.line.text
      status.progress = viewModel.line.fraction
    }
  }

  func displaySyncProblem(viewModel: SyncFeeds.Problem.ViewModel) {
    guard viewModel.severity == .failure else { return }
    status.withLock { status in
      if status.problems.count < Self.mostProblems {
        status.problems.append(viewModel.text.webText)
      }
    }
  }

  func displaySyncNotice(viewModel: SyncFeeds.Notice.ViewModel) {
    status.withLock { $0.text = viewModel.text.webText }
  }

  /// No job asks for reasons.
  func displayExplainedEntries(viewModel: SyncFeeds.Explained.ViewModel) {}

  func displaySyncedFeed(viewModel: SyncFeeds.FeedFinished.ViewModel) {
    status.withLock { status in
      status.ended += 1
      status.text = viewModel.text.webText
      status.lastFeed = status.text
    }
  }

  func displayEndedSync(viewModel: SyncFeeds.Ended.ViewModel) {
    status.withLock { status in
      status.state = viewModel.outcome == .failed ? .failed : .done
      // A sync of one feed has no totals; progress may have come after what was said of it.
      let said = status.lastFeed.isEmpty ? status.text : status.lastFeed
      status.text = viewModel.totals ?? viewModel.note ?? said
    }
  }

  func displayWatchedFeeds(viewModel: SyncFeeds.Watch.ViewModel) {}

  func displayTimedSync(viewModel: SyncFeeds.Timed.ViewModel) {}

  func displayFailure(viewModel: Fail.ViewModel) {
    status.withLock { status in
      status.state = .failed
      status.text = viewModel.message.webText
      status.problems.append(viewModel.message.webText)
    }
  }
}

/// Gives stored thumbnails their colours while the server runs: from its start, after each sync, and when a browser
/// asks for some that have none.
///
/// It ends when all have theirs.
actor ColourFill {
  private let root: CompositionRoot
  private var task: Task<Void, Never>?
  private var isClosed = false

  init(_ root: CompositionRoot) { self.root = root }

  /// Begins, unless it is under way.
  func start() {
    guard task == nil, !isClosed else { return }
    task = Task {
      // Without a decoder every other attempt would fail likewise.
      if await !root.fillColours(pause: Limits.colourPause) { isClosed = true }
      task = nil
    }
  }

  func close() async {
    isClosed = true
    task?.cancel()
    await task?.value
  }
}
