package import Models
package import Workers

/// The parts of a mirror's queries that write feeds.
extension MirrorQueries {
  package static func mirror(of gallery: WebAddress, _ db: Connection) throws -> MirrorState? {
    try FeedQueries.known(at: gallery, db).flatMap { try mirror(of: $0.feed, db) }
  }

  /// Applies a page of a gallery's changes to its copy; a dry run only counts them.
  package static func apply(
    _ page: MirrorPage,
    to target: MirrorTarget,
    _ db: Connection
  ) throws -> MirrorCounts {
    guard target.isDryRun else { return try write(page, to: target, db) }
    return try db.undoing { try write(page, to: target, db) }
  }

  private static func write(
    _ page: MirrorPage,
    to target: MirrorTarget,
    _ db: Connection
  ) throws -> MirrorCounts {
    let (id, hasMoved) = try take(target, db)
    let rows = MirrorRows(mirrorID: id, now: target.now, db: db)
    var writing = MirrorWriting(rows, for: target)
    var counts = try writing.apply(page.lines)
    counts.hasMoved = hasMoved
    // A copy that was mirrored from another address keeps its cursor.
    if let cursor = page.cursor, !hasMoved {
      try db.run("UPDATE mirror SET cursor = $1 WHERE feed_id = $2", cursor, id)
    }
    return counts
  }

  /// Adds the gallery that a page of changes belongs to, or follows it again.
  ///
  /// - Returns: Its id, and whether the library was mirrored from another address until now, so that the cursor comes
  ///   from that copy.
  private static func take(
    _ target: MirrorTarget,
    _ db: Connection
  ) throws -> (id: Int64, hasMoved: Bool) {
    let known = try FeedQueries.state(at: target.gallery.base, db)
    let id = try known?.id ?? FeedQueries.insert(address: target.gallery.base, now: target.now, db)
    if known?.isRemoved == true { try FeedQueries.setRemoved(false, id: id, db) }
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

  /// The copies of feeds that the gallery had lost, or that were removed with it, and that it names again.
  package static func returning(
    _ feeds: [Feed],
    to target: MirrorTarget,
    _ db: Connection
  ) throws -> [Int64] {
    let place = target.former ?? target.gallery.base
    guard let mirror = try FeedQueries.id(at: place, db) else { return [] }
    return try feeds.filter { !$0.isGallery }.flatMap { feed in
      let known = try FeedQueries.id(at: feed.address, db)
      return try gone(originID: feed.id, feedID: known, ofMirror: mirror, db)
    }
  }
}
