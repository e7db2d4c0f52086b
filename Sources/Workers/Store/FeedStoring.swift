package import FoundationEssentials
package import Models

/// Keeps what syncs and hubs say of feeds.
package protocol FeedStoring: Sendable {
  /// The feed that is followed under an address, its present or a former one; nil when none is.
  func feed(at address: WebAddress) async throws(StoreError) -> Feed?

  /// The documents and feeds that a feed named when it was last read.
  func contents(ofFeedAt address: WebAddress) async throws(StoreError) -> FeedContents

  /// Notes how a feed's sync ended when no document was read. An unknown feed stays unknown.
  ///
  /// - Returns: The feed as it is stored now; nil when none is followed under the address.
  /// - Throws: when the library cannot be written.
  func noteSync(
    ofFeedAt address: WebAddress,
    _ note: FeedNote,
    now: Date
  ) async throws(StoreError) -> NotedFeed?

  /// Keeps as many of a feed's newest images as its retention says, and takes the others out of the library; pinned
  /// ones stay. Brings back what a wider retention has room for.
  func keepNewest(ofFeed id: Int64) async throws(StoreError) -> RetiredPictures

  /// Checks that the disk has room for so many bytes more, beside the reserve that a sync leaves free.
  ///
  /// - Throws: `.reserved` when it does not.
  func checkRoom(for bytes: Int) async throws(StoreError)

  /// Returns once a power cut can take nothing of what was written before.
  func flush() async throws(StoreError)

  /// Takes the lock of a feed, known or not, unless another sync has it; never waits.
  ///
  /// It keeps two syncs of one feed apart, also those of two processes. Reading never needs a lock.
  ///
  /// - Parameters:
  ///   - address: The address that the feed is stored under, or is to be.
  ///   - now: When this sync begins; others can read it.
  /// - Returns: The lock, or its holder.
  /// - Throws: when the library cannot be written.
  func lockFeed(at address: WebAddress, now: Date) async throws(StoreError) -> FeedLockResult

  // Subscriptions of feeds at hubs (WebSub). One outlives its feed until its hub has been asked to end it.

  /// All subscriptions, those of feeds that were removed among them.
  func subscriptions() async throws(StoreError) -> [Subscription]

  /// The subscription with a path; nil for none.
  func subscription(atPath path: String) async throws(StoreError) -> Subscription?

  /// Changes the subscription with a path in one step: two requests of a hub may come at once.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - change: Takes the subscription as it is, nil for none, and leaves it as it is to be.
  /// - Returns: The subscription as it is now.
  /// - Throws: when the library cannot be written.
  @discardableResult
  func changeSubscription(
    atPath path: String,
    _ change: @escaping @Sendable (inout Subscription?) -> Void
  ) async throws(StoreError) -> Subscription?
}

/// What came of trying to lock a feed.
package enum FeedLockResult: Sendable {
  case taken(FeedLock)
  /// Another has it; nil while it has not said yet who it is.
  case held(by: LockHolder?)
}

/// The right to sync a feed; it ends with the process that has it, however that ends.
package final class FeedLock: Sendable {
  /// Nil once the lock is given back.
  private let giveBack: Locked<(@Sendable () -> Void)?>

  package init(givingBack giveBack: @escaping @Sendable () -> Void) {
    self.giveBack = Locked(giveBack)
  }

  deinit { release() }

  /// Gives it back; letting go of it does the same.
  package func release() {
    let giveBack = giveBack.withLock { giveBack in
      defer { giveBack = nil }
      return giveBack
    }
    giveBack?()
  }
}

/// Who is syncing a feed.
package struct LockHolder: Sendable, Equatable {
  /// The id of the process.
  package var process: Int
  /// When it began.
  package var since: Date

  package init(process: Int, since: Date) {
    self.process = process
    self.since = since
  }
}

