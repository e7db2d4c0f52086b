import FoundationEssentials
import Models
import Workers

/// Requests the documents of one feed, and stores their entries as they arrive.
///
/// Pages are followed up to the first one with nothing new, or to the last one if they were never all read before.
/// Every member of a collection is requested, with its own validators. A page or member that cannot be read does not
/// end the sync. It is reported, no image counts as gone, and the next sync reads the feed as a whole again.
struct DocumentSync {
  let address: WebAddress
  /// The feed as it is stored; nil if the library does not have it.
  let known: Feed?
  /// The reach of the feed's content, if it does not depend on the feed's address: allowed by the user, or inherited
  /// from the document that names the feed.
  let givenReach: FeedReach?
  /// The number of documents between the feed and the address that the user named.
  let listDepth: Int
  /// Whether the user named the feed, and not a list or all feeds.
  let isNamed: Bool
  let plan: SyncPlan
  let tools: SyncTools
  let arrivals: DocumentArrivals
  /// Taken before a document is read.
  let permit: FeedPermit
  let shared: SharedSync

  /// The reach of the feed's content; nil until the first response decides it.
  private(set) var reach: FeedReach?
  /// Nil until a document is read.
  private(set) var writer: FeedWriter?
  /// The pages and members that are still to be requested.
  var queue: DocumentQueue
  var result = Result(status: .failed)
  /// Whether a part of the feed was not read, and whether the documents that were read have flaws.
  var (hasLoss, hasWarnings) = (false, false)
  /// Whether a document that has only pictures needs the words of another one, so that both are read each time.
  private(set) var hasParts = false
  /// Whether every document so far lists all of its content.
  var listsEverything = true
  /// The kinds that the next document may have; nil for every kind, before the first document of a new feed.
  private var kinds: [FeedFormat.Kind]?
  /// The identities of the addresses that the documents so far repeat, those of earlier syncs included.
  private var repeated: Set<String>
  /// Those of this sync alone, in the order in which they count.
  var repeatedNow: [String] = []
  /// The words for documents that have only the pictures of an entry, until these are read.
  private var words: [WebAddress: EntryWords] = [:]
  /// Bytes of the documents so far, after decompression.
  var documentBytes = 0
  private var start: Date
  /// The time before which the server does not want another request; nil if it gave no time.
  private var retryAfter: Date?

  init(
    of address: WebAddress,
    known: Feed?,
    givenReach: FeedReach?,
    listDepth: Int,
    isNamed: Bool,
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
    self.isNamed = isNamed
    self.plan = plan
    self.tools = tools
    self.arrivals = arrivals
    self.permit = permit
    self.shared = shared
    queue = DocumentQueue(behind: address, limit: plan.bounds.documents)
    start = tools.now()
    // A pipe brings another document each time.
    kinds = address.isPiped ? nil : known?.kinds
    repeated = Set(known?.repeatedPictures ?? [])
    // The stored reach of a feed takes precedence over an inherited one, unless the user has allowed every address. So
    // a name that once led to a public address is never requested at a private one.
    reach =
      givenReach == .anywhere
      ? .anywhere : known?.reach ?? givenReach ?? (address.isWeb ? nil : .publicOnly)
  }

