import FoundationEssentials
import Models
import Store
import Workers

/// The rows of a mirror in PostgreSQL.
struct PostgresMirrorRows: StoredMirrorRows {
  let mirrorID: Int64
  let now: Date
  let db: Connection

  func feed(id: Int64) throws -> (feed: Feed, isRemoved: Bool)? {
    try FeedQueries.known(id: id, db)
  }

  func feedID(at address: WebAddress) throws -> Int64? { try FeedQueries.id(at: address, db) }

  func addFeed(at address: WebAddress) throws -> Int64 {
    try FeedQueries.insert(address: address, now: now, db)
  }

  func setRemoved(_ isRemoved: Bool, feedID id: Int64) throws {
    try FeedQueries.setRemoved(isRemoved, id: id, db)
  }

  func update(_ feed: Feed, movedTo address: WebAddress) throws {
    if feed.address.identity != address.identity {
      let other = try FeedQueries.id(at: address, db)
      if other == nil || other == feed.id {
        try FeedQueries.setAddress(address, ofFeed: feed.id, db)
      }
    }
    try FeedQueries.update(feed, db)
  }
}
