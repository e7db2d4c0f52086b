import Models

/// The feeds of a sync: those of the plan, then what lists of feeds and web pages point to.
struct FeedQueue {
  struct Item: Equatable {
    var address: WebAddress
    /// How many documents stand between it and what was asked for.
    var pointers: Int
    /// How far its content may lead, when that does not depend on its address.
    var reach: FeedReach?

    /// What its document points to, which may lead as far as it.
    func found(_ addresses: [WebAddress], reach: FeedReach) -> FoundFeeds {
      FoundFeeds(
        addresses: addresses,
        pointers: pointers + 1,
        mayBeFiles: address.isFile,
        reach: reach
      )
    }
  }

  private var items: [Item] = []
  private var known: Set<WebAddress> = []
  private var position = 0

  /// Takes the feeds that the user has named, and whether they may lead anywhere.
  init(_ feeds: [WebAddress], allowsPrivate: Bool = false) {
    let reach: FeedReach? = allowsPrivate ? .anywhere : nil
    append(FoundFeeds(addresses: feeds, pointers: 0, mayBeFiles: true, reach: reach))
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
      items.append(Item(address: address, pointers: found.pointers, reach: found.reach))
    }
  }
}
