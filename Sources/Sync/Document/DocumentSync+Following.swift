import Models
import Workers

extension DocumentSync {
  /// Reads the next pages; stops at a page without news if all pages of the feed were read before.
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

  /// Reads the members of a collection that has not changed, if it has any, because they may have changed.
  mutating func readMembers(
    of known: Feed,
    _ response: NetworkResponse
  ) async throws(Failure) {
    let bytes = try await response.body.drain()
    result.bytes += bytes
    shared.progress.update { $0.bytes += bytes }
    var answer = FeedAnswer(response.header, to: address, now: tools.now())
    // A 304 may renew the validators (RFC 9110, section 15.4.5).
    if answer.validators?.isEmpty == true { answer.validators = nil }
    // Only documents of IIIF and sitemaps have members.
    let format = known.format ?? .iiif
    let members = format == .iiif || format == .sitemap ? try await storedMembers() : []
    if members.isEmpty { return try await noteUnchanged(known, answer) }
    answer.validators = answer.validators ?? known.validators
    await permit.take()
    begin()
    try await readMembers(members.map(\.address))
    let document = FeedDocument(
      format: format,
      title: known.ownTitle,
      listsEverything: format == .iiif
    )
    try await finish(document, answer)
  }

  /// Reads the members of a collection, and the members of each collection among them in its place.
  mutating func readMembers(_ addresses: [WebAddress]) async throws(Failure) {
    try await endDocument()
    let members = plan.isForced ? [] : try await storedMembers()
    let stored = Dictionary(members.map { ($0.address, $0.validators) }) { first, _ in first }
    queue.insert(addresses)
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

  /// Reads one member, and returns its own members if it is a collection.
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
    // A collection is read again each time, because its own members are not stored separately.
    let manifest = document.manifest
    try await endDocument(FeedMember(address: member, validators: Validators(), manifest: manifest))
    return inner
  }

  private mutating func keep(
    _ member: WebAddress,
    _ response: NetworkResponse
  ) async throws(Failure) {
    result.bytes += try await response.body.drain()
    // It still names what it repeated when it was read.
    if let known { repeatedNow += known.repeatedPictures.filter { !repeatedNow.contains($0) } }
    try await Failure.ofStore(await writer?.keepMember(at: member))
  }

  private var counts: ImageCounts { writer?.counts ?? ImageCounts() }

  private var news: Int { counts.new + counts.changed }

  /// Reports that documents were left out.
  ///
  /// The feed then does not count as complete, and the next sync reads it as a whole again.
  private mutating func tellCut() {
    guard var cut = queue.cut else { return }
    if case .beyondBound(let bound, _) = cut {
      cut = .beyondBound(bound, stored: counts.total)
    }
    result.problems.append(SyncProblem(subject: .document, address: address, failure: .feed(cut)))
    hasWarnings = true
  }

  /// Reports a document that could not be read.
  ///
  /// A cancellation, an error of the store and a reached bound are thrown instead, and end the chain.
  private mutating func lose(_ address: WebAddress, _ failure: Failure) async throws(Failure) {
    if failure.isCancellation || failure.isBeyondBound { throw failure }
    if case .store = failure { throw failure }
    hasLoss = true
    result.problems.append(SyncProblem(subject: .page, address: address, failure: failure))
    try await endDocument()
  }

  private func endDocument(_ member: FeedMember? = nil) async throws(Failure) {
    try await Failure.ofStore(await writer?.endDocument(member: member))
  }

  private func storedMembers() async throws(Failure) -> [FeedMember] {
    try await Failure.ofStore(await tools.store.contents(ofFeedAt: address)).members
  }

  /// The next page or the members of a document; the document's own links take precedence over those of its header.
  static func continuation(
    of document: FeedDocument,
    _ header: NetworkHeader
  ) -> FeedContinuation {
    guard document.continuation == .none, let next = header.nextPage else {
      return document.continuation
    }
    return .nextPage(next)
  }

  private static func nextPage(
    of document: FeedDocument,
    _ header: NetworkHeader
  ) -> WebAddress? {
    if case .nextPage(let next) = continuation(of: document, header) { next } else { nil }
  }
}

/// The queue of pages and members of one feed that are still to be requested, each once.
///
/// Documents can name one another in any way, yet the queue never holds more than may still be requested, and the
/// memory for its addresses is bounded. The addresses that would come last are left out.
struct DocumentQueue {
  /// The reason why addresses were left out; nil if the queue has all of them.
  private(set) var cut: FeedError?
  private let limit: Int
  /// In reverse order, so that adding addresses before the others moves no address.
  private var waiting: [WebAddress] = []
  /// The bytes of the waiting addresses.
  private var bytes = 0
  /// The addresses that wait, and those that were requested.
  private var known: Set<WebAddress>
  private var askedCount = 0

  /// Creates the queue behind the first document, which is requested already, for up to `limit` others.
  init(behind first: WebAddress, limit: Int) {
    known = [first]
    self.limit = limit
  }

  /// Removes the next address, which then counts as requested.
  mutating func next() -> WebAddress? {
    guard let address = waiting.popLast() else { return nil }
    bytes -= address.text.utf8.count
    askedCount += 1
    return address
  }

  /// Inserts the addresses that a document names, in its order, before all that wait.
  mutating func insert(_ addresses: [WebAddress]) {
    let news = addresses.filter { known.insert($0).inserted }
    waiting.append(contentsOf: news.reversed())
    bytes += news.reduce(0) { $0 + $1.text.utf8.count }
    leaveOutLast()
  }

  private mutating func leaveOutLast() {
    var count = 0
    while count < waiting.count, isTooMuch(without: count) {
      bytes -= waiting[count].text.utf8.count
      known.remove(waiting[count])
      count += 1
    }
    waiting.removeFirst(count)
  }

  /// Whether the queue exceeds a limit even without its last `count` addresses.
  private mutating func isTooMuch(without count: Int) -> Bool {
    if waiting.count - count > limit - askedCount {
      cut = .beyondBound(.documents(limit), stored: 0)
      return true
    }
    guard bytes > SyncLimits.waitingAddressBytes else { return false }
    cut = .beyondLimit(
      of: "the bytes of the addresses of what is to be read next",
      limit: SyncLimits.waitingAddressBytes
    )
    return true
  }
}
