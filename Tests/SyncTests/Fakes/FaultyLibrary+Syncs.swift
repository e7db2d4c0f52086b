import FoundationEssentials
import Models
import SQLiteCache
import Store
import TestSupport
import Workers

extension FaultyLibrary: FeedStoring {
  func feed(at address: WebAddress) async throws(StoreError) -> Feed? {
    try attempt(.findFeed)
    return try await library.feed(at: address)
  }

  func contents(ofFeedAt address: WebAddress) async throws(StoreError) -> FeedContents {
    try await library.contents(ofFeedAt: address)
  }

  func noteSync(
    ofFeedAt address: WebAddress,
    _ note: FeedNote,
    now: Date
  ) async throws(StoreError) -> NotedFeed? {
    if let feed = note.leadsTo {
      record(.notedPage(address, leadsTo: feed))
    } else {
      try attempt(.noteSync)
      record(.noted(note.status, problem: note.problem, note.answer.validators))
    }
    return try await library.noteSync(ofFeedAt: address, note, now: now)
  }

  func move(
    feed id: Int64,
    toFolder address: WebAddress
  ) async throws(StoreError) -> FolderMoveObstacle? {
    try await library.move(feed: id, toFolder: address)
  }

  func set(_ referer: PictureReferer, ofFeed id: Int64) async throws(StoreError) {
    try await library.set(referer, ofFeed: id)
  }

  func keepNewest(ofFeed id: Int64) async throws(StoreError) -> RetiredPictures {
    try await library.keepNewest(ofFeed: id)
  }

  /// Does not ask the disk of this machine.
  func checkRoom(for bytes: Int) throws(StoreError) { try attempt(.checkRoom) }

  func flush() async throws(StoreError) {
    try attempt(.flush)
    record(.flushed)
    try await library.flush()
  }

  func lockFeed(at address: WebAddress, now: Date) async throws(StoreError) -> FeedLockResult {
    let isRefused = state.withLock { state in
      if state.lockRefusals == 0 { return false }
      state.lockRefusals -= 1
      state.locks.append(.refused(address))
      return true
    }
    if isRefused { return .held(by: Self.lockHolder) }
    let result = try await library.lockFeed(at: address, now: now)
    guard case .taken(let lock) = result else { return result }
    state.withLock { $0.locks.append(.taken(address)) }
    return .taken(
      FeedLock { [state] in
        lock.release()
        state.withLock { $0.locks.append(.released(address)) }
      }
    )
  }

  func subscriptions() async throws(StoreError) -> [Subscription] {
    try await library.subscriptions()
  }

  func subscription(atPath path: String) async throws(StoreError) -> Subscription? {
    try await library.subscription(atPath: path)
  }

  func changeSubscription(
    atPath path: String,
    _ change: @escaping @Sendable (inout Subscription?) -> Void
  ) async throws(StoreError) -> Subscription? {
    try await library.changeSubscription(atPath: path, change)
  }
}

extension FaultyLibrary: DocumentStoring {
  func documentFeed(at address: WebAddress) async throws(StoreError) -> DocumentFeed? {
    try attempt(.makeWriter)
    return try await library.documentFeed(at: address)
  }

  func candidates(
    for lookups: [EntryLookup],
    feedID: Int64
  ) async throws(StoreError) -> [EntryCandidates] {
    try await library.candidates(for: lookups, feedID: feedID)
  }

  func position(above position: Int64, feedID: Int64) async throws(StoreError) -> Int64? {
    try await library.position(above: position, feedID: feedID)
  }

  func documentMember(
    at address: WebAddress,
    feedID: Int64
  ) async throws(StoreError) -> DocumentMember? {
    try await library.documentMember(at: address, feedID: feedID)
  }

  func images(missingFrom seen: IDSet, feedID: Int64) async throws(StoreError) -> [Int64] {
    try await library.images(missingFrom: seen, feedID: feedID)
  }

  func folderOriginals(feedID: Int64) async throws(StoreError) -> [FolderOriginal] {
    try await library.folderOriginals(feedID: feedID)
  }

  func note(_ originals: [FolderOriginal], feedID: Int64) async throws(StoreError) {
    try await library.note(originals, feedID: feedID)
  }

  func forgetFolderOriginals(ofImages ids: [Int64]) async throws(StoreError) {
    try await library.forgetFolderOriginals(ofImages: ids)
  }

  func compareList(
    _ addresses: [WebAddress],
    isWhole: Bool,
    feedID: Int64?
  ) async throws(StoreError) -> ListedFeeds {
    try await library.compareList(addresses, isWhole: isWhole, feedID: feedID)
  }

  /// An image counts as a hundred bytes, and a batch is never shorter for the time that the last one took.
  func write(
    _ batch: DocumentBatch,
    to target: DocumentTarget
  ) async throws(StoreError) -> WrittenBatch {
    try attempt(.append)
    var written = try await library.write(batch, to: target)
    record(.appended(batch.added.compactMap { $0.entryID?.text }))
    imageBatches.add()
    (written.bytes, written.nextLength) = (100 * batch.added.count, 1_000)
    return written
  }

  func write(
    _ member: FeedMember,
    position: Int,
    images: [Int64],
    feedID: Int64
  ) async throws(StoreError) -> Int64 {
    record(.wroteMember(member))
    return try await library.write(member, position: position, images: images, feedID: feedID)
  }

  func finish(_ end: DocumentEnd, of target: DocumentTarget) async throws(StoreError) -> WrittenFeed
  {
    try attempt(.finish)
    let validators = end.answer.validators ?? Validators()
    record(.finished(validators, isWhole: end.isWhole, end.document.listsEverything))
    return try await library.finish(end, of: target)
  }

  func breakOff(
    problem: String,
    isExcess: Bool,
    of target: DocumentTarget
  ) async throws(StoreError) -> Feed? {
    try attempt(.breakOff)
    record(.brokenOff(problem: problem))
    return try await library.breakOff(problem: problem, isExcess: isExcess, of: target)
  }
}
