import Models

/// Asks for one feed's documents, and writes their images as they arrive.
struct DocumentSync {
  /// What came of it.
  struct Result {
    var feed: Feed?
    var status: Feed.Status
    var images = ImageCounts()
    var bytes = 0
    var problems: [SyncProblem] = []
    /// The feeds that the document only points to: it is none itself.
    var feeds: [WebAddress]?
    var wasStoppedBeforeAnswer = false
  }

  let address: WebAddress
  let isForced: Bool
  let tools: SyncTools
  let progress: SyncProgress

  /// Does it; a failure is part of the result.
  func run() async -> Result {
    do throws(Failure) {
      let known = try knownFeed()
      let validators = isForced ? nil : known?.validators
      let response = try await open(validators ?? Validators())
      switch response.header.status {
      // To a request without validators it would be no answer.
      case 304 where validators?.isEmpty == false:
        return try await readMembers(of: known, response)
      case 200:
        var chain = try chain(known)
        return try await chain.read(response)
      default: throw .status(response.header.status)
      }
    } catch {
      return failed(error)
    }
  }

  private func knownFeed() throws(Failure) -> Feed? {
    do {
      return try tools.store.feed(at: address)
    } catch {
      throw .store(error)
    }
  }

  private func open(_ validators: Validators) async throws(Failure) -> NetworkResponse {
    let request = NetworkRequest(
      document: address,
      validators: validators,
      // The document itself may lie anywhere, and be a link: the user has named it.
      fileFolder: address.isFile ? "/" : nil
    )
    do {
      return try await tools.network.open(request)
    } catch {
      throw .network(error)
    }
  }

  private func chain(_ known: Feed?) throws(Failure) -> DocumentChain {
    try DocumentChain(
      of: address,
      known: known,
      isForced: isForced,
      tools: tools,
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
    // A 304 may renew the validators (RFC 9110, section 15.4.5).
    let renewed = response.header.validators
    let members = try storedMembers()
    if members.isEmpty {
      return try noteUnchanged(known, renewed.isEmpty ? nil : renewed, bytes: bytes)
    }
    var chain = try chain(known)
    var result = try await chain.readAgain(
      members,
      validators: renewed.isEmpty ? known.validators : renewed
    )
    result.bytes += bytes
    return result
  }

  private func storedMembers() throws(Failure) -> [FeedMember] {
    do {
      return try tools.store.members(ofFeedAt: address)
    } catch {
      throw .store(error)
    }
  }

  private func noteUnchanged(
    _ known: Feed,
    _ validators: Validators?,
    bytes: Int
  ) throws(Failure) -> Result {
    var result = Result(feed: known, status: .unchanged)
    result.images.total = known.documentImageCount
    result.bytes = bytes
    do {
      try noteSync(.unchanged, problem: nil, validators: validators)
      return result
    } catch {
      throw .store(error)
    }
  }

  private func failed(_ failure: Failure) -> Result {
    if failure.isCancellation {
      return Result(status: .failed, wasStoppedBeforeAnswer: true)
    }
    var result = Result(status: .failed)
    var failures = [failure]
    do throws(StoreError) {
      try noteSync(.failed, problem: tools.wording(failure), validators: nil)
    } catch {
      failures.append(.store(error))
    }
    do throws(Failure) {
      result.feed = try knownFeed()
    } catch {
      failures.append(error)
    }
    result.problems = problems(failures)
    result.images.total = result.feed?.documentImageCount ?? 0
    return result
  }

  /// A store that refused the images mostly refuses the note of it, too: that is said once.
  private func problems(_ failures: [Failure]) -> [SyncProblem] {
    failures.enumerated()
      .filter { index, failure in !failures[..<index].contains(failure) }
      .map { SyncProblem(subject: .feed, address: address, failure: $0.element) }
  }

  private func noteSync(
    _ status: Feed.Status,
    problem: String?,
    validators: Validators?
  ) throws(StoreError) {
    try tools.store.noteSync(
      ofFeedAt: address,
      status: status,
      problem: problem,
      validators: validators,
      now: tools.now()
    )
  }
}
