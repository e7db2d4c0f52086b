import FoundationEssentials
import Models
import Store
import Workers

/// The parts of a mirror's queries that write feeds.
extension MirrorQueries {
  static func mirror(of gallery: WebAddress, _ db: Connection) throws -> MirrorState? {
    try FeedQueries.known(at: gallery, db).flatMap { try mirror(of: $0.feed, db) }
  }

  /// Returns the gallery that a page belongs to, which is added or followed again if necessary.
  ///
  /// - Returns: Its id, and whether it was mirrored from another address until now. In that case, its cursor is that of
  ///   the other copy.
  static func take(
    _ target: MirrorTarget,
    _ db: Connection
  ) throws -> (id: Int64, hasMoved: Bool) {
    let id: Int64
    if let (feed, isRemoved) = try FeedQueries.known(at: target.gallery.base, db) {
      id = feed.id
      if isRemoved { try FeedQueries.setRemoved(false, id: id, db) }
    } else {
      id = try FeedQueries.insert(address: target.gallery.base, now: target.now, db)
    }
    if var feed = try FeedQueries.known(id: id, db)?.feed {
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
    _ db: Connection
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
}
