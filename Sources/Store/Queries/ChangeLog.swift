package import Workers

/// The change log: the number of the transaction that last changed each feed, image and pin.
///
/// All rows that a transaction changes get the same number. See `Documentation/Store.md`.
package enum ChangeLog {
  /// Notes a change of images that is not in their rows.
  package static func note(images ids: [Int64], _ db: Connection) throws {
    try note("image", ids, db)
  }

  /// Notes a change of feeds that is not in their rows.
  package static func note(feeds ids: [Int64], _ db: Connection) throws {
    try note("feed", ids, db)
  }

  private static func note(_ table: String, _ ids: [Int64], _ db: Connection) throws {
    if ids.isEmpty { return }
    let dialect = db.dialect
    let sql = "UPDATE \(table) SET change_seq = \(dialect.nextChange) WHERE id \(dialect.ids(1))"
    try db.run(sql, ids)
  }

  /// Adds a tombstone for a feed, an image or a pin that was removed or hidden, unless it has one.
  package static func bury(_ kind: ChangedKind, _ id: Int64, _ db: Connection) throws {
    try bury(kind, [id], db)
  }

  /// Adds a tombstone for each of several that were removed or hidden, unless it has one.
  package static func bury(_ kind: ChangedKind, _ ids: [Int64], _ db: Connection) throws {
    if ids.isEmpty { return }
    let sql = """
      INSERT INTO tombstone(type, id, change_seq, removed_at)
      SELECT $1, value, \(db.dialect.nextChange), \(db.dialect.now) FROM \(db.dialect.list(2))
      WHERE true ON CONFLICT (type, id) DO NOTHING
      """
    try db.run(sql, kind.rawValue, ids)
  }

  /// Gives each of several that were hidden a tombstone of this transaction, even if it has one.
  package static func buryAgain(_ kind: ChangedKind, _ ids: [Int64], _ db: Connection) throws {
    try raise(kind, ids, db)
    try bury(kind, ids, db)
  }

  /// Deletes the tombstone of a feed, an image or a pin, for example because it exists again.
  package static func raise(_ kind: ChangedKind, _ id: Int64, _ db: Connection) throws {
    try raise(kind, [id], db)
  }

  /// Deletes the tombstones of several.
  package static func raise(_ kind: ChangedKind, _ ids: [Int64], _ db: Connection) throws {
    if ids.isEmpty { return }
    try db.run(
      "DELETE FROM tombstone WHERE type = $1 AND id \(db.dialect.ids(2))",
      kind.rawValue,
      ids
    )
  }
}

/// The SQL of pins.
package enum PinQueries {
  package static func isPinned(imageID: Int64, _ db: Connection) throws -> Bool {
    try db.hasRow("SELECT 1 FROM pin WHERE image_id = $1", imageID)
  }

  /// Pins or unpins images of this library's own accord, and returns those that are not hidden, in order.
  package static func set(
    _ isPinned: Bool,
    _ imageIDs: [Int64],
    now: Int64,
    _ db: Connection
  ) throws -> [Int64] {
    let shown = """
      SELECT image.id FROM \(db.dialect.list(1))
      \(db.dialect.joinInOrder) image ON image.id = list.value
      WHERE is_hidden = 0 ORDER BY list.place
      """
    let ids: [Int64] = try db.column(shown, imageIDs)
    if isPinned {
      try add(ids, now: now, db)
      try MirrorQueries.ownPins(of: ids, db)
    } else {
      try delete(ids, db)
    }
    return ids
  }

  /// Pins images at a date, in seconds since 1970, unless they are pinned already.
  package static func add(_ imageIDs: [Int64], now: Int64, _ db: Connection) throws {
    if imageIDs.isEmpty { return }
    let sql = """
      INSERT INTO pin(image_id, pinned_at, change_seq)
      SELECT value, $2, \(db.dialect.nextChange) FROM \(db.dialect.list(1))
      WHERE true ON CONFLICT (image_id) DO NOTHING
      """
    try db.run(sql, imageIDs, now)
    try ChangeLog.raise(.pin, imageIDs, db)
  }

  package static func delete(_ imageIDs: [Int64], _ db: Connection) throws {
    if imageIDs.isEmpty { return }
    let sql = "DELETE FROM pin WHERE image_id \(db.dialect.ids(1)) RETURNING image_id"
    try ChangeLog.bury(.pin, db.column(sql, imageIDs), db)
  }
}
