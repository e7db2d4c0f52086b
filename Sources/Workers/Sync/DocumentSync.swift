import Models

/// Asks for one feed's document, reads it as it arrives, and writes its images in batches.
struct DocumentSync {
  /// What came of it.
  struct Result {
    var feed: Feed?
    var status: Feed.Status
    var images = ImageCounts()
    var bytes = 0
    var problems: [SyncProblem] = []
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
      let response = try await open(known)
      switch response.header.status {
      case 304 where known != nil: return try await noteUnchanged(response, of: known)
      case 200: return try await read(response)
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

  private func open(_ known: Feed?) async throws(Failure) -> NetworkResponse {
    let request = NetworkRequest(
      address: address,
      validators: isForced ? Validators() : known?.validators ?? Validators(),
      accept: AcceptField.feeds,
      acceptsCompression: true,
      byteLimit: SyncLimits.documentBytes,
      fileFolder: address.fileFolder
    )
    do {
      return try await tools.network.open(request)
    } catch {
      throw .network(error)
    }
  }

  /// A 304 may renew the validators (RFC 9110, section 15.4.5).
  private func noteUnchanged(
    _ response: NetworkResponse,
    of known: Feed?
  ) async throws(Failure) -> Result {
    let bytes = try await wireBytes(of: response.body)
    let renewed = response.header.validators
    let validators = renewed.isEmpty ? nil : renewed
    var result = Result(feed: known, status: .unchanged)
    result.images.total = known?.documentImageCount ?? 0
    result.bytes = bytes
    progress.update { $0.bytes += bytes }
    do {
      try noteSync(.unchanged, problem: nil, validators: validators)
      return result
    } catch {
      throw .store(error)
    }
  }

  /// Reads a body that nobody wants to its end: only then all of its bytes are counted.
  private func wireBytes(of body: any NetworkBody) async throws(Failure) -> Int {
    do {
      while try await body.next() != nil {}
      return body.wireBytes
    } catch {
      throw .network(error)
    }
  }

  private func read(_ response: NetworkResponse) async throws(Failure) -> Result {
    var reader = try DocumentReader(response, of: address, tools: tools, progress: progress)
    return try await reader.read()
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