/// What a retention has taken out of the library (`FeedRetention`).
package struct RetiredPictures: Sendable, Equatable {
  package var images = 0
  /// The images that have only lost their originals.
  package var originals = 0

  package init(images: Int = 0, originals: Int = 0) {
    self.images = images
    self.originals = originals
  }
}

/// What a server's answer for a feed's document means for the next time.
package struct FeedAnswer: Sendable, Equatable {
  /// What to ask with; empty when the feed must be read again, nil leaves what there is.
  package var validators: Validators?
  /// Where the feed has moved for good, as far as it may follow.
  package var permanentAddress: WebAddress?
  /// When a sync of every feed asks again; nil for with each.
  package var nextSync: Date?
  /// Until when the answer holds, by its server; nil when it does not say.
  package var freshUntil: Date?
  /// How a program subscribes to the document, by the server.
  package var push = PushLinks()
  /// How many documents stand between the document and what the user has named; a list remembers the
  /// smallest number.
  package var listDepth = 0

  package init(
    validators: Validators? = nil,
    permanentAddress: WebAddress? = nil,
    nextSync: Date? = nil,
    freshUntil: Date? = nil
  ) {
    self.validators = validators
    self.permanentAddress = permanentAddress
    self.nextSync = nextSync
    self.freshUntil = freshUntil
  }

  /// Before when the server does not want to be asked again; nil when it does not say.
  package var allowed: Date? {
    let dates = [nextSync, freshUntil].compactMap(\.self)
    return dates.max()
  }
}

/// How a feed's sync ended when no document was read.
package struct FeedNote: Sendable, Equatable {
  package var status: Feed.Status
  /// Why it failed, in words; nil when it did not.
  package var problem: String?
  package var answer: FeedAnswer
  /// Whether the server says that the feed is gone (410).
  package var isGone: Bool
  /// Whether it may have failed because the user's own network is down.
  package var isOffline = false
  /// How far its content may lead; nil leaves what there is.
  package var reach: FeedReach?
  /// The feed that a web page leads to, of which nothing else is noted then.
  ///
  /// Once that feed is followed or removed, lists that name the page do not lead to it any more.
  package var leadsTo: WebAddress?

  package init(
    status: Feed.Status,
    problem: String? = nil,
    answer: FeedAnswer = FeedAnswer(),
    isGone: Bool = false,
    reach: FeedReach? = nil,
    leadsTo: WebAddress? = nil
  ) {
    self.status = status
    self.problem = problem
    self.answer = answer
    self.isGone = isGone
    self.reach = reach
    self.leadsTo = leadsTo
  }
}

/// A feed whose sync has been noted.
package struct NotedFeed: Sendable, Equatable {
  /// The feed as it is stored since.
  package var feed: Feed
  /// Whether it has moved; nil when there is nothing to say of it.
  package var move: FeedMove?

  package init(feed: Feed, move: FeedMove? = nil) {
    self.feed = feed
    self.move = move
  }
}

/// What became of a feed that was sent to the same new address for good twice running.
package enum FeedMove: Sendable, Equatable {
  /// The new address is the feed's; the old one means it still.
  case moved(from: WebAddress, to: WebAddress)
  /// The new address is another feed's, followed or removed: nothing has changed.
  case taken(WebAddress)
}

/// What a sync changes of a feed; its addresses, its images and its list are the store's.
extension Feed {
  /// Takes how a sync ended without a document.
  package mutating func take(_ note: FeedNote, now: Date) {
    status = note.status
    problem = note.problem
    nextSync = note.answer.nextSync?.wholeSeconds
    if let validators = note.answer.validators { self.validators = validators }
    if let reach = note.reach { self.reach = reach }
    // An answer without a document (304) may still say it; one that does not changes nothing.
    if note.answer.push.isComplete { push = note.answer.push }
    if note.status == .failed {
      isPaused = isPaused || note.isGone
    } else {
      isPaused = false
      lastSync = now.wholeSeconds
    }
    schedule.take(note.outcome, ofFeed: id, allowed: note.answer.allowed, now: now.wholeSeconds)
  }

