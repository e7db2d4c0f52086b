import FoundationEssentials
import Models
import Workers

extension FakeStore: FeedStoring {
  func prepare() throws(StoreError) {}

  func feed(at address: WebAddress) throws(StoreError) -> Feed? {
    try attempt(.findFeed)
    return state.withLock { state in state.feedIndex(address).map { state.feeds[$0] } }
  }

  func members(ofFeedAt address: WebAddress) throws(StoreError) -> [FeedMember] {
    try attempt(.findMembers)
    return state.withLock { $0.members }
  }

  func listedFeeds(ofListAt address: WebAddress) throws(StoreError) -> ListedFeeds {
    try attempt(.findListed)
    let feeds = state.withLock { $0.lists[address] ?? [] }
    return ListedFeeds(followed: feeds, total: feeds.count)
  }

  func noteListedPage(at page: WebAddress, leadsTo feed: WebAddress) throws(StoreError) {
    record(.notedPage(page, leadsTo: feed))
  }

  func writer(
    forFeedAt address: WebAddress,
    reach: FeedReach?,
    now: Date,
    isDryRun: Bool
  ) throws(StoreError) -> any FeedWriting {
    try attempt(.makeWriter)
    return FakeFeedWriter(
      store: self,
      address: address,
      reach: reach,
      now: now,
      isDryRun: isDryRun
    )
  }

  func noteSync(
    ofFeedAt address: WebAddress,
    _ note: FeedNote,
    now: Date
  ) throws(StoreError) -> NotedFeed? {
    try attempt(.noteSync)
    record(.noted(note.status, problem: note.problem, note.answer.validators))
    return state.withLock { state in
      guard let index = state.feedIndex(address) else { return nil }
      state.feeds[index].status = note.status
      state.feeds[index].problem = note.problem
      state.feeds[index].lastSync = now
      state.feeds[index].isPaused = note.isGone
      state.feeds[index].nextSync = note.answer.nextSync
      state.feeds[index].movedTo = note.answer.permanentAddress
      if let reach = note.reach { state.feeds[index].reach = reach }
      if let validators = note.answer.validators { state.feeds[index].validators = validators }
      return NotedFeed(feed: state.feeds[index], move: state.move)
    }
  }

  func checkRoom(for bytes: Int) throws(StoreError) { try attempt(.checkRoom) }

  func prepareFlush() { record(.preparedFlush) }

  func flush() throws(StoreError) {
    try attempt(.flush)
    record(.flushed)
  }
}
