import FoundationEssentials
import Models
import Workers

/// Asks for the documents of one feed, and has their entries stored as they arrive.
///
/// A window on the newest entries is followed up to the first page with nothing new, unless its pages have
/// never all been read: then to the last. Of a collection every member is asked, with its own validators. A
/// page or member that cannot be had costs that one: it is told, nothing counts as gone, and the next sync
/// reads the feed as a whole again.
struct DocumentSync {
  let address: WebAddress
  /// The feed as the library has it; nil when it does not.
  let known: Feed?
  /// How far its content may lead, when that does not depend on its address: what the user has allowed,
  /// or what it inherits from the document that names it.
  let givenReach: FeedReach?
  /// How many documents stand between it and what the user has named.
  let listDepth: Int
  let plan: SyncPlan
  let tools: SyncTools
  let arrivals: DocumentArrivals
  /// Is taken before anything is read.
  let permit: FeedPermit
  let shared: SharedSync

  /// How far the feed's content may lead; nil while only its address can tell.
  private(set) var reach: FeedReach?
  /// Nil until something is read.
  private(set) var writer: FeedWriter?
  /// The pages and members that are still to be asked for.
  var queue: DocumentQueue
  var result = Result(status: .failed)
  /// Whether something that belongs to the feed was not read, and whether something was wrong with what was.
  var (hasLoss, hasWarnings) = (false, false)
  /// Whether every document so far lists all it has.
  var listsEverything = true
  /// Bytes of the documents so far, unpacked.
  private var documentBytes = 0
  private var start: Date
  /// Before when its server does not want to be asked again; nil when it has not said so.
  private var retryAfter: Date?

  init(
    of address: WebAddress,
    known: Feed?,
    givenReach: FeedReach?,
    listDepth: Int,
    plan: SyncPlan,
    tools: SyncTools,
    arrivals: DocumentArrivals,
    permit: FeedPermit,
    shared: SharedSync
  ) {
    self.address = address
    self.known = known
    self.givenReach = givenReach
    self.listDepth = listDepth
    self.plan = plan
    self.tools = tools
    self.arrivals = arrivals
    self.permit = permit
    self.shared = shared
    queue = DocumentQueue(behind: address, limit: plan.bounds.documents)
    start = tools.now()
    // The stored reach of a feed goes before the one that it would inherit, unless the user has allowed all. So a
    // name that once led to a public address is never asked at a private one.
    reach =
      givenReach == .anywhere
      ? .anywhere : known?.reach ?? givenReach ?? (address.isWeb ? nil : .publicOnly)
  }

  /// Does it; a failure is part of the result.
  consuming func run() async -> Result {
    var sync = self
    await sync.read()
    sync.arrivals.end()
    return sync.result
  }

  private mutating func read() async {
    do throws(Failure) {
      do throws(Failure) {
        try await ask()
      } catch {
        guard let writer else { throw error }
        try await breakOff(error, writer)
      }
    } catch {
      await fail(error, retryAfter: retryAfter)
    }
  }

  private mutating func ask() async throws(Failure) {
    let validators = (plan.isForced || plan.isExplained ? nil : known?.validators) ?? Validators()
    let response = try await openToRead(validators)
    let header = response.header
    reach = reach ?? FeedReach(header.firstPeer)
    switch header.status {
    // To a request without validators it would be no answer.
    case 304 where !validators.isEmpty:
      guard let known else { throw .status(304) }
      try await readMembers(of: known, response)
    case 200:
      begin()
      try await read(response)
    default:
      retryAfter = header.retryAfter
      throw header.status == 410 && known != nil ? .gone : .status(header.status)
    }
  }

  /// Asks for the first document, and sees to a permit for the feed where it has to be read.
  private func openToRead(_ validators: Validators) async throws(Failure) -> NetworkResponse {
    if let response = try await openIfPermitted(validators) { return response }
    await permit.take()
    return try await open(address, validators: validators)
  }

  /// Lets the answer go, with its connection, when it would have to wait for too long.
  private func openIfPermitted(
    _ validators: Validators
  ) async throws(Failure) -> NetworkResponse? {
    let response = try await open(address, validators: validators)
    guard response.header.status == 200 else { return response }
    let tools = tools
    let hasPermit = await permit.take { try await tools.pause(SyncLimits.longestHold) }
    return hasPermit ? response : nil
  }

