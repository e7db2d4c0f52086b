import GRDB
import Models
import Workers

/// The SQL about the feeds of lists of feeds.
///
/// What a list names is remembered with the answer that named it, in one transaction, and only then followed: what
/// an interruption leaves out is still to be followed with the next sync. A feed that the user removes is declined:
/// no list brings it back before the user names it, or the list goes.
enum ListQueries {
  /// Stores what a list has now, and answers with what is to be followed and how it differs from before.
  ///
  /// - Parameters:
  ///   - addresses: The feeds of its document, in order.
  ///   - isWhole: Whether the document was read without loss: else what is missing may still be there.
  ///   - id: The list.
  ///   - db: The transaction that ends its document.
  /// - Returns: The list since.
  /// - Throws: when the library cannot be written.
  static func store(
    _ addresses: [WebAddress],
    isWhole: Bool,
    listID id: Int64,
    _ db: Database
  ) throws -> ListedFeeds {
    let before = try String.fetchSet(
      db,
      sql: "SELECT identity FROM listed_feed WHERE list_id = ?",
      arguments: [id]
    )
    // What the user has removed comes back with a list that is followed anew, not with one that has changed.
    let insertion = try db.cachedStatement(
      sql: """
        INSERT INTO listed_feed(list_id, identity, address, place, is_declined)
        VALUES (?1, ?2, ?3, ?4, ?5 AND EXISTS (SELECT 1 FROM feed WHERE identity = ?2 AND is_removed = 1))
        ON CONFLICT DO UPDATE SET address = excluded.address, place = excluded.place
        """
    )
    var now: Set<String> = []
    for (place, address) in addresses.enumerated() {
      let identity = address.identity
      guard now.insert(identity).inserted else { continue }
      try insertion.execute(arguments: [id, identity, address.text, place, !before.isEmpty])
    }
    var lost: [WebAddress] = []
    if isWhole {
      for identity in before.subtracting(now).sorted() {
        if let address = try lose(identity, listID: id, db) { lost.append(address) }
      }
    }
    var list = try listed(byListWithID: id, db)
    (list.new, list.lost) = (now.subtracting(before).count, lost)
    return list
  }

  /// Takes a feed off a list; answers with its address when it is followed all the same.
  private static func lose(
    _ identity: String,
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
    let sql = "DELETE FROM listed_feed WHERE list_id = ? AND identity = ?"
    try db.execute(sql: sql, arguments: [listID, identity])
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
        FROM listed_feed WHERE list_id = ? ORDER BY place
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

  static func deleteAll(ofList id: Int64, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM listed_feed WHERE list_id = ?", arguments: [id])
  }

  /// Keeps lists from bringing a feed back that is removed, or lets them.
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
