import FoundationEssentials
import Models
import Workers

extension FakeStore: FeedStoring {
  func feed(at address: WebAddress) throws(StoreError) -> Feed? {
    try attempt(.findFeed)
    return state.withLock { state in state.feedIndex(address).map { state.feeds[$0] } }
  }

  func members(ofFeedAt address: WebAddress) throws(StoreError) -> [FeedMember] {
    try attempt(.findMembers)
    return state.withLock { $0.members }
  }

  func writer(forFeedAt address: WebAddress, now: Date) throws(StoreError) -> any FeedWriting {
    try attempt(.makeWriter)
    return FakeFeedWriter(store: self, address: address, now: now)
  }

  func noteSync(
    ofFeedAt address: WebAddress,
    status: Feed.Status,
    problem: String?,
    validators: Validators?,
    now: Date
  ) throws(StoreError) {
    try attempt(.noteSync)
    record(.noted(status, problem: problem, validators))
    state.withLock { state in
      guard let index = state.feedIndex(address) else { return }
      state.feeds[index].status = status
      state.feeds[index].problem = problem
      state.feeds[index].lastSync = now
      state.feeds[index].validators = validators ?? state.feeds[index].validators
    }
  }

  func flush() throws(StoreError) {
    try attempt(.flush)
    record(.flushed)
  }
}
