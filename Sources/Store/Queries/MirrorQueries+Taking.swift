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
    let id = try take(target, db)
    let rows = MirrorRows(mirrorID: id, now: target.now, db: db)
    var writing = MirrorWriting(rows, for: target)
    let counts = try writing.apply(page.lines)
    if let cursor = page.cursor {
      try db.run("UPDATE mirror SET cursor = $1 WHERE feed_id = $2", cursor, id)
    }
    return counts
  }

  /// Adds the gallery that a page of changes belongs to, or follows it again.
  ///
  /// - Returns: Its id.
  private static func take(_ target: MirrorTarget, _ db: Connection) throws -> Int64 {
    try moveCopy(of: target, db)
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
    try forgetOtherLibrary(than: target.library, ofMirror: id, db)
    try store(target, ofMirror: id, db)
    return id
  }

  /// Gives the copy of a library that has moved its new address; it keeps its id.
  ///
  /// A library keeps its copy only when the target names its former address, because any gallery can state any UUID. A
  /// feed that had the new address before goes, unless it has images: then the copy becomes that feed's.
  private static func moveCopy(of target: MirrorTarget, _ db: Connection) throws {
    guard let former = target.former, let id = try FeedQueries.id(at: former, db),
      try hasCopy(of: target.library, id, db)
    else { return }
    let base = target.gallery.base
    let sql = "SELECT id FROM feed WHERE identity = $1 AND id <> $2"
    if let other: Int64 = try db.value(sql, base.identity, id) {
      if try hasImages(feedID: other, db) {
        try hand(id, to: other, db)
        return try delete(id, db)
      }
      try delete(other, db)
    }
    // The former address may contain a token that is no longer valid, and its answers are not those of the new one.
    try AliasQueries.replace(base, ofFeed: id, db)
    try FeedQueries.forgetAnswer(id: id, db)
  }

  private static func delete(_ id: Int64, _ db: Connection) throws {
    try FeedQueries.setRemoved(true, id: id, db)
    try RemovalQueries.deleteFeed(id: id, db)
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
