import FoundationEssentials
import Models

/// All documents of one feed, read into one writer: the first, then its next pages or its members.
///
/// A window on the newest entries is followed up to the first page with nothing new, unless its
/// pages have never all been read: then to the last. Of a collection every member is asked, with
/// its own validators. A page or member that cannot be had costs that one: it is told, nothing
/// counts as gone, and the next sync reads the feed as a whole again.
struct DocumentChain {
  let address: WebAddress
  let known: Feed?
  /// How far its content may lead; nil when that is not known.
  let reach: FeedReach?
  private let listDepth: Int
  let isForced: Bool
  let bounds: FeedBounds
  let tools: SyncTools
  let arrivals: DocumentArrivals
  let progress: SyncProgress
  let writer: FeedWriter
  var bytes = 0
  var problems: [SyncProblem] = []
  /// Whether something that belongs to the feed was not read.
  var hasLoss = false
  /// Whether every document so far lists all it has.
  var listsEverything = true
  var hasWarnings = false
  /// What is still to be asked for.
  var queue: DocumentQueue
  /// Bytes of the documents so far, unpacked.
  var documentBytes = 0
  private let start: Date

  init(
    of address: WebAddress,
    known: Feed?,
    reach: FeedReach?,
    listDepth: Int = 0,
    isForced: Bool,
    isDryRun: Bool,
    bounds: FeedBounds,
    tools: SyncTools,
    arrivals: DocumentArrivals,
    progress: SyncProgress
  ) {
    writer = FeedWriter(
      tools.store,
      feedAt: address,
      reach: reach,
      now: tools.now(),
      isDryRun: isDryRun
    )
    self.address = address
    self.known = known
    self.reach = reach
    self.listDepth = listDepth
    self.isForced = isForced
    self.bounds = bounds
    self.tools = tools
    self.arrivals = arrivals
    self.progress = progress
    queue = DocumentQueue(behind: address, limit: bounds.documents)
    start = tools.now()
  }

  /// Reads what the first response begins; what came of a chain that broke is kept.
  mutating func read(_ first: NetworkResponse) async throws(Failure) -> DocumentSync.Result {
    do throws(Failure) {
      let (document, header) = try await readDocument(first, at: address)
      switch Self.continuation(of: document, header) {
      case .none: break
      case .feeds where document.format == .opml && !address.isPiped:
        return try await finishList(document, header)
      case .feeds(let feeds): return pointer(to: feeds)
      case .nextPage(let next): try await readPages(from: next)
      case .members(let members): try await readMembers(members)
      }
      return try await finish(document, FeedAnswer(header, to: address, now: tools.now()))
    } catch {
      return try await breakOff(error)
    }
  }

  /// Asks the members of a collection whose own document has not changed.
  mutating func readAgain(
    _ members: [FeedMember],
    _ answer: FeedAnswer
  ) async throws(Failure) -> DocumentSync.Result {
    let document = FeedDocument(
      format: known?.format ?? .iiif,
      title: known?.ownTitle,
      listsEverything: true
    )
    do throws(Failure) {
      try await readMembers(members.map(\.address))
      return try await finish(document, answer)
    } catch {
      return try await breakOff(error)
    }
  }

  /// What a document says goes before what its header says.
  static func continuation(
    of document: FeedDocument,
    _ header: NetworkHeader
  ) -> FeedContinuation {
    guard document.continuation == .none, let next = header.nextPage else {
      return document.continuation
    }
    return .nextPage(next)
  }

  /// What has been taken so far of what a feed may.
  private var cost: DocumentCost {
    DocumentCost(
      storedBytes: writer.storedBytes,
      documentBytes: documentBytes,
      seconds: tools.now().timeIntervalSince(start)
    )
  }

  /// Throws when the feed has brought so much already that no further document is to be asked for.
  func checkBounds() throws(Failure) {
    let seconds = tools.now().timeIntervalSince(start)
    let bound: FeedBounds.Bound? =
      if documentBytes >= bounds.documentBytes {
        .documentBytes(bounds.documentBytes)
      } else if seconds >= Double(bounds.seconds) {
        .seconds(bounds.seconds)
      } else {
        nil
      }
    if let bound { throw .feed(.beyondBound(bound, stored: writer.counts.total)) }
  }

  /// A list of feeds is followed as a feed is; it always names all that it has.
  private mutating func finishList(
    _ document: FeedDocument,
    _ header: NetworkHeader
  ) async throws(Failure) -> DocumentSync.Result {
    let limit = SyncLimits.pointersToFeed
    guard listDepth < limit else {
      throw .feed(.beyondLimit(of: "lists of feeds behind one another", limit: limit))
    }
    listsEverything = true
    var answer = FeedAnswer(header, to: address, now: tools.now())
    answer.listDepth = listDepth
    return try await finish(document, answer)
  }

  private func pointer(to feeds: [WebAddress]) -> DocumentSync.Result {
    var result = DocumentSync.Result(status: .unchanged)
    result.feeds = feeds
    result.reach = reach
    result.bytes = bytes
    result.problems = problems
    return result
  }

  /// The validators are kept only when nothing of the feed was lost.
  private func finish(
    _ document: FeedDocument,
    _ answer: FeedAnswer
  ) async throws(Failure) -> DocumentSync.Result {
    var document = document
    var answer = answer
    let isLossless = !hasLoss && !hasWarnings
    document.listsEverything = listsEverything && isLossless
    if !isLossless { answer.validators = Validators() }
    if hasLoss { answer.nextSync = nil }
    do {
      let written = try await writer.finish(document, answer: answer, isWhole: !hasLoss)
      let status = written.feed.status ?? .updated
      var result = DocumentSync.Result(feed: written.feed, status: status)
      result.images = written.counts
      result.newIDs = writer.newIDs
      result.wanted = writer.wanted
      result.bytes = bytes
      result.cost = cost
      result.problems = problems
      (result.list, result.feeds, result.reach) = (written.list, written.list?.followed, reach)
      result.note(written.move, of: address)
      return result
    } catch {
      throw .store(error)
    }
  }

  /// Keeps what was read of documents that broke off.
  private func breakOff(_ failure: Failure) async throws(Failure) -> DocumentSync.Result {
    do {
      let (feed, counts) = try await writer.breakOff(
        problem: tools.wording(failure),
        isExcess: failure.isExcess
      )
      var result = DocumentSync.Result(feed: feed, status: .failed)
      result.images = counts
      result.newIDs = writer.newIDs
      result.wanted = writer.wanted
      result.bytes = bytes
      result.cost = cost
      result.problems = problems
      if failure.isCancellation {
        result.status = counts.new + counts.changed > 0 ? .updated : .unchanged
        result.wasStoppedBeforeAnswer = counts.total == 0
      } else {
        result.problems.append(SyncProblem(subject: .feed, address: address, failure: failure))
      }
      return result
    } catch {
      throw .store(error)
    }
  }
}
