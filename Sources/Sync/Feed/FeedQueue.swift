import Models
import Workers

/// The feeds of a sync: those of the plan, then those that lists of feeds and web pages point to.
struct FeedQueue {
  struct Item: Equatable {
    var address: WebAddress
    /// The number of documents between the feed and the address that was asked for.
    var pointers: Int
    /// The reach of its content, if that does not depend on its address.
    var reach: FeedReach?
    /// The document that names it; nil for a feed that the user named.
    var source: WebAddress?
  }

  private var items: [Item] = []
  /// The identities of all feeds so far.
  private var known: Set<String> = []
  /// The bytes of their addresses.
  private var addressBytes = 0
  /// The identities of the documents so far that only point to feeds.
  private var pointing: Set<String> = []
  private var position = 0

  /// Creates the queue with the feeds that the user named or follows.
  ///
  /// - Parameters:
  ///   - feeds: Their addresses.
  ///   - lists: The lists that name some of them, by the identities of the feeds.
  ///   - reach: The reach of their content; nil for the stored reach, or that of their own addresses.
  init(_ feeds: [WebAddress], lists: [String: WebAddress] = [:], reach: FeedReach? = nil) {
    var named = FoundFeeds(addresses: feeds, pointers: 0, mayBeFiles: true, reach: reach)
    named.mayBeFolders = true
    append(named) { lists[$0.identity] }
  }

  /// How many feeds there are, done or not.
  var count: Int { items.count }

  mutating func next() -> Item? {
    guard position < items.count else { return nil }
    defer { position += 1 }
    return items[position]
  }

  /// Adds the feeds that a document points to, each address once.
  ///
  /// - Returns: The reason to leave out some or all of them; nil if all are added.
  mutating func append(_ found: FoundFeeds, of source: WebAddress) -> SyncProblem? {
    pointing.insert(source.identity)
    if let obstacle = obstacle(to: found) {
      return SyncProblem(subject: .feed, address: source, failure: .feed(obstacle))
    }
    guard append(found, from: { _ in source }) else {
      return SyncProblem(subject: .document, address: source, failure: .feed(limitReached))
    }
    let refused = found.addresses.filter { !found.isUsable($0) }
    if found.isList, !refused.isEmpty {
      let first = Array(refused.prefix(DocumentFlaw.mostNamed))
      let flaw = DocumentFlaw.filesLeftOut(refused.count, first: first)
      return SyncProblem(subject: .document, address: source, failure: .flaw(flaw))
    }
    return nil
  }

  private var limitReached: FeedError {
    items.count < SyncLimits.feedsPerSync
      ? .beyondLimit(
        of: "the bytes of the addresses of one sync's feeds",
        limit: SyncLimits.feedAddressBytes
      )
      : .beyondLimit(of: "the feeds of one sync", limit: SyncLimits.feedsPerSync)
  }

  /// The reason to reject all of the feeds; nil if some of them can be added.
  ///
  /// A document that adds no feed has to be reported.
  private func obstacle(to found: FoundFeeds) -> FeedError? {
    if found.pointers > SyncLimits.pointersToFeed {
      return .beyondLimit(of: "lists of feeds behind one another", limit: SyncLimits.pointersToFeed)
    }
    let usable = found.addresses.filter(found.isUsable)
    if usable.isEmpty, !found.addresses.isEmpty, !found.isList {
      return .notAFeed(looksLike: "a list of files, which the web may not name")
    }
    if found.isKnown { return nil }
    let isRing = !usable.isEmpty && usable.allSatisfy { pointing.contains($0.identity) }
    return isRing ? .notAFeed(looksLike: "a list of feeds that leads back to itself") : nil
  }

  /// Adds feeds, and returns whether there was room for all of them.
  @discardableResult
  private mutating func append(
    _ found: FoundFeeds,
    from source: (WebAddress) -> WebAddress?
  ) -> Bool {
    for address in found.addresses where found.isUsable(address) {
      let identity = address.identity
      if known.contains(identity) { continue }
      let bytes = addressBytes + address.text.utf8.count
      guard items.count < SyncLimits.feedsPerSync, bytes <= SyncLimits.feedAddressBytes else {
        return false
      }
      known.insert(identity)
      addressBytes = bytes
      items.append(
        Item(
          address: address,
          pointers: found.pointers,
          reach: found.reach,
          source: source(address)
        )
      )
    }
    return true
  }
}

/// Feeds that a document points to.
struct FoundFeeds: Sendable {
  var addresses: [WebAddress]
  /// The number of documents between these feeds and the address that was asked for.
  var pointers: Int
  /// Whether files may be among them: only the user, and a document on the user's own disk, may name files.
  var mayBeFiles = false
  /// Whether folders may be among them: only the user, and a list on this machine that the user names, may name them.
  ///
  /// Any other list may be a stranger's, and a server would publish the pictures.
  var mayBeFolders = false
  /// Whether the document is a list of feeds, whose other feeds count without those that it must not name.
  var isList = false
  /// The reach of their content, inherited from the document; nil for feeds that the user named, where the address
  /// itself decides.
  var reach: FeedReach?
  /// Whether they come from a list that was followed before; such a list may lead back to others.
  var isKnown = false

  /// Whether an address may be used: a document from the web cannot point to a file.
  func isUsable(_ address: WebAddress) -> Bool {
    address.isWeb || (address.isFolder ? mayBeFolders : mayBeFiles)
  }
}