  /// Runs the sync; a failure is part of the result.
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
        guard let writer, !error.isOtherDocument || writer.counts.total > 0 else { throw error }
        try await breakOff(error, writer)
      }
    } catch {
      await fail(error.offering(without: known), retryAfter: retryAfter)
    }
  }

  private mutating func ask() async throws(Failure) {
    if known != nil { shared.settle(address) }
    if let folders = tools.pictureFolders, address.isFolder {
      return try await readFolder(with: folders)
    }
    let isAnew = plan.isForced || plan.isExplained || plan.readsAnew
    let validators = (isAnew ? nil : known?.validators) ?? Validators()
    let response = try await openToRead(validators)
    let header = response.header
    reach = reach ?? FeedReach(header.firstPeer)
    switch header.status {
    // A 304 is valid only if the request had validators.
    case 304 where !validators.isEmpty:
      guard let known else { throw .status(304) }
      try await readMembers(of: known, response)
    case 200:
      result.wasRead = true
      if known == nil { await shared.waitForTurn(of: address, tools.pause) }
      begin()
      try await read(response)
    default:
      retryAfter = header.retryAfter
      throw header.status == 410 && known != nil ? .gone : .status(header.status)
    }
  }

  /// Requests the first document, and waits for the feed's permit if the document has to be read.
  private func openToRead(_ validators: Validators) async throws(Failure) -> NetworkResponse {
    if let response = try await openIfPermitted(validators) { return response }
    await permit.take()
    return try await open(address, validators: validators)
  }

  /// Requests the first document; drops the response and its connection if the permit takes too long.
  private func openIfPermitted(
    _ validators: Validators
  ) async throws(Failure) -> NetworkResponse? {
    let response = try await open(address, validators: validators)
    guard response.header.status == 200 else { return response }
    let tools = tools
    let hasPermit = await permit.take { try await tools.pause(SyncLimits.longestHold) }
    return hasPermit ? response : nil
  }

  /// Requests a document of the feed: the first one or another, or one that may not exist (`isGuess`).
  func open(
    _ document: WebAddress,
    validators: Validators,
    attempt: Int = 0,
    decompresses: Bool = true,
    isGuess: Bool = false
  ) async throws(Failure) -> NetworkResponse {
    let isFirst = writer == nil
    var request = NetworkRequest(
      address: document,
      reach: isFirst ? reach.map { NetworkReach($0) } ?? .typed : NetworkReach(reach),
      validators: validators,
      accept: AcceptField.feeds,
      acceptsCompression: true,
      byteLimit: SyncLimits.documentBytes,
      // The first file may be in any folder, and may be a link, because the user named it.
      fileFolder: isFirst ? (address.isFile ? "/" : nil) : address.fileFolder,
      attempt: attempt,
      timeLimit: isGuess ? SyncLimits.guessedDocumentTime : SyncLimits.documentTime,
      feedKey: address.hashValue,
      comesFirst: true
    )
    request.ignoresPause = isFirst && isNamed && plan.isForced
    request.isAwaited = isGuess || isFirst && isNamed && known == nil
    request.waits = NetworkWaits { [progress = shared.progress, address] wait in
      progress.note(wait, of: address.identity)
    }
    // A request that fails within a pause begins no other attempt, which would end it.
    defer { shared.progress.note(nil, of: address.identity) }
    request.feed = self.address
    request.language = mayBeInLanguages ? tools.language : nil
    request.decompresses = decompresses
    return try await Failure.ofNetwork(await tools.network.open(request))
  }

  /// Whether the next document may have several languages: a web page, or a document of IIIF.
  ///
  /// No other document is worth telling its server the reader's language.
  private var mayBeInLanguages: Bool {
    if let kinds { return kinds.contains(.manifest) && kinds.count == 1 || kinds == [.page] }
    return isNamed && plan.followsPage(at: address)
  }

  /// Creates the writer, and starts the clock of the feed.
  mutating func begin() {
    start = tools.now()
    writer = FeedWriter(
      tools.store,
      feedAt: address,
      reach: reach,
      now: tools.now(),
      isDryRun: plan.isDryRun
    )
    writer?.whenAdded = { [shared, address] in shared.settle(address) }
  }

  private mutating func read(_ first: NetworkResponse) async throws(Failure) {
    let document: FeedDocument
    let header: NetworkHeader
    do throws(Failure) {
      (document, header) = try await readDocument(first, at: address)
    } catch {
      guard error == .feed(.webPage), known == nil, isNamed,
        let feed = try await usualFeed(of: first.header.address)
      else { throw error }
      (result.status, result.feeds, result.reach) = (.unchanged, [feed], reach)
      return
    }
    var answer = FeedAnswer(header, to: address, now: tools.now())
    switch Self.continuation(of: document, header) {
    case .none: break
    case .feeds where document.format == .opml && !address.isPiped:
      let limit = SyncLimits.pointersToFeed
      guard listDepth < limit else {
        throw .feed(.beyondLimit(of: "lists of feeds behind one another", limit: limit))
      }
      // A list of feeds is followed like a feed, and always lists all of its content.
      listsEverything = true
      answer.listDepth = listDepth
    case .feeds(let feeds):
      (result.status, result.feeds, result.reach) = (.unchanged, feeds, reach)
      result.isPipedList = document.format == .opml
      return
    case .choice(let named):
      let feeds = try await feed(among: named)
      (result.status, result.feeds, result.reach) = (.unchanged, feeds, reach)
      return
    case .gallery(let gallery):
      result.gallery = gallery.part(ofPage: header.address)
      (result.status, result.reach) = (.unchanged, reach)
      return
    case .nextPage(let next): try await readPages(from: next)
    case .members(let members): try await readMembers(members)
    }
    try await finish(document, answer)
  }

  /// Reads one document to its end; one that breaks off is requested again, from its start.
  ///
  /// - Returns: The document, and the header of its response.
  mutating func readDocument(
    _ response: NetworkResponse,
    at address: WebAddress
  ) async throws(Failure) -> (FeedDocument, NetworkHeader) {
    var response = response
    var attempt = 0
    var decompresses = true
    while true {
      do throws(Failure) {
        let document = try await readOnce(response, at: address)
        note(document, response.header, at: address)
        return (document, response.header)
      } catch {
        attempt += 1
        guard error.isBreak, attempt <= SyncLimits.documentRetries else { throw error }
        if error.isBadEncoding { decompresses = false }
      }
      try await Failure.ofStore(await writer?.restartDocument())
      response = try await open(
        address,
        validators: Validators(),
        attempt: attempt,
        decompresses: decompresses
      )
      guard response.header.status == 200 else { throw .status(response.header.status) }
    }
  }

  private mutating func readOnce(
    _ response: NetworkResponse,
    at document: WebAddress
  ) async throws(Failure) -> FeedDocument {
    guard let writer else { preconditionFailure("a document is read before its feed begins") }
    let reader = DocumentReader(
      response: response,
      writer: writer,
      bounds: plan.bounds,
      kinds: kinds,
      tools: tools,
      arrivals: arrivals,
      progress: shared.progress,
      words: words[document],
      isOfPage: isNamed && plan.followsPage(at: address) || known?.format == .html,
      imageChoice: known?.imageChoice ?? plan.imageChoice(of: address),
      repeated: repeated,
      explain: explain
    )
    defer {
      result.bytes += reader.wireBytes
      documentBytes += reader.documentBytes
    }
    return try await reader.read()
  }

  /// Reports why entries have their images; nil unless the plan asks for that.
  var explain: (([EntryExplanation]) -> Void)? {
    guard plan.isExplained else { return nil }
    return { [address, shared] in shared.teller.yield(.explained($0, feed: address)) }
  }

  /// Notes the facts of one document that concern the whole feed.
  private mutating func note(
    _ document: FeedDocument,
    _ header: NetworkHeader,
    at address: WebAddress
  ) {
    // The parser sees only the address behind redirects, so the requested address is checked here.
    let asksForPart = document.format == .json && address.asksForPart
    listsEverything =
      listsEverything && document.listsEverything && header.nextPage == nil && !asksForPart
    hasWarnings = hasWarnings || !document.isLossless
    hasParts = hasParts || !document.parts.isEmpty
    repeatedNow += document.repeated.filter { !repeatedNow.contains($0) }
    repeated.formUnion(document.repeated)
    words[address] = nil
    words.merge(document.parts) { $1 }
    // The further documents of a feed are of its kind.
    kinds = [document.format.kind]
    result.problems += document.flaws.map { flaw in
      SyncProblem(subject: .document, address: address, failure: .flaw(flaw))
    }
  }

  /// Throws when the feed has reached a limit, so that no further document may be requested.
  func checkBounds() throws(Failure) {
    guard let bound = plan.bounds.bound(onReading: cost) else { return }
    throw .feed(.beyondBound(bound, stored: writer?.counts.total ?? 0))
  }

  /// The cost of the feed's documents so far, to compare with its bounds.
  var cost: DocumentCost {
    DocumentCost(
      storedBytes: writer?.storedBytes ?? 0,
      documentBytes: documentBytes,
      seconds: tools.now().timeIntervalSince(start)
    )
  }
}
