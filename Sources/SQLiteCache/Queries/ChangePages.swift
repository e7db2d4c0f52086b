import FoundationEssentials
import GRDB
import Models
import Workers

/// Reads a page of changes with the states of what has changed, in one transaction.
struct ChangePages {
  private let request: ChangeRequest
  private let db: Database
  private let states: ImageStates
  private let part: PartOfLibrary
  /// The pins of the images that the page has.
  private let pins: [Int64: Date]
  private var lines: [ChangeLine] = []
  /// The feeds whose lines the page has.
  private var feeds: Set<Int64> = []

  static func page(_ request: ChangeRequest, _ db: Database) throws -> ChangePage {
    guard let version = try ChangeLog.version(db) else { return .none }
    // One more than is asked for tells whether there are more.
    let changes = try ChangeLog.changes(
      of: request.kinds,
      after: request.position,
      limit: request.limit + 1,
      db
    )
    var pages = try ChangePages(request, changes, db)
    let count = try pages.take(changes.prefix(request.limit))
    return ChangePage(
      version: version,
      prunedNumber: try ChangeLog.prunedNumber(db),
      lines: pages.lines,
      next: count < changes.count ? changes[count - 1].position : nil
    )
  }

  private init(_ request: ChangeRequest, _ changes: [Change], _ db: Database) throws {
    func ids(_ kind: ChangedKind) -> [Int64] {
      changes.filter { $0.position.kind == kind && !$0.isRemoval }.map(\.position.id)
    }
    self.request = request
    self.db = db
    states = try ImageStates(ids(.image), db)
    part = try PartOfLibrary(request.part, among: ids(.image) + ids(.pin), db)
    pins = try PinQueries.dates(of: ids(.pin), db)
  }

  /// Takes changes until the page is long enough; answers with how many it has taken, at least one.
  private mutating func take(_ changes: ArraySlice<Change>) throws -> Int {
    var bytes = 0
    for (index, change) in changes.enumerated() {
      bytes += try take(change)
      if bytes >= Limits.changePageBytes || lines.count >= request.limit { return index + 1 }
    }
    return changes.count
  }

  /// Answers with about how many bytes its texts have.
  private mutating func take(_ change: Change) throws -> Int {
    let id = change.position.id
    if change.isRemoval {
      remove(change)
      return 0
    }
    switch change.position.kind {
    case .feed: try takeFeed(change)
    case .pin:
      if part.has(id), let date = pins[id] {
        lines.append(ChangeLine(position: change.position, state: .pin(date)))
      } else {
        remove(change)
      }
    case .image:
      guard part.has(id), let state = try states.state(of: id) else {
        remove(change)
        return 0
      }
      try announceFeed(of: state, change)
      lines.append(ChangeLine(position: change.position, state: .image(state)))
      return state.textBytes
    }
    return 0
  }

  /// What was there never, as far as the client can know, needs no removal.
  private mutating func remove(_ change: Change) {
    guard change.position.number > request.start else { return }
    lines.append(ChangeLine(position: change.position, state: .removed))
  }

  private mutating func takeFeed(_ change: Change) throws {
    guard part.hasFeed(change.position.id),
      let feed = try FeedQueries.feed(id: change.position.id, db)
    else { return }
    feeds.insert(feed.id)
    lines.append(ChangeLine(position: change.position, state: .feed(feed)))
  }

  /// Puts the line of an image's feed before it, if the client may not have that yet.
  ///
  /// A feed's own line mostly comes behind those of its images, since the end of each sync changes the feed. A client
  /// that sees images by their words hears of feeds with the images alone.
  private mutating func announceFeed(of state: ImageState, _ change: Change) throws {
    guard request.kinds.contains(.feed), feeds.insert(state.feedID).inserted else { return }
    let sql = "SELECT change_seq FROM feed WHERE id = ?"
    let number = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [state.feedID])
    let isBehind = number.map { $0 > change.position.number } ?? false
    guard isBehind || request.part.search != nil,
      let feed = try FeedQueries.feed(id: state.feedID, db)
    else { return }
    var position = change.position
    (position.kind, position.id) = (.feed, feed.id)
    lines.append(ChangeLine(position: position, state: .feed(feed)))
  }
}

/// Which images and feeds belong to a part of the library.
private struct PartOfLibrary {
  private let part: LibraryPart
  /// Those of the images that were asked about; nil for the whole library.
  private let ids: Set<Int64>?

  init(_ part: LibraryPart, among ids: [Int64], _ db: Database) throws {
    self.part = part
    guard !part.isWhole else {
      self.ids = nil
      return
    }
    let search = try part.search.map { try SearchExpression($0, feeds: FeedTitles(db), db) }
    let filter = ListingFilter(
      ImageQuery(feedID: part.feedID),
      halfRemoved: [],
      search: search
    )
    let sql = """
      SELECT image.id FROM json_each(?) CROSS JOIN image ON image.id = json_each.value
      WHERE \(filter.condition)
      """
    self.ids = try Set(Int64.fetchAll(db, sql: sql, arguments: [ids.json] + filter.arguments))
  }

  func has(_ imageID: Int64) -> Bool { ids?.contains(imageID) ?? true }

  /// Whether the feed's own changes are for the client.
  func hasFeed(_ id: Int64) -> Bool {
    part.search == nil && part.feedID.map { $0 == id } ?? true
  }
}

extension ChangePage {
  /// Of no library.
  static let none = ChangePage(
    version: LibraryVersion(library: "", epoch: 0, number: 0),
    prunedNumber: 0
  )
}

extension PinQueries {
  /// When images were pinned.
  static func dates(of imageIDs: [Int64], _ db: Database) throws -> [Int64: Date] {
    guard !imageIDs.isEmpty else { return [:] }
    let sql =
      "SELECT image_id, pinned_at FROM pin WHERE image_id IN (SELECT value FROM json_each(?))"
    let pins = try db.cachedStatement(sql: sql).rows([imageIDs.json]) { row in
      try (row.value(0) as Int64, Date(storedSeconds: row.value(1)))
    }
    return Dictionary(uniqueKeysWithValues: pins)
  }
}