  /// Takes the end of its documents.
  package mutating func take(_ end: DocumentEnd, list: ListedFeeds?, now: Date) {
    let (document, answer) = (end.document, end.answer)
    if let list {
      listDepth = isList ? min(listDepth, answer.listDepth) : answer.listDepth
      listedFeedCount = list.total
    } else {
      (listDepth, listedFeedCount) = (0, 0)
    }
    ownTitle = document.title.map(ImageFields.storable)
    format = document.format
    documentImageCount = end.counts.total
    isWhole = end.isWhole
    lastSync = now.wholeSeconds
    let news = end.counts.new + end.counts.changed + end.counts.gone
    let listNews = list.map { $0.new + $0.lost.count } ?? 0
    status = news + listNews > 0 ? .updated : .unchanged
    problem = nil
    validators = answer.validators ?? validators
    nextSync = answer.nextSync?.wholeSeconds
    isPaused = false
    schedule.hints = document.hints
    let links = answer.push.filled(from: document.push)
    push = links.isComplete ? links : PushLinks()
    let outcome: FeedSchedule.Outcome = status == .updated ? .changed : .unchanged
    schedule.take(outcome, ofFeed: id, allowed: answer.allowed, now: now.wholeSeconds)
  }

  /// Takes that its documents broke off.
  ///
  /// - Parameters:
  ///   - problem: What has happened.
  ///   - excesses: How often in a row it has brought more than it may; nil when that is not what has happened.
  ///   - now: The date.
  package mutating func breakOff(problem: String, excesses: Int?, now: Date) {
    let nextSync = excesses.map { tries in
      FailureExpiry.excessRetryDate(tries: tries, failed: now.wholeSeconds)
    }
    status = .failed
    self.problem = problem
    validators = Validators()
    self.nextSync = nextSync
    isWhole = false
    schedule.take(.failed, ofFeed: id, allowed: nextSync, now: now.wholeSeconds)
  }

  /// Keeps the https spelling that it was asked for by, and follows a permanent redirect the second time running.
  ///
  /// - Parameters:
  ///   - asked: The address that it was asked for by.
  ///   - target: Where it was sent to for good; nil when it was sent nowhere.
  ///   - owner: Finds the feed that has an address, or had it before.
  ///   - store: Gives the feed an address, and keeps the one before as an alias, unless both are spellings of one.
  /// - Returns: What became of it; nil when there is nothing to say.
  /// - Throws: when the library cannot be read or written.
  package mutating func move(
    askedAt asked: WebAddress,
    to target: WebAddress?,
    owner: (WebAddress) throws -> Int64?,
    store: (WebAddress) throws -> Void
  ) rethrows -> FeedMove? {
    if asked.secures(address) {
      try store(asked)
      address = asked
    }
    guard let target, target.identity != address.identity || target.secures(address) else {
      movedTo = nil
      return nil
    }
    guard movedTo == target else {
      movedTo = target
      return nil
    }
    if let owner = try owner(target), owner != id { return .taken(target) }
    let former = address
    try store(target)
    if former.identity != target.identity { aliases.append(former) }
    aliases.removeAll { $0.identity == target.identity }
    aliases.sort { $0.text < $1.text }
    (address, movedTo) = (target, nil)
    return .moved(from: former, to: target)
  }
}

extension FeedNote {
  fileprivate var outcome: FeedSchedule.Outcome {
    switch status {
    case .updated: .changed
    case .unchanged: .unchanged
    case .failed: isOffline ? .offline : .failed
    }
  }
}

extension FeedDocument {
  /// The feeds of a list; nil for every other document.
  package var listedFeeds: [WebAddress]? {
    guard format == .opml, case .feeds(let addresses) = continuation else { return nil }
    return addresses
  }
}
