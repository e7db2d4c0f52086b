import FoundationEssentials
import Models
import Store
import Workers

/// The rows of a mirror in SQLite.
struct SQLiteMirrorRows: StoredMirrorRows {
  let mirrorID: Int64
  let now: Date
  let soundFeeds: Locked<SoundFeeds>
  let database: Database

  var db: Store.Connection { database.store }

  func feed(id: Int64) throws -> (feed: Feed, isRemoved: Bool)? {
    guard let feed = try FeedQueries.feed(id: id, database),
      let isRemoved = try FeedQueries.isRemoved(id: id, database)
    else { return nil }
    return (feed, isRemoved)
  }

  func feedID(at address: WebAddress) throws -> Int64? {
    try FeedQueries.id(at: address, database)
  }

  func addFeed(at address: WebAddress) throws -> Int64 {
    try soundFeeds.withLock { sound in
      try FeedQueries.insert(address: address, now: now, checking: &sound, database)
    }
  }

  func setRemoved(_ isRemoved: Bool, feedID id: Int64) throws {
    try FeedQueries.setRemoved(isRemoved, id: id, database)
  }

  func update(_ feed: Feed, movedTo address: WebAddress) throws {
    var feed = feed
    if feed.address.identity != address.identity {
      try AliasQueries.move(&feed, to: address, database)
    }
    try FeedQueries.update(feed, database)
  }
}
