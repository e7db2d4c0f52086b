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

  init(
    _ replies: [WebAddress: FakeReply],
    format: FakeFormat = FakeFormat(),
    store: FakeStore = FakeStore()
  ) {
    network = FakeNetwork(replies)
    self.format = format
    self.store = store
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
      originals: OriginalWorker(network: network, store: store, now: { Self.now }),
      wording: Self.words,
      now: { Self.now }
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
