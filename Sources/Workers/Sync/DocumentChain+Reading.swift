import Models

extension DocumentChain {
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
      response = try await openAgain(address, attempt: attempt)
    }
  }

  private mutating func readOnce(_ response: NetworkResponse) async throws(Failure) -> FeedDocument
  {
    let reader = DocumentReader(
      response,
      formats: tools.formats,
      writer: writer,
      store: tools.store,
      arrivals: arrivals,
      progress: progress,
      bounds: bounds
    )
    defer {
      bytes += reader.wireBytes
      documentBytes += reader.documentBytes
    }
    return try await reader.read()
  }

  private func openAgain(
    _ address: WebAddress,
    attempt: Int
  ) async throws(Failure) -> NetworkResponse {
    do {
      try await writer.restartDocument()
    } catch {
      throw .store(error)
    }
    let response = try await open(address, validators: Validators(), attempt: attempt)
    guard response.header.status == 200 else { throw .status(response.header.status) }
    return response
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
    problems += document.flaws.map { flaw in
      SyncProblem(subject: .document, address: address, failure: .flaw(flaw))
    }
  }

  func open(
    _ address: WebAddress,
    validators: Validators,
    attempt: Int = 0
  ) async throws(Failure) -> NetworkResponse {
    let request = NetworkRequest(
      document: address,
      reach: NetworkReach(reach),
      validators: validators,
      fileFolder: self.address.fileFolder,
      of: self.address,
      attempt: attempt
    )
    do {
      return try await tools.network.open(request)
    } catch {
      throw .network(error)
    }
  }
}
