import FoundationEssentials
import Models
import Workers

extension DocumentSync {
  /// The result of reading a feed's documents.
  struct Result: Sendable {
    var feed: Feed?
    var status: Feed.Status
    var images = ImageCounts()
    var newIDs: [ClosedRange<Int64>] = []
    /// The pictures that a dry run would fetch in addition to those that were wanted before.
    var wanted = WantedCounts()
    var bytes = 0
    var cost = DocumentCost()
    var problems: [SyncProblem] = []
    /// The feeds that the document points to, if it is not a feed itself.
    var feeds: [WebAddress]?
    /// Whether they are those of a list that came through a pipe, which is not followed.
    var isPipedList = false
    /// The gallery to which the document belongs.
    var gallery: GalleryAddress?
    /// The feeds of a list, and how they have changed; nil for every other document.
    var list: ListedFeeds?
    /// The reach of the addresses that the document names; nil if it is unknown.
    var reach: FeedReach?
    var wasStoppedBeforeAnswer = false
    /// Whether the server sent the document, so that its addresses are new.
    var wasRead = false
    /// The address that the feed had before this sync, if the sync has changed it.
    var formerAddress: WebAddress?

    /// Points to the feeds that a list had when it was last read, because some may not be followed yet.
    mutating func takeListed(from store: any SyncStoring, _ known: Feed) async {
      do throws(StoreError) {
        let listed = try await store.contents(ofFeedAt: known.address).listed
        (list, feeds, reach) = (listed, listed.followed, known.reach)
      } catch {
        status = .failed
        problems.append(.store(error, of: known))
      }
    }

    /// Records the feed's move to another address, or the problem that prevented it.
    mutating func note(_ move: FeedMove?, of address: WebAddress) {
      switch move {
      case nil: break
      case .moved(let former, _): formerAddress = former
      case .taken(let target):
        problems.append(
          SyncProblem(subject: .document, address: address, failure: .addressTaken(target))
        )
      }
    }
  }

  /// Finishes a feed that was read, and keeps the validators only if nothing of the feed was lost.
  mutating func finish(_ document: FeedDocument, _ answer: FeedAnswer) async throws(Failure) {
    guard let writer else { return }
    var document = document
    document.title = document.title ?? address.pipeName
    var answer = answer
    let isLossless = !hasLoss && !hasWarnings
    document.listsEverything = listsEverything && isLossless
    document.repeated = Array(repeatedNow.prefix(FeedDocument.mostRepeated))
    if !isLossless || hasParts { answer.validators = Validators() }
    if hasLoss { answer.nextSync = nil }
    let written = try await Failure.ofStore(
      await writer.finish(document, answer: answer, isWhole: !hasLoss)
    )
    (result.feed, result.status) = (written.feed, written.feed.status ?? .updated)
    (result.list, result.feeds, result.reach) = (written.list, written.list?.followed, reach)
    result.note(written.move, of: address)
    take(written.counts, from: writer)
  }

  /// Ends the sync of documents that broke off, and keeps the part that was read.
  mutating func breakOff(_ failure: Failure, _ writer: FeedWriter) async throws(Failure) {
    let (feed, counts) = try await Failure.ofStore(
      await writer.breakOff(problem: tools.wording(failure), isExcess: failure.isExcess)
    )
    (result.feed, result.status) = (feed, .failed)
    take(counts, from: writer)
    guard failure.isCancellation else { return tell(failure) }
    result.status = counts.new + counts.changed > 0 ? .updated : .unchanged
    result.wasStoppedBeforeAnswer = counts.total == 0
  }

  private mutating func take(_ counts: ImageCounts, from writer: FeedWriter) {
    result.images = counts
    result.newIDs = writer.newIDs
    result.wanted = writer.wanted
    result.cost = cost
  }

  /// Ends the sync of a feed whose document has not changed, and which has no members to ask for.
  mutating func noteUnchanged(_ known: Feed, _ answer: FeedAnswer) async throws(Failure) {
    let feedNote = FeedNote(status: .unchanged, answer: answer, reach: reach)
    let noted = try await Failure.ofStore(await note(feedNote))
    (result.feed, result.status) = (noted?.feed ?? known, .unchanged)
    result.images.total = known.documentImageCount
    result.note(noted?.move, of: address)
    if known.isList { await result.takeListed(from: tools.store, noted?.feed ?? known) }
  }

  /// Ends the sync of a feed of which nothing was read.
  ///
  /// - Parameters:
  ///   - failure: The reason.
  ///   - retryAfter: The time before which the server does not want another request; nil if it gave no time.
  mutating func fail(_ failure: Failure, retryAfter: Date?) async {
    result.cost = cost
    if failure.isCancellation {
      result.wasStoppedBeforeAnswer = true
      return
    }
    result.feed = known
    result.images.total = known?.documentImageCount ?? 0
    // A feed that is read only because addresses are refused stays as it was, and keeps its next time.
    if plan.readsAnew, writer == nil || failure.isOtherDocument {
      result.wasRead = false
      return
    }
    let end = failure.pausedUntil ?? retryAfter
    var note = FeedNote(
      status: .failed,
      problem: tools.wording(failure),
      answer: FeedAnswer(
        nextSync: end.map { min($0, tools.now().addingTimeInterval(SyncLimits.longestPause)) }
      ),
      isGone: failure == .gone,
      // The user's permission holds even if the server does not answer, and so does the reach of the list that names it.
      reach: givenReach == .anywhere || known == nil ? givenReach : nil
    )
    note.isOffline = failure == .offline || failure.pictureClass == .offline
    tell(failure)
    do throws(StoreError) {
      result.feed = try await self.note(note)?.feed
    } catch {
      // A store that refused the images mostly refuses this note, too; its error is reported once.
      if failure != .store(error) { tell(.store(error)) }
    }
    result.images.total = result.feed?.documentImageCount ?? 0
  }

  private mutating func tell(_ failure: Failure) {
    result.problems.append(SyncProblem(subject: .feed, address: address, failure: failure))
  }

  private func note(_ note: FeedNote) async throws(StoreError) -> NotedFeed? {
    if plan.isDryRun { return known.map { NotedFeed(feed: $0, move: nil) } }
    return try await tools.store.noteSync(ofFeedAt: address, note, now: tools.now())
  }
}

extension FeedAnswer {
  /// Reads the header of a successful response: the document itself, or a 304.
  init(_ header: NetworkHeader, to address: WebAddress, now: Date) {
    let fresh = Double(header.freshSeconds ?? 0)
    let seconds = min(fresh, SyncLimits.longestFreshness)
    self.init(
      validators: header.validators,
      permanentAddress: header.permanentAddress.flatMap { address.mayMove(to: $0) ? $0 : nil },
      nextSync: seconds > 0 ? now.addingTimeInterval(seconds) : nil,
      freshUntil: fresh > 0 ? now.addingTimeInterval(min(fresh, SyncLimits.longestPause)) : nil
    )
    push = header.push
  }
}
