import Models

extension DocumentChain {
  /// Reads the next pages, as far as they can tell something new.
  mutating func readPages(from first: WebAddress) async throws(Failure) {
    listsEverything = false
    try await endDocument()
    queue.insert([first])
    var newsBefore = 0
    while newsBefore < news || known?.isWhole != true, let page = queue.next() {
      try checkBounds()
      newsBefore = news
      do throws(Failure) {
        let response = try await open(page, validators: Validators())
        guard response.header.status == 200 else { throw .status(response.header.status) }
        let (document, header) = try await readDocument(response, at: page)
        try await endDocument()
        if let next = Self.nextPage(of: document, header) { queue.insert([next]) }
      } catch {
        try await lose(page, error)
        return
      }
    }
    tellCut()
  }

  /// Reads the members of a collection, and those of the collections among them in their places.
  mutating func readMembers(_ members: [WebAddress]) async throws(Failure) {
    try await endDocument()
    let stored = try await storedValidators()
    queue.insert(members)
    while let member = queue.next() {
      try checkBounds()
      do throws(Failure) {
        queue.insert(try await readMember(member, validators: stored[member] ?? Validators()))
      } catch {
        try await lose(member, error)
      }
    }
    tellCut()
  }

  /// Reads one member, and answers with those that it has itself.
  private mutating func readMember(
    _ member: WebAddress,
    validators: Validators
  ) async throws(Failure) -> [WebAddress] {
    let response = try await open(member, validators: validators)
    switch response.header.status {
    case 304 where !validators.isEmpty:
      try await keep(member, response)
      return []
    case 200: break
    default: throw .status(response.header.status)
    }
    let (document, header) = try await readDocument(response, at: member)
    guard case .members(let inner) = document.continuation else {
      let validators = document.isLossless ? header.validators : Validators()
      let manifest = document.manifest
      try await endDocument(FeedMember(address: member, validators: validators, manifest: manifest))
      return []
    }
    // A collection is read anew each time: what it names is not remembered apart.
    try await endDocument(FeedMember(address: member, validators: Validators()))
    return inner
  }

  private mutating func keep(
    _ member: WebAddress,
    _ response: NetworkResponse
  ) async throws(Failure) {
    bytes += try await response.body.drain()
    do {
      try await writer.keepMember(at: member)
    } catch {
      throw .store(error)
    }
  }

  private var news: Int { writer.counts.new + writer.counts.changed }

  /// Tells that documents were left out; then not all is listed, and the feed is read again as a whole.
  private mutating func tellCut() {
    guard var cut = queue.cut else { return }
    if case .beyondBound(let bound, _) = cut {
      cut = .beyondBound(bound, stored: writer.counts.total)
    }
    problems.append(SyncProblem(subject: .document, address: address, failure: .feed(cut)))
    hasWarnings = true
  }

  /// Tells of a document that could not be read; a stop, a store that fails and a bound end the chain.
  private mutating func lose(_ address: WebAddress, _ failure: Failure) async throws(Failure) {
    if failure.isCancellation || failure.isBeyondBound { throw failure }
    if case .store = failure { throw failure }
    hasLoss = true
    problems.append(SyncProblem(subject: .page, address: address, failure: failure))
    try await endDocument()
  }

  private func endDocument(_ member: FeedMember? = nil) async throws(Failure) {
    do {
      try await writer.endDocument(member: member)
    } catch {
      throw .store(error)
    }
  }

  private func storedValidators() async throws(Failure) -> [WebAddress: Validators] {
    if isForced { return [:] }
    do {
      let members = try await tools.store.members(ofFeedAt: address)
      return Dictionary(members.map { ($0.address, $0.validators) }) { first, _ in first }
    } catch {
      throw .store(error)
    }
  }

  private static func nextPage(
    of document: FeedDocument,
    _ header: NetworkHeader
  ) -> WebAddress? {
    if case .nextPage(let next) = continuation(of: document, header) { next } else { nil }
  }
}
