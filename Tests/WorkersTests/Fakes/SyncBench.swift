import FoundationEssentials
import Models
import Workers

/// A sync worker among fakes.
struct SyncBench {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)
  static let validators = Validators(entityTag: "\"one\"", lastModified: "Mon")

  let network: FakeNetwork
  let format: FakeFormat
  let store: FakeStore
  let clock: Clock
  private let originals: any OriginalFetching

  /// Takes what servers answer, and what earlier syncs have left; without another way to fetch
  /// originals, they come from the same servers.
  init(
    _ replies: [WebAddress: FakeReply],
    format: FakeFormat = FakeFormat(),
    store: FakeStore = FakeStore(),
    clock: Clock = Clock(),
    originals: (any OriginalFetching)? = nil
  ) {
    let network = FakeNetwork(replies)
    self.network = network
    self.format = format
    self.store = store
    self.clock = clock
    self.originals = originals ?? OriginalWorker(network: network, store: store)
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

  func start(_ plan: SyncPlan) -> SyncRun {
    let tools = SyncTools(
      network: network,
      formats: format,
      store: store,
      originals: originals,
      wording: Self.words,
      now: { [clock] in clock.now }
    )
    return SyncWorker(tools: tools).sync(plan)
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
