import GRDB
import Models
import Store
import Workers

/// The SQL about the feeds of lists of feeds.
///
/// One transaction stores the feeds that a list names together with the response that names them. Only then are they
/// followed. After an interruption, the next sync follows the rest. A feed that the user removes is declined: lists do
/// not bring it back until the user names it, or the list is removed.
enum ListQueries {
  /// Stores the feeds that a list has now, and returns the same result as `compare`.
  static func store(
    _ addresses: [WebAddress],
    isWhole: Bool,
    listID id: Int64,
    _ db: Database
  ) throws -> ListedFeeds {
    let before = try identities(ofList: id, db)
    let compared = try compare(addresses, isWhole: isWhole, listID: id, db)
    // A list that is followed again brings removed feeds back; a list that has changed does not.
    let insertion = try db.cachedStatement(
      sql: """
        INSERT INTO listed_feed(list_id, identity, address, position, is_declined)
        VALUES (?1, ?2, ?3, ?4, ?5 AND \(isRemoved))
        ON CONFLICT DO UPDATE SET address = excluded.address, position = excluded.position
        """
    )
    var now: Set<String> = []
    for (position, address) in addresses.enumerated() where now.insert(address.identity).inserted {
      let declines = !before.isEmpty
      try insertion.execute(arguments: [id, address.identity, address.text, position, declines])
    }
    if isWhole {
      let deletion = try db.cachedStatement(
        sql: "DELETE FROM listed_feed WHERE list_id = ? AND identity = ?"
      )
      for identity in before.subtracting(now) {
        try deletion.execute(arguments: [id, identity])
      }
    }
    let isSame = isWhole ? now == before : now.isSubset(of: before)
    if !isSame { try ChangeLog.note(feeds: [id], db.store) }
    var list = try listed(byListWithID: id, db)
    (list.new, list.lost) = (compared.new, compared.lost)
    return list
  }

  /// The condition that the user has removed the feed with the identity `?2`.
  ///
  /// Such a feed comes back with a list that is followed for the first time, but not with a list that has changed.
  private static let isRemoved =
    "EXISTS (SELECT 1 FROM feed WHERE identity = ?2 AND is_removed = 1)"

  /// Compares a list with the feeds that it had when it was last read.
  ///
  /// - Parameters:
  ///   - addresses: The feeds of its document, in order.
  ///   - isWhole: Whether the document was read without loss. Otherwise missing feeds may still be in it.
  ///   - id: The list; nil for an unknown list.
  ///   - db: The library.
  /// - Returns: The feeds to follow, in the list's order, the number of new feeds, and the lost feeds that are still
  ///   followed.
  /// - Throws: when the library cannot be read.
  static func compare(
    _ addresses: [WebAddress],
    isWhole: Bool,
    listID id: Int64?,
    _ db: Database
  ) throws -> ListedFeeds {
    let id = id ?? 0
    let before = try identities(ofList: id, db)
    let isDeclined = try db.cachedStatement(
      sql: """
        SELECT coalesce(
          (SELECT is_declined OR EXISTS (SELECT 1 FROM feed WHERE identity = leads_to)
            FROM listed_feed WHERE list_id = ?1 AND identity = ?2),
          ?3 AND \(isRemoved)
        )
        """
    )
    var list = ListedFeeds(followed: [], total: 0)
    var now: Set<String> = []
    for address in addresses where now.insert(address.identity).inserted {
      list.total += 1
      let arguments: StatementArguments = [id, address.identity, !before.isEmpty]
      if try Bool.fetchOne(isDeclined, arguments: arguments) == false {
        list.followed.append(address)
      }
    }
    list.new = now.subtracting(before).count
    guard isWhole else { return list }
    list.lost = try before.subtracting(now).sorted().compactMap { identity in
      try followedAddress(of: identity, listID: id, db)
    }
    return list
  }

  private static func identities(ofList id: Int64, _ db: Database) throws -> Set<String> {
    let sql = "SELECT identity FROM listed_feed WHERE list_id = ?"
    return try String.fetchSet(db, sql: sql, arguments: [id])
  }

  /// The address of a feed that a list has had; nil when the feed is not followed.
  private static func followedAddress(
    of identity: String,
    listID: Int64,
    _ db: Database
  ) throws -> WebAddress? {
    let followed = try db.cachedStatement(
      sql: """
        SELECT feed.address FROM listed_feed JOIN feed
          ON feed.id = coalesce(
            (SELECT id FROM feed WHERE identity = coalesce(leads_to, listed_feed.identity)),
            (SELECT feed_id FROM feed_alias WHERE identity = coalesce(leads_to, listed_feed.identity))
          )
        WHERE list_id = ?1 AND listed_feed.identity = ?2 AND is_removed = 0
        """
    )
    let address = try String.fetchOne(followed, arguments: [listID, identity])
    return address.flatMap(WebAddress.init)
  }

  /// The feeds of a list that is followed; empty when there is no such list.
  static func listed(byListAt address: WebAddress, _ db: Database) throws -> ListedFeeds {
    guard let id = try FeedQueries.id(at: address, db) else {
      return ListedFeeds(followed: [], total: 0)
    }
    return try listed(byListWithID: id, db)
  }

  private static func listed(byListWithID id: Int64, _ db: Database) throws -> ListedFeeds {
    let statement = try db.cachedStatement(
      sql: """
        SELECT address, is_declined OR EXISTS (SELECT 1 FROM feed WHERE identity = leads_to)
        FROM listed_feed WHERE list_id = ? ORDER BY position
        """
    )
    var list = ListedFeeds(followed: [], total: 0)
    let rows = try Row.fetchCursor(statement, arguments: [id])
    while let row = try rows.next() {
      list.total += 1
      if try !row.value(1), let address = try WebAddress(row.value(0)) {
        list.followed.append(address)
      }
    }
    return list
  }

  /// The ids of a list, of its feeds, of the feeds of lists on it, and so on; takes the id of the list.
  static let feedsOfListSQL = """
    WITH RECURSIVE listed(id) AS (
      VALUES(?) UNION SELECT coalesce(
        (SELECT id FROM feed WHERE identity = coalesce(leads_to, listed_feed.identity)),
        (SELECT feed_id FROM feed_alias WHERE identity = coalesce(leads_to, listed_feed.identity))
      ) FROM listed JOIN listed_feed ON list_id = listed.id
    ) SELECT id FROM listed
    """

  static func deleteAll(ofList id: Int64, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM listed_feed WHERE list_id = ?", arguments: [id])
  }

  /// Sets whether lists are kept from bringing a removed feed back.
  static func setDeclined(_ isDeclined: Bool, feedID id: Int64, _ db: Database) throws {
    let own = """
      (SELECT identity FROM feed WHERE id = ?2 UNION
        SELECT identity FROM feed_alias WHERE feed_id = ?2)
      """
    for column in ["identity", "leads_to"] {
      let sql = "UPDATE listed_feed SET is_declined = ?1 WHERE \(column) IN \(own)"
      try db.cachedStatement(sql: sql).execute(arguments: [isDeclined, id])
    }
  }

  static func note(page: WebAddress, leadsTo feed: WebAddress, _ db: Database) throws {
    let sql = "UPDATE listed_feed SET leads_to = ? WHERE identity = ?"
    try db.execute(sql: sql, arguments: [feed.identity, page.identity])
  }
}
