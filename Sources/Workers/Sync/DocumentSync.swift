import FoundationEssentials
import Models

/// Asks for one feed's documents, and writes their images as they arrive.
struct DocumentSync {
  let address: WebAddress
  /// The feed as the library has it; nil when it does not.
  let known: Feed?
  /// How far its content may lead, when that does not depend on its address: what the user has allowed,
  /// or what it inherits from the document that names it.
  let givenReach: FeedReach?
  /// How many documents stand between it and what the user has named.
  var listDepth = 0
  let isForced: Bool
  /// Whether what is only noted of a feed is left out.
  let isDryRun: Bool
  let bounds: FeedBounds
  let tools: SyncTools
  /// Is told what is stored meanwhile.
  let arrivals: DocumentArrivals
  /// Is taken before anything is read.
  let permit: FeedPermit
  let progress: SyncProgress

  /// Does it; a failure is part of the result.
  func run() async -> Result {
    defer { arrivals.end() }
    let start = tools.now()
    do throws(Failure) {
      let validators = isForced ? nil : known?.validators
      let response = try await openToRead(validators ?? Validators())
      switch response.header.status {
      // To a request without validators it would be no answer.
      case 304 where validators?.isEmpty == false:
        return try await readMembers(of: known, response)
      case 200:
        var chain = chain(reach: reach(after: response.header))
        return try await chain.read(response)
      case 410 where known != nil: return await failed(.gone, response.header)
      default: return await failed(.status(response.header.status), response.header)
      }
    } catch {
      var result = await failed(error)
      result.cost.seconds = tools.now().timeIntervalSince(start)
      return result
    }
  }

  /// Asks for the document, and sees to a place for the feed where it has to be read.
  private func openToRead(_ validators: Validators) async throws(Failure) -> NetworkResponse {
    if let response = try await openIfPlace(validators) { return response }
    await permit.take()
    return try await open(validators)
  }

  /// Lets the answer go when it would have to wait for too long.
  private func openIfPlace(_ validators: Validators) async throws(Failure) -> NetworkResponse? {
    let response = try await open(validators)
    guard response.header.status == 200 else { return response }
    let tools = tools
    let hasPlace = await permit.take { try await tools.pause(SyncLimits.longestHold) }
    return hasPlace ? response : nil
  }

  private func open(_ validators: Validators) async throws(Failure) -> NetworkResponse {
    let request = NetworkRequest(
      document: address,
      reach: reach.map { NetworkReach($0) } ?? .typed,
      validators: validators,
      // The document itself may lie anywhere, and be a link: the user has named it.
      fileFolder: address.isFile ? "/" : nil,
      of: address
    )
    do {
      return try await tools.network.open(request)
    } catch {
      throw .network(error)
    }
  }

  /// How far the feed's content may lead; nil while only its address can tell.
  ///
  /// What is stored of a feed goes before what it would inherit, unless the user has allowed all. So a
  /// name that once led to a public address is never asked at a private one.
  private var reach: FeedReach? {
    if givenReach == .anywhere { return .anywhere }
    return known?.reach ?? givenReach ?? (address.isWeb ? nil : .publicOnly)
  }

  private func reach(after header: NetworkHeader) -> FeedReach? {
    reach ?? FeedReach(header.firstPeer)
  }

  private func chain(reach: FeedReach?) -> DocumentChain {
    DocumentChain(
      of: address,
      known: known,
      reach: reach,
      listDepth: listDepth,
      isForced: isForced,
      isDryRun: isDryRun,
      bounds: bounds,
      tools: tools,
      arrivals: arrivals,
      progress: progress
    )
  }

  /// A collection that has not changed can have members that have.
  private func readMembers(
    of known: Feed?,
    _ response: NetworkResponse
  ) async throws(Failure) -> Result {
    guard let known else { throw .status(response.header.status) }
    let bytes = try await response.body.drain()
    progress.update { $0.bytes += bytes }
    var answer = FeedAnswer(response.header, to: address, now: tools.now())
    // A 304 may renew the validators (RFC 9110, section 15.4.5).
    if answer.validators?.isEmpty == true { answer.validators = nil }
    // Of no other format has a document members.
    let members = known.format == .iiif ? try await storedMembers() : []
    let reach = reach(after: response.header)
    if members.isEmpty { return try await noteUnchanged(known, answer, reach, bytes: bytes) }
    answer.validators = answer.validators ?? known.validators
    await permit.take()
    var chain = chain(reach: reach)
    var result = try await chain.readAgain(members, answer)
    result.bytes += bytes
    return result
  }

  private func storedMembers() async throws(Failure) -> [FeedMember] {
    do {
      return try await tools.store.members(ofFeedAt: address)
    } catch {
      throw .store(error)
    }
  }

  private func noteUnchanged(
    _ known: Feed,
    _ answer: FeedAnswer,
    _ reach: FeedReach?,
    bytes: Int
  ) async throws(Failure) -> Result {
    do {
      let noted = try await note(FeedNote(status: .unchanged, answer: answer, reach: reach))
      var result = Result(feed: noted?.feed ?? known, status: .unchanged)
      result.images.total = known.documentImageCount
      result.bytes = bytes
      result.note(noted?.move, of: address)
      if known.isList { await result.takeListed(from: tools.store, noted?.feed ?? known) }
      return result
    } catch {
      throw .store(error)
    }
  }

  private func failed(_ failure: Failure, _ header: NetworkHeader? = nil) async -> Result {
    if failure.isCancellation {
      return Result(status: .failed, wasStoppedBeforeAnswer: true)
    }
    var result = Result(feed: known, status: .failed)
    var failures = [failure]
    let note = FeedNote(
      status: .failed,
      problem: tools.wording(failure),
      answer: FeedAnswer(nextSync: pauseEnd(failure, header)),
      isGone: failure == .gone,
      // What the user allows holds, whether the server answers or not.
      reach: givenReach == .anywhere ? .anywhere : nil
    )
    do throws(StoreError) {
      result.feed = try await self.note(note)?.feed
    } catch {
      failures.append(.store(error))
    }
    result.problems = problems(failures)
    result.images.total = result.feed?.documentImageCount ?? 0
    return result
  }

  /// Before when the server does not want to be asked again; nil when it has not said so.
  private func pauseEnd(_ failure: Failure, _ header: NetworkHeader?) -> Date? {
    var end = header?.retryAfter
    if case .network(let error) = failure, case .paused(let until) = error.reason { end = until }
    return end.map { min($0, tools.now().addingTimeInterval(SyncLimits.longestPause)) }
  }

  /// A store that refused the images mostly refuses the note of it, too: that is said once.
  private func problems(_ failures: [Failure]) -> [SyncProblem] {
    failures.enumerated()
      .filter { index, failure in !failures[..<index].contains(failure) }
      .map { SyncProblem(subject: .feed, address: address, failure: $0.element) }
  }

  private func note(_ note: FeedNote) async throws(StoreError) -> NotedFeed? {
    if isDryRun { return known.map { NotedFeed(feed: $0, move: nil) } }
    return try await tools.store.noteSync(ofFeedAt: address, note, now: tools.now())
  }
}
