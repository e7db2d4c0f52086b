import FoundationEssentials
import GRDB
import Models
import Store
import Workers

/// Reads a page of changes with the states of the changed feeds, images and pins, in one transaction.
extension ChangePages {
  static func page(
    _ request: ChangeRequest,
    _ parts: PartCache,
    _ db: Database
  ) throws -> ChangePage {
    guard let version = try ChangeLog.version(db) else { return .none }
    let part = try parts.images(of: request.part, in: version) {
      try ImageListing(ImageQuery(part: request.part), db).unsortedIDs(db)
    }
    let changes = try Self.changes(for: request, among: part) { position, limit in
      try ChangeLog.changes(of: request.kinds, after: position, limit: limit, db)
    }
    let (images, pins) = (changes.ids(.image), changes.ids(.pin))
    let states = try ImageStates.states(images, db.store)
    var pages = try ChangePages(
      request,
      pins: PinQueries.dates(of: pins, db),
      state: { id in states[id] },
      feed: { id in try feed(id, db) }
    )
    let prunedNumber = try ChangeLog.prunedNumber(db)
    return try pages.page(
      of: changes,
      partImages: part,
      version: version,
      prunedNumber: prunedNumber
    )
  }

  private static func feed(_ id: Int64, _ db: Database) throws -> NumberedFeed? {
    let sql = "SELECT change_seq FROM feed WHERE id = ?"
    guard let number = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [id]),
      let feed = try FeedQueries.feed(id: id, db)
    else { return nil }
    return (feed, number)
  }
}

extension PinQueries {
  /// The dates at which images were pinned.
  static func dates(of imageIDs: [Int64], _ db: Database) throws -> [Int64: Date] {
    guard !imageIDs.isEmpty else { return [:] }
    let sql =
      "SELECT image_id, pinned_at FROM pin WHERE image_id IN (SELECT value FROM json_each(?))"
    let pins = try db.cachedStatement(sql: sql).rows([imageIDs.json]) { row in
      try (row.value(0) as Int64, Date(storedSeconds: row.value(1)))
    }
    return Dictionary(pins) { first, _ in first }
  }
}

extension [Int64] {
  /// A JSON array, for `json_each`.
  fileprivate var json: String { "[\(map(String.init).joined(separator: ","))]" }
}
