import FoundationEssentials
package import Models
package import Workers

/// Reads a page of changes with the states of the changed feeds, images and pins, in one transaction.
extension ChangePages {
  /// - Parameters:
  ///   - request: The client's request.
  ///   - db: A transaction.
  ///   - part: The images of the client's part in a version of the library; nil for all.
  ///   - feed: Reads a feed.
  /// - Returns: The page.
  /// - Throws: when the library cannot be read.
  package static func page(
    _ request: ChangeRequest,
    _ db: Connection,
    part: (LibraryVersion) throws -> PartImages?,
    feed: @escaping (Int64) throws -> Feed?
  ) throws -> ChangePage {
    guard let version = try ChangeLog.version(db) else { return .none }
    let part = try part(version)
    let changes = try Self.changes(for: request, among: part) { position, limit in
      try ChangeLog.changes(of: request.kinds, after: position, limit: limit, db)
    }
    let (images, pins) = (changes.ids(.image), changes.ids(.pin))
    let states = try ImageStates.states(images, db)
    var pages = try ChangePages(
      request,
      pins: PinQueries.numbered(of: request.kinds.contains(.pin) ? pins + images : [], db),
      state: { id in states[id] },
      feed: { id in
        let number: Int64? = try db.value("SELECT change_seq FROM feed WHERE id = $1", id)
        guard let number, let feed = try feed(id) else { return nil }
        return (feed, number)
      }
    )
    return try pages.page(
      of: changes,
      partImages: part,
      version: version,
      prunedNumber: ChangeLog.prunedNumber(db)
    )
  }
}

extension PinQueries {
  /// The pins of images.
  fileprivate static func numbered(
    of imageIDs: [Int64],
    _ db: Connection
  ) throws -> [Int64: ChangePages.NumberedPin] {
    if imageIDs.isEmpty { return [:] }
    let sql = "SELECT image_id, pinned_at, change_seq FROM pin WHERE image_id \(db.dialect.ids(1))"
    let pins = try db.rows(sql, imageIDs) { row in
      let pin: ChangePages.NumberedPin = try (Date(storedSeconds: row.value(1)), row.value(2))
      return try (row.value(0) as Int64, pin)
    }
    return Dictionary(pins) { first, _ in first }
  }
}
