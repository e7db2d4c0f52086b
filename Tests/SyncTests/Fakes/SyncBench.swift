import FoundationEssentials
import Models
import Sync
import TestSupport
import Workers

/// A sync worker with fakes.
struct SyncBench {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)
  static let validators = Validators(entityTag: "\"one\"", lastModified: "Mon")

  let network: FakeNetwork
  let format: FakeFormat
  let store: FaultyLibrary
  let clock: Clock
  private let originals: any OriginalFetching
  private let imaging: FakeImaging?
  /// The reader's language.
  var language: String?
  /// Reads what cameras have written; nil to read nothing of it.
  var details: DetailsReader?
  private let folder: FakeFolder?
  /// Watches the folder; nil to list it each minute.
  var folderWatch: FakeFolderWatch?

  /// Creates a bench with the replies of servers and the store of earlier syncs.
  ///
  /// Originals come from the same servers, unless another fetcher is given.
  init(
    _ replies: [WebAddress: FakeReply],
    format: FakeFormat = FakeFormat(),
    store: FaultyLibrary = FaultyLibrary(),
    clock: Clock = Clock(),
    originals: (any OriginalFetching)? = nil,
    imaging: FakeImaging? = nil,
    folder: FakeFolder? = nil
  ) {
    let network = FakeNetwork(replies)
    self.network = network
    self.format = format
    self.store = store
    self.clock = clock
    self.originals =
      originals
      ?? OriginalWorker(
        network: network,
        store: store,
        imaging: nil,
        wording: Self.words,
        now: { clock.now }
      )
    self.imaging = imaging
    self.folder = folder
  }

  static func words(_ failure: Failure) -> String { "in words: \(failure)" }

  /// Stores a feed as earlier syncs would, with images that want all pictures.
  func know(_ names: String...) -> Feed { know(names) }

  func know(_ names: [String]) -> Feed { know(images: names.map { FeedImage(named: $0) }) }

  func know(images: [FeedImage]) -> Feed {
    let feed = Feed(
      id: 7,
      address: .feed,
      imageCount: images.count,
      documentImageCount: images.count,
      status: .updated,
      validators: Self.validators
    )
    store.keep(feed, images: images)
    return feed
  }

  /// Starts a sync; its waits end at once, unless `pause` says otherwise.
  func start(
    _ plan: SyncPlan,
    pause: @escaping @Sendable (Duration) async throws -> Void = { _ in
      try Task.checkCancellation()
    }
  ) -> SyncRun {
    SyncWorker(tools: tools(pause: pause)).sync(plan)
  }

  /// The tools of a sync on this bench.
  func tools(
    pause: @escaping @Sendable (Duration) async throws -> Void = { _ in }
  ) -> SyncTools {
    var tools = SyncTools(
      network: network,
      formats: format,
      store: store,
      originals: originals,
      imaging: imaging,
      pictureFolders: folder,
      sha256: { SHA256Digest(of: $0).hexadecimal },
      wording: Self.words,
      now: { [clock] in clock.now },
      pause: pause
    )
    tools.language = language
    tools.details = details
    if let folderWatch { tools.watchFolders = { folderWatch.begin($0) } }
    return tools
  }

  /// The facts of a whole sync, without durations.
  func facts(_ plan: SyncPlan = SyncPlan(feeds: [.feed])) async -> [SyncFact] {
    await start(plan).allFacts()
  }

  /// The summaries of a whole sync.
  func summaries(_ plan: SyncPlan = SyncPlan(feeds: [.feed])) async -> [FeedSyncSummary] {
    await facts(plan).summaries
  }
}

/// A clock that advances only when a test moves it.
final class Clock: Sendable {
  private let time = Locked(SyncBench.now)

  var now: Date { time.withLock { $0 } }

  func go(_ seconds: Double) { time.withLock { $0 += seconds } }
}

extension SyncRun {
  /// All facts of the sync, without durations.
  func allFacts() async -> [SyncFact] {
    var facts: [SyncFact] = []
    for await fact in self.facts { facts.append(fact.withoutDuration) }
    return facts
  }
}

extension SyncFact {
  fileprivate var withoutDuration: SyncFact {
    guard case .feedFinished(var summary) = self else { return self }
    summary.duration = .zero
    return .feedFinished(summary)
  }
}

extension [SyncFact] {
  var explanations: [EntryExplanation] {
    flatMap { fact -> [EntryExplanation] in
      if case .explained(let entries, .feed) = fact { entries } else { [] }
    }
  }

  var notices: [SyncNotice] {
    compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
  }

  var summaries: [FeedSyncSummary] {
    compactMap { if case .feedFinished(let summary) = $0 { summary } else { nil } }
  }

  var problems: [SyncProblem] {
    compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
  }
}
