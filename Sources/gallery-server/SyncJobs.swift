import Composition
import Logging
import Scenes
import Web
import Workers

/// Syncs that requests or a fixed schedule have started.
///
/// Those of the same feeds run one after another, and all others at once: a feed whose server hangs holds up no other
/// feed. A sync waits at a feed that another sync is reading.
///
/// Independently of them, the watch asks each feed when it is due.
actor SyncJobs {
  enum State: String, Sendable { case waiting, running, done, failed }

  /// The status of a job.
  struct Status: Sendable, Equatable {
    var id: Int
    var state = State.waiting
    /// The number of feeds whose sync has ended.
    var ended = 0
    /// The finished fraction, from 0 to 1; nil while the total is unknown.
    var progress: Double?
    /// One line of text for people.
    var text = ""
    /// The line about the last feed whose sync has ended.
    var lastFeed = ""
    var problems: [String] = []
  }

  private struct Job {
    var status: Locked<Status>
    var stop: StopRequest

    var hasEnded: Bool {
      status.withLock { $0.state == .done || $0.state == .failed }
    }
  }

  private let root: CompositionRoot
  private let colours: ColourFill
  private var jobs: [Int: Job] = [:]
  private var last = 0
  /// The last job of the schedule.
  private var scheduled: Int?
  /// The last job of each set of feeds.
  private var tails: [String: (id: Int, task: Task<Void, Never>)] = [:]
  private var watch: (job: Job, task: Task<Void, Never>)?
  private var isClosed = false
  /// The syncs of each token that have not ended.
  private let queued = ClientLimit<String>(each: Limits.syncsPerToken, all: Limits.syncs)

  init(_ root: CompositionRoot, _ colours: ColourFill) {
    self.root = root
    self.colours = colours
  }

  /// Starts a sync that a token has requested, after all earlier syncs of the same feeds have ended.
  ///
  /// - Parameters:
  ///   - feeds: The feeds; empty for all followed feeds.
  ///   - plan: How to sync them.
  ///   - token: The name of the token.
  /// - Returns: The number of the job.
  /// - Throws: when too many syncs are queued, or the server is shutting down.
  func start(
    _ feeds: [FeedArgument],
    _ plan: SyncPlan = SyncPlan(feeds: []),
    for token: String
  ) throws(WebProblem) -> Int {
    let ending = WebProblem(status: 503, title: "The server is ending")
    if isClosed { throw ending }
    let share = try queued.take(for: token, orRefuse: "syncs", again: Limits.syncRetrySeconds)
    guard let id = start(feeds, plan, holding: share) else { throw ending }
    return id
  }

  /// Starts a sync of all followed feeds for the schedule, unless the one before it has not ended.
  func startScheduled() {
    if let scheduled, jobs[scheduled]?.hasEnded == false { return }
    scheduled = start([], SyncPlan(feeds: []))
  }

  private func start(
    _ feeds: [FeedArgument],
    _ plan: SyncPlan,
    holding share: ClientLimit<String>.Share? = nil
  ) -> Int? {
    guard !isClosed else { return nil }
    last += 1
    let job = Job(status: Locked(Status(id: last)), stop: StopRequest())
    jobs[last] = job
    forgetEnded()
    let (id, key) = (last, Self.key(of: feeds))
    let before = tails[key]?.task
    let task = Task { [root, colours] in
      defer { withExtendedLifetime(share) {} }
      await before?.value
      if job.stop.isMade {
        job.status.withLock { $0.state = .failed }
      } else {
        await Self.run(job, feeds, plan, root)
        await colours.start()
      }
      if tails[key]?.id == id { tails[key] = nil }
    }
    tails[key] = (id, task)
    return id
  }

  /// A text that the syncs of the same feeds share.
  private static func key(of feeds: [FeedArgument]) -> String {
    feeds.map { "\($0)" }.sorted().joined(separator: "\n")
  }

  /// Forgets the oldest jobs that have ended; `close` has to stop all others.
  private func forgetEnded() {
    let ended = jobs.filter { $0.value.hasEnded }.keys.sorted()
    for id in ended.dropLast(Limits.endedJobs) { jobs[id] = nil }
  }

  /// Syncs feeds that hubs have reported after all earlier syncs of these, and waits for the end.
  func run(_ feeds: [FeedArgument]) async {
    guard start(feeds, SyncPlan(feeds: [])) != nil else { return }
    await tails[Self.key(of: feeds)]?.task.value
  }

  /// Stops a sync as Ctrl-C does.
  ///
  /// What it has stored remains. One that waits does not begin.
  ///
  /// - Returns: Whether there is such a job.
  func stop(_ id: Int) -> Bool {
    guard let job = jobs[id] else { return false }
    job.stop.make()
    job.status.withLock { status in
      guard status.state == .waiting else { return }
      (status.state, status.text) = (.failed, "stopped before it began")
    }
    return true
  }

  /// The jobs that wait or run, in the order of their start.
  var open: [Status] {
    jobs.values.filter { !$0.hasEnded }.map { $0.status.withLock { $0 } }.sorted { $0.id < $1.id }
  }

  /// Asks each feed when it is due, until `close` is called; `hearsHubs` has the meaning of that in `SyncPlan`.
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
    let ended = jobs.values.count(where: \.hasEnded)
    return (jobs.count - ended, ended)
  }

  /// Stops all syncs as Ctrl-C does, and waits for them to end; their results so far are stored.
  func close() async {
    isClosed = true
    for job in jobs.values { job.stop.make() }
    watch?.job.stop.make()
    for tail in tails.values { await tail.task.value }
    await watch?.task.value
  }

  private static func run(
    _ job: Job,
    _ feeds: [FeedArgument],
    _ plan: SyncPlan,
    _ root: CompositionRoot
  ) async {
    job.status.withLock { $0.state = .running }
    let display = SyncJobDisplay(job.status, root.log)
    let interactor = root.syncFeeds(presenter: SyncFeedsPresenter(display: display))
    await interactor.syncFeeds(request: .init(feeds: feeds, plan: plan, stop: job.stop))
    job.status.withLock { status in
      if status.state == .running { status.state = .done }
    }
  }
}

