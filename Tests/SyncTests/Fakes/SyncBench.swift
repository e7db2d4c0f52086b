import FoundationEssentials
import Models
import Sync
import TestSupport
import Workers

/// A sync worker among fakes.
struct SyncBench {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)
  static let validators = Validators(entityTag: "\"one\"", lastModified: "Mon")

  let network: FakeNetwork
  let format: FakeFormat
  let store: MemoryLibrary
  let clock: Clock
  private let originals: any OriginalFetching
  private let imaging: FakeImaging?
  let locks: FakeLocks

  /// Takes what servers answer, and what earlier syncs have left; without another way to fetch
  /// originals, they come from the same servers.
  init(
    _ replies: [WebAddress: FakeReply],
    format: FakeFormat = FakeFormat(),
    store: MemoryLibrary = MemoryLibrary(),
    clock: Clock = Clock(),
    originals: (any OriginalFetching)? = nil,
    imaging: FakeImaging? = nil,
    locks: FakeLocks = FakeLocks()
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
        now: { clock.now }
      )
    self.imaging = imaging
    self.locks = locks
  }

  static func words(_ failure: Failure) -> String { "in words: \(failure)" }

  /// A feed that earlier syncs have made known, with images that want everything.
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

  /// Starts a sync; what it waits for comes at once, unless `pause` is another.
  func start(
    _ plan: SyncPlan,
    pause: @escaping @Sendable (Duration) async throws -> Void = { _ in
      try Task.checkCancellation()
    }
  ) -> SyncRun {
    SyncWorker(tools: tools(pause: pause)).sync(plan)
  }

  /// What a sync works with here.
  func tools(
    pause: @escaping @Sendable (Duration) async throws -> Void = { _ in }
  ) -> SyncTools {
    SyncTools(
      network: network,
      formats: format,
      store: store,
      locks: locks,
      originals: originals,
      imaging: imaging,
      sha256: { MemoryOriginalFile.sha256(of: $0) },
      wording: Self.words,
      now: { [clock] in clock.now },
      pause: pause
    )
  }

  /// What a whole sync says; how long it took is left out.
  func facts(_ plan: SyncPlan = SyncPlan(feeds: [.feed])) async -> [SyncFact] {
    await start(plan).allFacts()
  }

  /// The summaries of a whole sync.
  func summaries(_ plan: SyncPlan = SyncPlan(feeds: [.feed])) async -> [FeedSyncSummary] {
    await facts(plan).summaries
  }
}
