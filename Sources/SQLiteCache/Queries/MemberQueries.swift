import GRDB
import Models
import Workers

/// The SQL about the documents of a collection, and about the texts of manifests.
enum MemberQueries {
  static func members(ofFeedAt address: WebAddress, _ db: Database) throws -> [FeedMember] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT address, etag, last_modified FROM member
        WHERE feed_id = (
          SELECT id FROM feed WHERE id = \(FeedQueries.idAtAddress) AND is_removed = 0
        ) AND position <> \(FeedMember.ownPosition)
        ORDER BY position
        """
    )
    return try statement.rows([address.identity], member)
  }

  /// A member of a feed with the images that it listed when it was last read; nil when it was never read.
  static func member(
    at address: WebAddress,
    feedID: Int64,
    _ db: Database
  ) throws -> DocumentMember? {
    let sql = "SELECT id FROM member WHERE feed_id = ? AND address = ?"
    let found = try Int64.fetchOne(db, sql: sql, arguments: [feedID, address.text])
    guard let id = found else { return nil }
    let images = "SELECT image_id FROM member_image WHERE member_id = ?"
    return DocumentMember(id: id, images: try Int64.fetchAll(db, sql: images, arguments: [id]))
  }

  /// Stores a member with its position and its images; returns its id.
  static func store(
    _ member: FeedMember,
    feedID: Int64,
    position: Int,
    images: [Int64],
    _ db: Database
  ) throws -> Int64 {
    let manifest = member.manifest
    let before = try shown(ofMemberAt: member.address, feedID: feedID, db)
    let id = try Int64.fetchOne(
      db,
      sql: """
        INSERT INTO member(
          feed_id, position, address, etag, last_modified,
          label, page_address, attribution, rights, details
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (feed_id, address) DO UPDATE SET position = excluded.position,
          etag = excluded.etag, last_modified = excluded.last_modified, label = excluded.label,
          page_address = excluded.page_address, attribution = excluded.attribution,
          rights = excluded.rights, details = excluded.details
        RETURNING id
        """,
      arguments: [
        feedID, position, member.address.text, member.validators.entityTag,
        member.validators.lastModified, manifest?.label, manifest?.pageAddress?.text,
        manifest?.attribution, manifest?.rights, manifest?.detailLines,
      ]
    )
    guard let id else { throw DatabaseError(message: "a member has no row") }
    try db.execute(sql: "DELETE FROM member_image WHERE member_id = ?", arguments: [id])
    let insertion = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO member_image(member_id, image_id) VALUES (?, ?)"
    )
    for image in images { try insertion.execute(arguments: [id, image]) }
    try noteChanges(from: before, to: shown(ofMemberAt: member.address, feedID: feedID, db), db)
    return id
  }

  /// The texts that images show of their member, and the ids of these images.
  private typealias Shown = (texts: [DatabaseValue], images: Set<Int64>)

  private static func shown(
    ofMemberAt address: WebAddress,
    feedID: Int64,
    _ db: Database
  ) throws -> Shown {
    let sql = """
      SELECT id, label, page_address, attribution, rights, details FROM member
      WHERE feed_id = ? AND address = ?
      """
    let arguments: StatementArguments = [feedID, address.text]
    guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) else {
      return ([], [])
    }
    let images = "SELECT image_id FROM member_image WHERE member_id = ?"
    let texts = (1...5).map { row[$0] as DatabaseValue }
    if texts.allSatisfy(\.isNull) { return (texts, []) }
    let id: Int64 = try row.value(0)
    return (texts, try Int64.fetchSet(db.cachedStatement(sql: images), arguments: [id]))
  }

  /// Notes a change of each image whose manifest has changed.
  private static func noteChanges(from before: Shown, to now: Shown, _ db: Database) throws {
    let changed =
      before.texts == now.texts
      ? before.images.symmetricDifference(now.images) : before.images.union(now.images)
    for id in changed { try ChangeLog.note(image: id, db) }
  }

  /// Sets the positions of members, in order, and with `deletingOthers` deletes the other members of the feed.
  static func keep(
    _ members: [Int64],
    feedID: Int64,
    deletingOthers: Bool,
    _ db: Database
  ) throws {
    let placing = try db.cachedStatement(
      sql:
        "UPDATE member SET position = ?1 WHERE id = ?2 AND position NOT IN (?1, \(FeedMember.ownPosition))"
    )
    for (position, id) in members.enumerated() { try placing.execute(arguments: [position, id]) }
    guard deletingOthers else { return }
    let kept = Set(members)
    let sql = "SELECT id FROM member WHERE feed_id = ?"
    for id in try Int64.fetchAll(db, sql: sql, arguments: [feedID]) where !kept.contains(id) {
      let images = "SELECT image_id FROM member_image WHERE member_id = ?"
      for image in try Int64.fetchAll(db, sql: images, arguments: [id]) {
        try ChangeLog.note(image: image, db)
      }
      try db.execute(sql: "DELETE FROM member WHERE id = ?", arguments: [id])
    }
  }

  /// The texts of the first manifest that an image belongs to.
  static func manifest(imageID: Int64, _ db: Database) throws -> Manifest? {
    let sql = """
      SELECT label, page_address, attribution, rights, details
      FROM member_image JOIN member ON member.id = member_id
      WHERE image_id = ? AND coalesce(label, page_address, attribution, rights, details) IS NOT NULL
      ORDER BY position LIMIT 1
      """
    return try Row.fetchOne(db, sql: sql, arguments: [imageID]).map { row in
      Manifest(
        label: try row.value(0),
        pageAddress: try (row.value(1) as String?).flatMap(WebAddress.init),
        attribution: try row.value(2),
        rights: try row.value(3),
        details: try (row.value(4) as String?).map(Manifest.details) ?? []
      )
    }
  }

  /// The members with images of followed feeds, by feed and position; at an address, or all.
  static func manifests(at address: WebAddress?, _ db: Database) throws -> [FeedManifest] {
    let sql = """
      SELECT id, feed_id, address, label,
        (SELECT count(*) FROM member_image WHERE member_id = member.id) AS images
      FROM member
      WHERE \(address == nil ? "?1 IS NULL" : "address = ?1") AND images > 0
        AND (SELECT is_removed FROM feed WHERE id = feed_id) = 0
      ORDER BY feed_id, position
      """
    return try db.cachedStatement(sql: sql).rows([address?.text]) { row in
      try WebAddress(row.value(2)).map { address in
        FeedManifest(
          id: try row.value(0),
          feedID: try row.value(1),
          address: address,
          label: try row.value(3),
          imageCount: try row.bounded(4)
        )
      }
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
