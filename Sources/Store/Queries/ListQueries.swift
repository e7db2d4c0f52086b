package import Models
package import Workers

/// The SQL about the feeds of lists of feeds.
///
/// One transaction stores the feeds that a list names together with the response that names them. Only then are they
/// followed. After an interruption, the next sync follows the rest. A feed that the user removes is declined: lists do
/// not bring it back until the user names it, or the list is removed.
package enum ListQueries {
  /// A feed on a list, as of the list's last read.
  private struct Listed {
    var identity: String
    /// Nil for an invalid address, which this program never writes.
    var address: WebAddress?
    var position: Int
    var isLeftOut: Bool
  }

  /// Stores the feeds that a list has now, and returns them with the difference that `compare` finds.
  package static func store(
    _ addresses: [WebAddress],
    isWhole: Bool,
    listID id: Int64,
    _ db: Connection
  ) throws -> ListedFeeds {
    let before = try listed(byListWithID: id, db)
    let compared = try compare(addresses, isWhole: isWhole, with: before, listID: id, db)
    let now = once(addresses)
    try write(now, before: before, listID: id, db)
    let lost = Set(before.map(\.identity)).subtracting(now.map(\.identity))
    if isWhole, !lost.isEmpty {
      let sql = "DELETE FROM listed_feed WHERE list_id = $1 AND identity \(db.dialect.ids(2))"
      try db.run(sql, id, Array(lost))
    }
    if compared.new > 0 || isWhole && !lost.isEmpty { try ChangeLog.note(feeds: [id], db) }
    var list = try feeds(ofListWithID: id, db)
    (list.new, list.lost) = (compared.new, compared.lost)
    return list
  }

  /// Writes the rows that are new or differ.
  private static func write(
    _ addresses: [WebAddress],
    before: [Listed],
    listID id: Int64,
    _ db: Connection
  ) throws {
    let known = Dictionary(before.map { ($0.identity, $0) }) { first, _ in first }
    let new = addresses.filter { known[$0.identity] == nil }
    let declined = try removedFeeds(among: new, newOn: before, db)
    let columns = ["list_id", "identity", "address", "position", "is_declined"]
    var rows = NewRows(into: "listed_feed", columns, count: new.count)
    for (position, address) in addresses.enumerated() {
      if let known = known[address.identity] {
        if known.address != address { try setAddress(address, onList: id, db) }
        continue
      }
      rows.values.add(id)
      rows.values.add(address.identity)
      rows.values.add(address.text)
      rows.values.add(position)
      rows.values.add(declined.contains(address.identity))
    }
    try db.insert(rows)
    let isSameOrder = addresses.enumerated().allSatisfy { position, address in
      known[address.identity].map { $0.position == position } ?? true
    }
    if !isSameOrder { try setPositions(addresses, listID: id, db) }
  }

  private static func setAddress(
    _ address: WebAddress,
    onList id: Int64,
    _ db: Connection
  ) throws {
    let sql = "UPDATE listed_feed SET address = $1 WHERE list_id = $2 AND identity = $3"
    try db.run(sql, address.text, id, address.identity)
  }

  private static func setPositions(
    _ addresses: [WebAddress],
    listID id: Int64,
    _ db: Connection
  ) throws {
    let sql = """
      UPDATE listed_feed SET position = list.place FROM \(db.dialect.list(2))
      WHERE list_id = $1 AND identity = list.value AND position <> list.place
      """
    try db.run(sql, id, addresses.map(\.identity))
  }

  /// Compares a list with its state at the last read (`DocumentStoring.compareList`).
  ///
  /// - Parameters:
  ///   - addresses: The feeds of its document, in order.
  ///   - isWhole: Whether the document was read without loss. Otherwise missing feeds may still be in it.
  ///   - id: The list; nil for an unknown list.
  ///   - db: The library.
  /// - Returns: The feeds to follow, in the list's order, the number of new feeds, and the lost feeds that are still
  ///   followed.
  /// - Throws: when the library cannot be read.
  package static func compare(
    _ addresses: [WebAddress],
    isWhole: Bool,
    listID id: Int64?,
    _ db: Connection
  ) throws -> ListedFeeds {
    let before = try id.map { try listed(byListWithID: $0, db) } ?? []
    return try compare(addresses, isWhole: isWhole, with: before, listID: id, db)
  }

  private static func compare(
    _ addresses: [WebAddress],
    isWhole: Bool,
    with before: [Listed],
    listID id: Int64?,
    _ db: Connection
  ) throws -> ListedFeeds {
    let known = Dictionary(before.map { ($0.identity, $0.isLeftOut) }) { first, _ in first }
    let now = once(addresses)
    let new = now.filter { known[$0.identity] == nil }
    let removed = try removedFeeds(among: new, newOn: before, db)
    var list = ListedFeeds(followed: [], total: now.count, new: new.count)
    list.followed = now.filter { address in
      !(known[address.identity] ?? removed.contains(address.identity))
    }
    guard isWhole, let id, !before.isEmpty else { return list }
    let lost = """
      SELECT feed.address FROM listed_feed AS listed JOIN feed ON feed.id = \(feedID("listed"))
      WHERE list_id = $1 AND listed.identity \(db.dialect.notIDs(2)) AND NOT is_removed
      ORDER BY listed.identity
      """
    list.lost = try db.rows(lost, id, now.map(\.identity)) { row in try row.address(0) }
    return list
  }

  /// The addresses in order, each feed only once.
  private static func once(_ addresses: [WebAddress]) -> [WebAddress] {
    var known: Set<String> = []
    return addresses.filter { known.insert($0.identity).inserted }
  }

  /// The feeds that are new on a list and that the user has removed.
  ///
  /// A list that is followed for the first time brings them back. A changed list does not.
  private static func removedFeeds(
    among new: [WebAddress],
    newOn before: [Listed],
    _ db: Connection
  ) throws -> Set<String> {
    if before.isEmpty || new.isEmpty { return [] }
    let sql = "SELECT identity FROM feed WHERE identity \(db.dialect.ids(1)) AND is_removed"
    return try Set(db.column(sql, new.map(\.identity)))
  }

  private static func listed(byListWithID id: Int64, _ db: Connection) throws -> [Listed] {
    let sql = """
      SELECT identity, address, position,
        is_declined OR EXISTS (SELECT 1 FROM feed WHERE feed.identity = leads_to)
      FROM listed_feed WHERE list_id = $1 ORDER BY position
      """
    return try db.rows(sql, id) { row in
      try Listed(
        identity: row.value(0),
        address: row.address(1),
        position: row.value(2),
        isLeftOut: row.value(3)
      )
    }
  }

  /// The feeds of a list as it is stored; empty for any other feed.
  package static func feeds(ofListWithID id: Int64, _ db: Connection) throws -> ListedFeeds {
    let all = try listed(byListWithID: id, db)
    let followed = all.filter { !$0.isLeftOut }.compactMap(\.address)
    return ListedFeeds(followed: followed, total: all.count)
  }

  /// The id of the feed that a row of a list leads to.
  private static func feedID(_ listed: String) -> String {
    """
    coalesce(
      (SELECT found.id FROM feed AS found
        WHERE found.identity = coalesce(leads_to, \(listed).identity)),
      (SELECT alias.feed_id FROM feed_alias AS alias
        WHERE alias.identity = coalesce(leads_to, \(listed).identity))
    )
    """
  }

  /// The SQL of the ids of a list, its feeds, the feeds of lists on it, and so on; takes the list's id or a parameter.
  package static func feedsOfList(_ list: String) -> String {
    """
    WITH RECURSIVE listed(id) AS (
      VALUES (CAST(\(list) AS bigint)) UNION SELECT \(feedID("listed_feed"))
      FROM listed JOIN listed_feed ON list_id = listed.id
    ) SELECT id FROM listed
    """
  }

  package static func deleteAll(ofList id: Int64, _ db: Connection) throws {
    try db.run("DELETE FROM listed_feed WHERE list_id = $1", id)
  }

  /// Keeps lists from bringing back a removed feed, or allows them to.
  package static func setDeclined(
    _ isDeclined: Bool,
    feedID id: Int64,
    _ db: Connection
  ) throws {
    let own = """
      (SELECT identity FROM feed WHERE id = $2 UNION
        SELECT identity FROM feed_alias WHERE feed_id = $2)
      """
    for column in ["identity", "leads_to"] {
      let sql = "UPDATE listed_feed SET is_declined = $1 WHERE \(column) IN \(own)"
      try db.run(sql, isDeclined, id)
    }
  }

  /// Whether a list names a feed that the user has not removed.
  package static func lists(_ address: WebAddress, _ db: Connection) throws -> Bool {
    let sql = "SELECT 1 FROM listed_feed WHERE identity = $1 AND NOT is_declined"
    return try db.hasRow(sql, address.identity)
  }

  package static func note(page: WebAddress, leadsTo feed: WebAddress, _ db: Connection) throws {
    let sql = "UPDATE listed_feed SET leads_to = $1 WHERE identity = $2"
    try db.run(sql, feed.identity, page.identity)
  }
}
