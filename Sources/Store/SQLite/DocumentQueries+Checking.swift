package import Workers

/// What is checked in a file of SQLite, where a damaged index may hide a stored image: it would be added again.
extension DocumentQueries {
  /// How many stored images after new ones are compared with them.
  private static let neighboursLookedAt = 16

  /// Throws when an image that is about to be added is stored already, but no index has found it.
  ///
  /// For each run of new images, this compares the stored images after the image before the run.
  package func checkAreNew(_ added: [NewImage]) throws {
    guard case .sqlite = db.dialect else { return }
    var start = 0
    for end in 1...max(added.count, 1)
    where end >= added.count || !added[end].follows(added[end - 1]) {
      guard start < added.count else { return }
      try checkAreNew(added[start..<end], after: added[start].positionBefore)
      start = end
    }
  }

  private func checkAreNew(_ added: ArraySlice<NewImage>, after position: Int64?) throws {
    let hashes = Set(added.map(\.image.originalHash))
    let following = """
      SELECT id, entry_id, original_hash FROM image INDEXED BY image_feed
      WHERE feed_id = $1 AND position > $2 ORDER BY position LIMIT $3
      """
    let values: [any Parameter] = [
      feedID, position ?? Int64.min, added.count + Self.neighboursLookedAt,
    ]
    try db.forEachRow(following, with: Values(values)) { row in
      let (entryID, hash): (String?, Int64) = try (row.value(1), row.value(2))
      guard hashes.contains(hash) else { return true }
      let id: Int64 = try row.value(0)
      for new in added where new.image.originalHash == hash && new.entryID?.text == entryID {
        throw UnsoundRow(message: "no index finds row \(id) of image by what it is looked up by")
      }
      return true
    }
  }

  /// Throws when the index of a feed's images is empty, but the feed has some.
  func checkHasNoImages() throws {
    guard case .sqlite = db.dialect else { return }
    guard try FeedImageCount.count(ofFeed: feedID, db) == 0 else {
      throw UnsoundRow(message: "no index finds the images of feed \(feedID)")
    }
  }

  /// Throws when an index has a row under a wrong hash: the look-up would miss the image.
  func check(_ id: Int64, has hash: Int64, _ real: Int64?) throws {
    guard case .sqlite = db.dialect else { return }
    if hash != real { throw UnsoundRow(message: "row \(id) of image is not as it was written") }
  }
}

extension NewImage {
  /// Whether it comes right after another new image.
  fileprivate func follows(_ other: NewImage) -> Bool { positionBefore == other.position }
}
