package import FoundationEssentials
package import Models

/// The parts of a server's answer that matter for the next request of a feed.
package struct FeedAnswer: Sendable, Equatable {
  /// The validators for the next request; empty to read the feed again, nil to keep the stored ones.
  package var validators: Validators?
  /// The address to which the feed has moved permanently, if it may follow.
  package var permanentAddress: WebAddress?
  /// The date from which a sync of all feeds asks again; nil for every sync.
  package var nextSync: Date?
  /// The date until which the answer is fresh, according to its server; nil when the server does not say.
  package var freshUntil: Date?
  /// The links for subscribing to the document, from the response's header.
  package var push = PushLinks()
  /// The number of documents between the address that the user named and this document.
  ///
  /// A list stores the smallest number.
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

  /// The date before which the server does not want to be asked again; nil when it does not say.
  package var allowed: Date? {
    let dates = [nextSync, freshUntil].compactMap(\.self)
    return dates.max()
  }
}

/// The end of a feed's sync in which no document was read.
package struct FeedNote: Sendable, Equatable {
  package var status: Feed.Status
  /// The reason of the failure, in words; nil when the sync succeeded.
  package var problem: String?
  package var answer: FeedAnswer
  /// Whether the server says that the feed is gone (410).
  package var isGone: Bool
  /// Whether it may have failed because the user's own network is down.
  package var isOffline = false
  /// The reach of its content; nil keeps the stored reach.
  package var reach: FeedReach?
  /// The feed that a web page leads to; nothing else is stored about such a page.
  ///
  /// Once that feed is followed or removed, lists that name the page do not lead to it any more. A page that has failed
  /// as a feed before is not followed any more.
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

/// A feed after the end of its sync was recorded.
package struct NotedFeed: Sendable, Equatable {
  /// The feed as it is stored now.
  package var feed: Feed
  /// The result of its move; nil when there is nothing to report.
  package var move: FeedMove?

  package init(feed: Feed, move: FeedMove? = nil) {
    self.feed = feed
    self.move = move
  }
}

/// The result for a feed that was redirected permanently to the same new address twice in a row.
package enum FeedMove: Sendable, Equatable {
  /// The feed has the new address; the old one still identifies it.
  case moved(from: WebAddress, to: WebAddress)
  /// The new address belongs to another feed, followed or removed, so nothing has changed.
  case taken(WebAddress)
}

/// The changes of a feed by a sync; the store itself handles its addresses, its images and its list.
extension Feed {
  /// Applies the end of a sync in which no document was read.
  package mutating func take(_ note: FeedNote, now: Date) {
    status = note.status
    problem = note.problem
    nextSync = note.answer.nextSync?.wholeSeconds
    if let validators = note.answer.validators { self.validators = validators }
    if let reach = note.reach { self.reach = reach }
    // A response without a document (304) may still name the hub; one without links changes nothing.
    if note.answer.push.isComplete { push = note.answer.push }
    if note.status == .failed {
      isPaused = isPaused || note.isGone
    } else {
      isPaused = false
      lastSync = now.wholeSeconds
    }
    schedule.take(note.outcome, ofFeed: id, allowed: note.answer.allowed, now: now.wholeSeconds)
    // Most lists name some feeds that are dead for good.
    if hasNeverAnswered, !note.isOffline { nextSync = schedule.due }
  }

  /// Applies the end of its documents.
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

  /// Applies that reading its documents was cut off.
  ///
  /// - Parameters:
  ///   - problem: The reason.
  ///   - excesses: How often in a row the feed has exceeded a limit; nil for another reason.
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

  /// Keeps the https spelling of the requested address, and follows a permanent redirect when it occurs a second time.
  ///
  /// - Parameters:
  ///   - asked: The address that was requested.
  ///   - target: The target of the permanent redirect; nil without one.
  ///   - owner: Finds the feed with a present or former address.
  ///   - store: Sets the feed's address, and keeps the old one as an alias unless both are spellings of one address.
  /// - Returns: The result of the move; nil when there is nothing to report.
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
  /// The feeds of a list; nil for any other document.
  package var listedFeeds: [WebAddress]? {
    guard format == .opml, case .feeds(let addresses) = continuation else { return nil }
    return addresses
  }
}
