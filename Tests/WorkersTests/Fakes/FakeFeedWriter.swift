import FoundationEssentials
import Models
import Workers

/// Writes the documents of one feed to a fake store; the feed becomes known with its first image, or at the end.
final class FakeFeedWriter: FeedWriting {
  private let store: FakeStore
  private let address: WebAddress
  private let reach: FeedReach?
  private let now: Date
  private let isDryRun: Bool
  private(set) var wanted = WantedPictures()
  private(set) var counts = ImageCounts()
  var newIDs: [ClosedRange<Int64>] { counts.new > 0 ? [1...Int64(counts.new)] : [] }
  private var totalBefore = 0

  /// A hundred bytes an image.
  var storedBytes: Int { 100 * counts.new }

  init(store: FakeStore, address: WebAddress, reach: FeedReach?, now: Date, isDryRun: Bool) {
    self.store = store
    self.address = address
    self.reach = reach
    self.now = now
    self.isDryRun = isDryRun
  }

  func append(_ entries: [FeedEntry]) throws(StoreError) {
    try store.attempt(.append)
    record(.appended(entries.compactMap(\.id)))
    store.appendings.add()
    add(entries.flatMap(\.images))
  }

  func endDocument(member: FeedMember?) throws(StoreError) {
    try store.attempt(.endDocument)
    record(.endedDocument(member))
    totalBefore = counts.total
  }

  func restartDocument() throws(StoreError) {
    try store.attempt(.restartDocument)
    record(.restartedDocument)
    counts.total = totalBefore
  }

  func keepMember(at address: WebAddress) throws(StoreError) {
    try store.attempt(.keepMember)
    record(.keptMember(address))
  }

  func finish(
    _ document: FeedDocument,
    answer: FeedAnswer,
    isWhole: Bool
  ) throws(StoreError) -> WrittenFeed {
    try store.attempt(.finish)
    let validators = answer.validators ?? Validators()
    record(.finished(validators, isWhole: isWhole, document.listsEverything))
    let (total, isUpdated) = (counts.total, counts.new > 0)
    let feed = change { feed in
      feed.ownTitle = document.title
      feed.format = document.format
      feed.documentImageCount = total
      feed.status = isUpdated ? .updated : .unchanged
      feed.problem = nil
      feed.validators = validators
      feed.isWhole = isWhole
      feed.isPaused = false
      feed.nextSync = answer.nextSync
      feed.movedTo = answer.permanentAddress
    }
    let move = store.state.withLock { $0.move }
    let list = list(document, answer)
    return WrittenFeed(feed: feed, counts: counts, move: move, list: list)
  }

  /// Keeps what a list has, and compares it with what it had.
  private func list(_ document: FeedDocument, _ answer: FeedAnswer) -> ListedFeeds? {
    guard document.format == .opml, case .feeds(let feeds) = document.continuation else {
      return nil
    }
    _ = change { $0.listDepth = answer.listDepth }
    let before = store.state.withLock { [address] in
      $0.lists.updateValue(feeds, forKey: address) ?? []
    }
    return ListedFeeds(
      followed: feeds,
      total: feeds.count,
      new: feeds.count { !before.contains($0) },
      lost: document.listsEverything ? before.filter { !feeds.contains($0) } : []
    )
  }

  func breakOff(
    problem: String,
    isExcess: Bool
  ) throws(StoreError) -> (feed: Feed?, counts: ImageCounts) {
    try store.attempt(.breakOff)
    record(.brokenOff(problem: problem))
    let isKnown = store.state.withLock { [address] in $0.feedIndex(address) != nil }
    guard isKnown else { return (nil, counts) }
    let feed = change { feed in
      feed.status = .failed
      feed.problem = problem
      feed.validators = Validators()
      feed.nextSync = isExcess ? .distantFuture : nil
    }
    return (feed, counts)
  }

  private func record(_ event: StoreEvent) {
    if !isDryRun { store.record(event) }
  }

  private func add(_ images: [FeedImage]) {
    let feed = change { _ in }
    counts.total += images.count
    let isDryRun = isDryRun
    let new = store.state.withLock { state in
      if !isDryRun { return state.add(images, to: feed.id) }
      var trial = state
      return trial.add(images, to: feed.id)
    }
    counts.new += new
    if isDryRun { (wanted.thumbnails, wanted.originals) = (counts.new, counts.new) }
  }

  private func change(_ edit: (inout Feed) -> Void) -> Feed {
    store.state.withLock { [address, reach, now, isDryRun] kept in
      var state = kept
      defer { if !isDryRun { kept = state } }
      let index = state.feedIndex(address) ?? state.feeds.endIndex
      if index == state.feeds.endIndex {
        state.feeds.append(Feed(id: Int64(index + 1), address: address))
      }
      if let reach { state.feeds[index].reach = reach }
      edit(&state.feeds[index])
      let id = state.feeds[index].id
      state.feeds[index].lastSync = now
      state.feeds[index].imageCount = state.images.count { $0.feedID == id }
      return state.feeds[index]
    }
  }
}
