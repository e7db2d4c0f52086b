import FoundationEssentials
import Models
import Store
import Workers

/// The parts of a mirror's queries that write feeds.
extension MirrorQueries {
  static func mirror(of gallery: WebAddress, _ db: Database) throws -> MirrorState? {
    guard let id = try FeedQueries.id(at: gallery, db), let feed = try FeedQueries.feed(id: id, db)
    else { return nil }
    return try mirror(of: feed, db)
  }

  /// Adds the gallery that a page of changes belongs to, or follows it again.
  ///
  /// - Returns: Its id, and whether the library was mirrored from another address until now, so that the cursor comes
  ///   from that copy.
  static func take(_ target: MirrorTarget, _ db: Database) throws -> (id: Int64, hasMoved: Bool) {
    let id: Int64
    if let known = try FeedQueries.id(at: target.gallery.base, db) {
      id = known
      if try FeedQueries.isRemoved(id: id, db) == true {
        try FeedQueries.setRemoved(false, id: id, db)
      }
    } else {
      id = try FeedQueries.insert(address: target.gallery.base, now: target.now, db)
    }
    if var feed = try FeedQueries.feed(id: id, db) {
      let title = target.title ?? feed.ownTitle
      if feed.format != .gallery || feed.ownTitle != title {
        (feed.format, feed.isWhole, feed.ownTitle) = (.gallery, true, title)
        try FeedQueries.update(feed, db)
      }
    }
    if let reach = target.reach { try FeedQueries.setReach(reach, id: id, db) }
    let hasMoved = try takeOver(target, as: id, db)
    try store(target, ofMirror: id, db)
    return (id, hasMoved)
  }

  /// Handles a library that has moved to another address, and an address that has another library now.
  private static func takeOver(
    _ target: MirrorTarget,
    as id: Int64,
    _ db: Database
  ) throws -> Bool {
    let former = try target.former.flatMap { try FeedQueries.id(at: $0, db) }
    let other = try takeCopy(of: target, from: former, to: id, db)
    if let other {
      // Its address may contain a token that is no longer valid.
      try FeedQueries.setRemoved(true, id: other, db)
      try RemovalQueries.deleteFeed(id: other, db)
    }
    return try !forgetOtherLibrary(than: target.library, ofMirror: id, db) && other != nil
  }

  /// The copies of feeds that the gallery had lost, or that were removed with it, and that it names again.
  static func returning(
    _ feeds: [Feed],
    to target: MirrorTarget,
    _ db: Database
  ) throws -> [Int64] {
    let place = target.former ?? target.gallery.base
    guard let mirror = try FeedQueries.id(at: place, db) else { return [] }
    return try feeds.filter { !$0.isGallery }.flatMap { feed in
      let known = try FeedQueries.id(at: feed.address, db)
      return try gone(originID: feed.id, feedID: known, ofMirror: mirror, db)
    }
  }
}
