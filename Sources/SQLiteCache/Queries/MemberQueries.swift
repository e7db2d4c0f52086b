import GRDB
import Models
import Workers

/// The SQL about the documents of a collection.
enum MemberQueries {
  static func members(ofFeedAt address: WebAddress, _ db: Database) throws -> [FeedMember] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT address, etag, last_modified FROM member
        WHERE feed_id = (
          SELECT id FROM feed WHERE id = \(FeedQueries.idAtAddress) AND is_removed = 0
        )
        ORDER BY place
        """
    )
    return try statement.rows([address.identity], member)
  }

  /// Gives a member its place, and answers with its id and the images that it listed when it was
  /// last read; nil when it never was.
  static func keep(
    memberAt address: WebAddress,
    feedID: Int64,
    place: Int,
    _ db: Database
  ) throws -> (id: Int64, images: [Int64])? {
    let id = try Int64.fetchOne(
      db,
      sql: "UPDATE member SET place = ? WHERE feed_id = ? AND address = ? RETURNING id",
      arguments: [place, feedID, address.text]
    )
    guard let id else { return nil }
    let sql = "SELECT image_id FROM member_image WHERE member_id = ?"
    return (id, try Int64.fetchAll(db, sql: sql, arguments: [id]))
  }

  /// Remembers a member in its place, and what it lists; answers with its id.
  static func store(
    _ member: FeedMember,
    feedID: Int64,
    place: Int,
    images: [Int64],
    _ db: Database
  ) throws -> Int64? {
    let id = try Int64.fetchOne(
      db,
      sql: """
        INSERT INTO member(feed_id, place, address, etag, last_modified) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (feed_id, address) DO UPDATE SET place = excluded.place,
          etag = excluded.etag, last_modified = excluded.last_modified
        RETURNING id
        """,
      arguments: [
        feedID, place, member.address.text, member.validators.entityTag,
        member.validators.lastModified,
      ]
    )
    try db.execute(sql: "DELETE FROM member_image WHERE member_id = ?", arguments: [id])
    let insertion = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO member_image(member_id, image_id) VALUES (?, ?)"
    )
    for image in images { try insertion.execute(arguments: [id, image]) }
    return id
  }

  /// Forgets the members that the collection no longer has.
  static func delete(feedID: Int64, except kept: Set<Int64>, _ db: Database) throws {
    let sql = "SELECT id FROM member WHERE feed_id = ?"
    for id in try Int64.fetchAll(db, sql: sql, arguments: [feedID]) where !kept.contains(id) {
      try db.execute(sql: "DELETE FROM member WHERE id = ?", arguments: [id])
    }
  }

  private static func member(_ row: Row) throws -> FeedMember? {
    try WebAddress(row.value(0)).map {
      try FeedMember(
        address: $0,
        validators: Validators(entityTag: row.value(1), lastModified: row.value(2))
      )
    }
  }
}
