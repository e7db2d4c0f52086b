package import FoundationEssentials
package import Models
package import Workers

extension MemoryLibrary: FeedStoring {
  package func feed(at address: WebAddress) throws(StoreError) -> Feed? {
    try attempt(.findFeed)
    return state.withLock { $0.followed($0.index(ofFeedAt: address)) }
  }

  package func contents(ofFeedAt address: WebAddress) throws(StoreError) -> FeedContents {
    try attempt(.findContents)
    return state.withLock { state in
      let index = state.index(ofFeedAt: address)
      return FeedContents(
        members: state.followed(index).map { state.members(ofFeed: $0.id) } ?? [],
        listed: index.map { state.listed(by: state.feeds[$0].id) }
          ?? ListedFeeds(followed: [], total: 0)
      )
    }
  }

  package func noteSync(
    ofFeedAt address: WebAddress,
    _ note: FeedNote,
    now: Date
  ) throws(StoreError) -> NotedFeed? {
    if let feed = note.leadsTo {
      notePage(at: address, leadsTo: feed)
      return nil
    }
    try attempt(.noteSync)
    record(.noted(note.status, problem: note.problem, note.answer.validators))
    return state.withLock { state in
      let index = state.index(ofFeedAt: address)
      guard let index, state.followed(index) != nil else { return nil }
      state.feeds[index].take(note, now: now)
      let target = note.answer.permanentAddress
      let move =
        note.status == .failed ? nil : state.follow(target, index, askedAt: address)
      return NotedFeed(feed: state.feeds[index], move: move)
    }
  }

  private func notePage(at page: WebAddress, leadsTo feed: WebAddress) {
    record(.notedPage(page, leadsTo: feed))
    state.withLock { state in
      for (id, list) in state.lists {
        state.lists[id] = list.map { listed in
          guard listed.address.identity == page.identity else { return listed }
          var listed = listed
          listed.leadsTo = feed.identity
          return listed
        }
      }
    }
  }

  package func keepNewest(ofFeed id: Int64) -> RetiredPictures { RetiredPictures() }

  package func checkRoom(for bytes: Int) throws(StoreError) { try attempt(.checkRoom) }

  package func flush() throws(StoreError) {
    try attempt(.flush)
    record(.flushed)
  }
}

extension MemoryLibrary: LibraryManaging {
  package func removeFeed(id: Int64, purging: Bool) throws(StoreError) -> RemovedFeed? {
    state.withLock { state in
      guard let feed = state.feeds.first(where: { $0.id == id }),
        purging || !state.removed.contains(id)
      else { return nil }
      let images = state.images.filter { $0.feedID == id }
      state.removed.insert(id)
      state.lists[id] = nil
      state.setDeclined(true, feed)
      if purging {
        state.pins.subtract(images.map(\.id))
        state.images.removeAll { $0.feedID == id }
        state.members.removeAll { $0.feedID == id }
        state.feeds.removeAll { $0.id == id }
        state.removed.remove(id)
      }
      let originals = purging ? Set(images.compactMap(\.original?.sha256)).count : 0
      return RemovedFeed(feed: feed, images: images.count, originals: originals)
    }
  }

  package func set(_ change: FeedChange, ofFeed id: Int64) throws(StoreError) -> Feed? {
    state.withLock { state in
      let index = state.feeds.firstIndex { $0.id == id }
      guard let index, state.followed(index) != nil else { return nil }
      change.apply(to: &state.feeds[index])
      return state.feeds[index]
    }
  }

  package func followedFolders() -> [FollowedFolder] {
    state.withLock { state in state.folders.values.sorted { $0.path < $1.path } }
  }

  package func follow(_ folder: FollowedFolder) {
    state.withLock { $0.folders[folder.path] = folder }
  }

  package func unfollow(folderAt path: String) { state.withLock { $0.folders[path] = nil } }
}

extension MemoryLibrary {
  package enum LockEvent: Sendable, Equatable {
    case refused(WebAddress)
    case taken(WebAddress)
    case released(WebAddress)
  }

  /// Another process, which holds the locks that are refused.
  package static let lockHolder = LockHolder(
    process: 4711,
    since: Date(timeIntervalSince1970: 1_800_000_000)
  )

  package func lockFeed(at address: WebAddress, now: Date) throws(StoreError) -> FeedLockResult {
    let holder = state.withLock { state -> LockHolder? in
      if state.lockRefusals > 0 {
        state.lockRefusals -= 1
        state.lockEvents.append(.refused(address))
        return Self.lockHolder
      }
      guard state.locked.insert(address.identity).inserted else {
        return LockHolder(process: 1, since: now)
      }
      state.lockEvents.append(.taken(address))
      return nil
    }
    if let holder { return .held(by: holder) }
    let lock = FeedLock { [state] in
      state.withLock { state in
        state.locked.remove(address.identity)
        state.lockEvents.append(.released(address))
      }
    }
    return .taken(lock)
  }
}

extension MemoryLibrary: HostPausing {
  package func pause(of host: String) throws(StoreError) -> Date? {
    state.withLock { $0.pauses[host] }
  }

  package func notePause(of host: String, until date: Date) throws(StoreError) {
    state.withLock { $0.pauses[host] = max($0.pauses[host] ?? date, date) }
  }
}

extension MemoryLibrary {
  package func subscriptions() throws(StoreError) -> [Subscription] {
    state.withLock { state in
      state.subscriptions.values.sorted { ($0.feedID, $0.path) < ($1.feedID, $1.path) }
    }
  }

  package func subscription(atPath path: String) throws(StoreError) -> Subscription? {
    state.withLock { $0.subscriptions[path] }
  }

  @discardableResult
  package func changeSubscription(
    atPath path: String,
    _ change: @escaping @Sendable (inout Subscription?) -> Void
  ) throws(StoreError) -> Subscription? {
    state.withLock { state in
      change(&state.subscriptions[path])
      return state.subscriptions[path]
    }
  }
}

extension MemoryLibrary.State {
  /// A feed with the end of the lease of its subscription.
  func hearing(_ feed: Feed) -> Feed {
    var feed = feed
    feed.leaseEnd = subscriptions.values.filter { subscription in
      subscription.feedID == feed.id && !subscription.isEnding
        && subscription.hub == feed.push.hub && subscription.topic == feed.push.topic
    }
    .compactMap(\.leaseEnd).filter { $0 > Date() }.max()
    return feed
  }
}
