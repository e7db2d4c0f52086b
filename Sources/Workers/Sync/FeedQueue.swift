import Models

/// The feeds of a sync: those of the plan, then what lists of feeds and web pages point to.
struct FeedQueue {
  struct Item: Equatable {
    var address: WebAddress
    /// How many documents stand between it and what was asked for.
    var pointers: Int
  }

  private var items: [Item] = []
  private var known: Set<WebAddress> = []
  private var position = 0

  init(_ feeds: [WebAddress]) { append(FoundFeeds(addresses: feeds, pointers: 0)) }

  /// How many feeds there are, done or not.
  var count: Int { items.count }

  mutating func next() -> Item? {
    guard position < items.count else { return nil }
    defer { position += 1 }
    return items[position]
  }

  /// Adds feeds, each address once; a file may be asked for by the user alone.
  mutating func append(_ found: FoundFeeds) {
    guard found.pointers <= SyncLimits.pointersToFeed else { return }
    for address in found.addresses
    where items.count < SyncLimits.feedsPerSync && (found.pointers == 0 || address.isWeb) {
      guard known.insert(address).inserted else { continue }
      items.append(Item(address: address, pointers: found.pointers))
    }
  }
}
