import Models
import Workers

extension DocumentSync {
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

  /// Reads the members of a collection that has not changed itself, if it has any: they may have changed.
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
    // Of no other format has a document members.
    let members = known.format == .iiif ? try await storedMembers() : []
    if members.isEmpty { return try await noteUnchanged(known, answer) }
    answer.validators = answer.validators ?? known.validators
    await permit.take()
    begin()
    try await readMembers(members.map(\.address))
    let document = FeedDocument(format: .iiif, title: known.ownTitle, listsEverything: true)
    try await finish(document, answer)
  }

  /// Reads the members of a collection, and those of the collections among them in their places.
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
    // A collection is read again each time: its own members are not stored apart.
    try await endDocument(FeedMember(address: member, validators: Validators()))
    return inner
  }

  private mutating func keep(
    _ member: WebAddress,
    _ response: NetworkResponse
  ) async throws(Failure) {
    result.bytes += try await response.body.drain()
    try await Failure.ofStore(await writer?.keepMember(at: member))
  }

  private var counts: ImageCounts { writer?.counts ?? ImageCounts() }

  private var news: Int { counts.new + counts.changed }

  /// Tells that documents were left out; then not all is listed, and the feed is read again as a whole.
  private mutating func tellCut() {
    guard var cut = queue.cut else { return }
    if case .beyondBound(let bound, _) = cut {
      cut = .beyondBound(bound, stored: counts.total)
    }
    result.problems.append(SyncProblem(subject: .document, address: address, failure: .feed(cut)))
    hasWarnings = true
  }

  /// Tells of a document that could not be read; a stop, a store that fails and a bound end the chain.
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

  /// The next page or the members of a document; its own word goes before that of its header.
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

/// The pages and members of one feed that are still to be asked for, each once, the next one first.
///
/// However the documents name one another, no more wait than may be asked for at all, and their addresses take
/// a bounded memory: those that would come last are left out.
struct DocumentQueue {
  /// Why some were left out; nil while none was.
  private(set) var cut: FeedError?
  private let limit: Int
  /// The next one is the last, so that others come before it without being moved.
  private var waiting: [WebAddress] = []
  /// Bytes of those that wait.
  private var bytes = 0
  /// Those that wait, and those that were asked for.
  private var known: Set<WebAddress>
  private var askedCount = 0

  /// Takes the first document, which is asked for already, and how many others may be.
  init(behind first: WebAddress, limit: Int) {
    known = [first]
    self.limit = limit
  }

  /// Takes the next one, which counts as asked for.
  mutating func next() -> WebAddress? {
    guard let address = waiting.popLast() else { return nil }
    bytes -= address.text.utf8.count
    askedCount += 1
    return address
  }

  /// Adds those that a document names, in its order, before all that wait.
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

  /// Whether more wait than may, the last ones not counted.
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