/// The display of the scene that syncs feeds; it keeps the status of a job.
private struct SyncJobDisplay: SyncFeedsDisplayLogic {
  /// The maximum number of problems in a status.
  private static let mostProblems = 100

  private let status: Locked<SyncJobs.Status>
  /// The log of the server; it gets what a status withholds.
  private let logger: Logger?

  init(_ status: Locked<SyncJobs.Status>, _ logger: Logger?) {
    (self.status, self.logger) = (status, logger)
  }

  /// A message for the readers of a status.
  private func told(_ message: HintedText, isOfLibrary: Bool) -> String {
    let message = WebMessage(message, isOfLibrary: isOfLibrary)
    guard let cause = message.cause else { return message.text }
    logger?.error("sync: \(cause)")
    return "the library failed: \(message.text)"
  }

  func displayProgress(viewModel: Run.Progress.ViewModel) {
    status.withLock { status in
      status.text = viewModel.line.text
      status.progress = viewModel.line.fraction
    }
  }

  func displaySyncProblem(viewModel: SyncFeeds.Problem.ViewModel) {
    guard viewModel.severity == .failure else { return }
    let text = told(viewModel.text, isOfLibrary: viewModel.isOfLibrary)
    status.withLock { status in
      if status.problems.count < Self.mostProblems { status.problems.append(text) }
    }
  }

  /// Tells a notice about this machine, such as the folder of an export, only to the log.
  func displaySyncNotice(viewModel: SyncFeeds.Notice.ViewModel) {
    let message = WebMessage(viewModel.text, isOfLibrary: viewModel.isOfLibrary)
    if let cause = message.cause {
      logger?.info("sync: \(cause)")
    } else {
      status.withLock { $0.text = message.text }
    }
  }

  /// Jobs do not ask for explanations.
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
      // A note tells that it was stopped: what was asked for has not all come.
      status.state = viewModel.outcome == .failed || viewModel.note != nil ? .failed : .done
      // A sync of one feed has no totals; progress may have replaced the line about the feed.
      let said = status.lastFeed.isEmpty ? status.text : status.lastFeed
      status.text = viewModel.totals ?? viewModel.note ?? said
    }
  }

  func displayWatchedFeeds(viewModel: SyncFeeds.Watch.ViewModel) {}

  func displayTimedSync(viewModel: SyncFeeds.Timed.ViewModel) {}

  func displayFailure(viewModel: Fail.ViewModel) {
    let text = told(viewModel.message, isOfLibrary: viewModel.isOfLibrary)
    status.withLock { status in
      (status.state, status.text) = (.failed, text)
      status.problems.append(text)
    }
  }
}

/// Computes the colours of stored thumbnails while the server runs.
///
/// It runs at the start, after each sync, and when a browser asks for thumbnails without colours. It ends when all
/// thumbnails have colours.
actor ColourFill {
  private let root: CompositionRoot
  private var task: Task<Void, Never>?
  private var isClosed = false

  init(_ root: CompositionRoot) { self.root = root }

  /// Starts the computation, unless it is running.
  func start() {
    guard task == nil, !isClosed else { return }
    task = Task {
      // Without a decoder, every further attempt would also fail.
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