  /// Asks for a document, the first one or another one of the feed.
  func open(
    _ document: WebAddress,
    validators: Validators,
    attempt: Int = 0
  ) async throws(Failure) -> NetworkResponse {
    let isFirst = writer == nil
    let request = NetworkRequest(
      address: document,
      reach: isFirst ? reach.map { NetworkReach($0) } ?? .typed : NetworkReach(reach),
      validators: validators,
      accept: AcceptField.feeds,
      acceptsCompression: true,
      byteLimit: SyncLimits.documentBytes,
      // The first one may lie anywhere, and be a link: the user has named it.
      fileFolder: isFirst ? (address.isFile ? "/" : nil) : address.fileFolder,
      attempt: attempt,
      timeLimit: SyncLimits.documentTime,
      feedKey: address.hashValue,
      comesFirst: true
    )
    return try await Failure.ofNetwork(await tools.network.open(request))
  }

  /// Begins to write.
  mutating func begin() {
    start = tools.now()
    writer = FeedWriter(
      tools.store,
      feedAt: address,
      reach: reach,
      now: tools.now(),
      isDryRun: plan.isDryRun
    )
  }

  private mutating func read(_ first: NetworkResponse) async throws(Failure) {
    let (document, header) = try await readDocument(first, at: address)
    var answer = FeedAnswer(header, to: address, now: tools.now())
    switch Self.continuation(of: document, header) {
    case .none: break
    case .feeds where document.format == .opml && !address.isPiped:
      let limit = SyncLimits.pointersToFeed
      guard listDepth < limit else {
        throw .feed(.beyondLimit(of: "lists of feeds behind one another", limit: limit))
      }
      // A list of feeds is followed as a feed is; it always names all that it has.
      listsEverything = true
      answer.listDepth = listDepth
    case .feeds(let feeds):
      (result.status, result.feeds, result.reach) = (.unchanged, feeds, reach)
      return
    case .gallery(let gallery):
      (result.status, result.gallery, result.reach) = (.unchanged, gallery, reach)
      return
    case .nextPage(let next): try await readPages(from: next)
    case .members(let members): try await readMembers(members)
    }
    try await finish(document, answer)
  }

  /// Reads one document to its end; one that breaks off is asked for again, from its start.
  ///
  /// - Returns: The document, and the header that it came with.
  mutating func readDocument(
    _ response: NetworkResponse,
    at address: WebAddress
  ) async throws(Failure) -> (FeedDocument, NetworkHeader) {
    var response = response
    var attempt = 0
    while true {
      do throws(Failure) {
        let document = try await readOnce(response)
        note(document, response.header, at: address)
        return (document, response.header)
      } catch {
        attempt += 1
        guard error.isBreak, attempt <= SyncLimits.documentRetries else { throw error }
      }
      try await Failure.ofStore(await writer?.restartDocument())
      response = try await open(address, validators: Validators(), attempt: attempt)
      guard response.header.status == 200 else { throw .status(response.header.status) }
    }
  }

  private mutating func readOnce(_ response: NetworkResponse) async throws(Failure) -> FeedDocument
  {
    guard let writer else { preconditionFailure("a document is read before its feed begins") }
    let reader = DocumentReader(
      response: response,
      writer: writer,
      bounds: plan.bounds,
      tools: tools,
      arrivals: arrivals,
      progress: shared.progress,
      explain: explain
    )
    defer {
      result.bytes += reader.wireBytes
      documentBytes += reader.documentBytes
    }
    return try await reader.read()
  }

  /// Tells why entries have their images; nil unless that is asked for.
  private var explain: (([EntryExplanation]) -> Void)? {
    guard plan.isExplained else { return nil }
    return { [address, shared] in shared.teller.yield(.explained($0, feed: address)) }
  }

  /// Notes what a document that was read says of the whole feed.
  private mutating func note(
    _ document: FeedDocument,
    _ header: NetworkHeader,
    at address: WebAddress
  ) {
    // The format sees where a document came from, which may be behind redirects.
    let asksForPart = document.format == .json && address.asksForPart
    listsEverything =
      listsEverything && document.listsEverything && header.nextPage == nil && !asksForPart
    hasWarnings = hasWarnings || !document.isLossless
    result.problems += document.flaws.map { flaw in
      SyncProblem(subject: .document, address: address, failure: .flaw(flaw))
    }
  }

  /// Throws when the feed has brought so much already that no further document is to be asked for.
  func checkBounds() throws(Failure) {
    guard let bound = plan.bounds.bound(onReading: cost) else { return }
    throw .feed(.beyondBound(bound, stored: writer?.counts.total ?? 0))
  }

  /// The part that was used so far of what a feed may take.
  var cost: DocumentCost {
    DocumentCost(
      storedBytes: writer?.storedBytes ?? 0,
      documentBytes: documentBytes,
      seconds: tools.now().timeIntervalSince(start)
    )
  }
}
