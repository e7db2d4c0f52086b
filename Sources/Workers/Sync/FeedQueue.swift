import Models

/// The feeds of a sync: those of the plan, then what lists of feeds and web pages point to.
struct FeedQueue {
  struct Item: Equatable {
    var address: WebAddress
    /// How many documents stand between it and what was asked for.
    var pointers: Int

    /// What its document points to.
    func found(_ addresses: [WebAddress]) -> FoundFeeds {
      FoundFeeds(addresses: addresses, pointers: pointers + 1, mayBeFiles: address.isFile)
    }
  }

  private var items: [Item] = []
  private var known: Set<WebAddress> = []
  private var position = 0

  init(_ feeds: [WebAddress]) {
    append(FoundFeeds(addresses: feeds, pointers: 0, mayBeFiles: true))
  }

  /// How many feeds there are, done or not.
  var count: Int { items.count }

  mutating func next() -> Item? {
    guard position < items.count else { return nil }
    defer { position += 1 }
    return items[position]
  }

  /// Adds feeds, each address once; nothing from the web can point to a file.
  mutating func append(_ found: FoundFeeds) {
    guard found.pointers <= SyncLimits.pointersToFeed else { return }
    for address in found.addresses
    where items.count < SyncLimits.feedsPerSync && (found.mayBeFiles || address.isWeb) {
      guard known.insert(address).inserted else { continue }
      items.append(Item(address: address, pointers: found.pointers))
    }
  }
}
