import Models
import Store
import Workers

/// The SQL about the feeds on lists of feeds.
enum ListQueries {
  /// A feed on a list, as of the list's last read.
  private struct Listed {
    var address: WebAddress
    var isLeftOut: Bool
  }

  /// Stores the feeds that a list has now, and returns them with the difference that `compare` finds.
  static func store(
    _ addresses: [WebAddress],
    isWhole: Bool,
    listID id: Int64,
    _ db: Connection
  ) throws -> ListedFeeds {
    let before = Set(try listed(byListWithID: id, db).map(\.address.identity))
    let compared = try compare(addresses, isWhole: isWhole, listID: id, db)
    let listed = once(addresses)
    let now = Set(listed.map(\.identity))
    // A list that is followed for the first time brings back a feed that the user has removed. A changed list does not.
    let insertion = """
      INSERT INTO listed_feed(list_id, identity, address, position, is_declined)
      SELECT $1, new.identity, new.address, new.position - 1, $4 AND EXISTS (
        SELECT 1 FROM feed WHERE feed.identity = new.identity AND is_removed
      )
      FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS new(identity, address, position)
      ON CONFLICT (list_id, identity)
        DO UPDATE SET address = excluded.address, position = excluded.position
      """
    try db.rows(insertion, id, listed.map(\.identity), listed.map(\.text), !before.isEmpty)
    if isWhole {
      let sql = "DELETE FROM listed_feed WHERE list_id = $1 AND identity <> ALL($2::text[])"
      try db.rows(sql, id, Array(now))
    }
    let isSame = isWhole ? now == before : now.isSubset(of: before)
    if !isSame {
      try db.rows("UPDATE feed SET change_seq = next_change() WHERE id = $1", id)
    }
    var list = try feeds(ofListWithID: id, db)
    (list.new, list.lost) = (compared.new, compared.lost)
    return list
  }

  /// Compares a list with its state at the last read (`DocumentStoring.compareList`).
  static func compare(
    _ addresses: [WebAddress],
    isWhole: Bool,
    listID id: Int64?,
    _ db: Connection
  ) throws -> ListedFeeds {
    let before = try id.map { try listed(byListWithID: $0, db) } ?? []
    var known: [String: Listed] = [:]
    for listed in before { known[listed.address.identity] = listed }
    let now = once(addresses)
    let new = now.filter { known[$0.identity] == nil }
    let removed = before.isEmpty ? [] : try removedFeeds(among: new.map(\.identity), db)
    var list = ListedFeeds(followed: [], total: now.count, new: new.count)
    list.followed = now.filter { address in
      known[address.identity].map { !$0.isLeftOut } ?? !removed.contains(address.identity)
    }
    guard isWhole, let id else { return list }
    let lost = """
      SELECT feed.address FROM listed_feed AS listed JOIN feed ON feed.id = coalesce(
        (SELECT id FROM feed WHERE identity = coalesce(leads_to, listed.identity)),
        (SELECT feed_id FROM feed_alias WHERE identity = coalesce(leads_to, listed.identity))
      )
      WHERE list_id = $1 AND listed.identity <> ALL($2::text[]) AND NOT is_removed
      ORDER BY listed.identity
      """
    list.lost = try db.rows(lost, id, now.map(\.identity)).compactMap { try $0.address(0) }
    return list
  }

  /// The addresses in order, each feed only once.
  private static func once(_ addresses: [WebAddress]) -> [WebAddress] {
    var known: Set<String> = []
    return addresses.filter { known.insert($0.identity).inserted }
  }

  private static func removedFeeds(
    among identities: [String],
    _ db: Connection
  ) throws -> Set<String> {
    let sql = "SELECT identity FROM feed WHERE identity = ANY($1::text[]) AND is_removed"
    return try Set(db.column(sql, identities))
  }

  private static func listed(
    byListWithID id: Int64,
    _ db: Connection
  ) throws -> [Listed] {
    let sql = """
      SELECT address, is_declined OR EXISTS (SELECT 1 FROM feed WHERE feed.identity = leads_to)
      FROM listed_feed WHERE list_id = $1 ORDER BY position
      """
    return try db.rows(sql, id).compactMap { row in
      try row.address(0).map { Listed(address: $0, isLeftOut: try row.value(1)) }
    }
  }

  /// The feeds of a list as it is stored.
  static func feeds(ofListWithID id: Int64, _ db: Connection) throws -> ListedFeeds {
    let all = try listed(byListWithID: id, db)
    let followed = all.filter { !$0.isLeftOut }.map(\.address)
    return ListedFeeds(followed: followed, total: all.count)
  }

  /// The SQL of the ids of a list, its feeds, the feeds of lists on it, and so on.
  static func feedsOfList(_ id: Int64) -> String {
    """
    WITH RECURSIVE listed(id) AS (
      VALUES (\(id)::bigint) UNION SELECT coalesce(
        (SELECT feed.id FROM feed WHERE feed.identity = coalesce(leads_to, listed_feed.identity)),
        (SELECT feed_id FROM feed_alias AS alias
          WHERE alias.identity = coalesce(leads_to, listed_feed.identity))
      ) FROM listed JOIN listed_feed ON list_id = listed.id
    ) SELECT id FROM listed
    """
  }

  static func deleteAll(ofList id: Int64, _ db: Connection) throws {
    try db.rows("DELETE FROM listed_feed WHERE list_id = $1", id)
  }

  /// Keeps lists from bringing back a removed feed, or allows them to.
  static func setDeclined(
    _ isDeclined: Bool,
    feedID id: Int64,
    _ db: Connection
  ) throws {
    let own = """
      (SELECT identity FROM feed WHERE id = $2 UNION
        SELECT identity FROM feed_alias WHERE feed_id = $2)
      """
    let sql = """
      UPDATE listed_feed SET is_declined = $1 WHERE identity IN \(own) OR leads_to IN \(own)
      """
    try db.rows(sql, isDeclined, id)
  }

  static func note(page: WebAddress, leadsTo feed: WebAddress, _ db: Connection) throws {
    let sql = "UPDATE listed_feed SET leads_to = $1 WHERE identity = $2"
    try db.rows(sql, feed.identity, page.identity)
  }
}
