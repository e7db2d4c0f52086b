package import Models
package import Workers

/// The SQL about the documents of a collection, and about the texts of manifests.
package enum MemberQueries {
  package static func members(ofFeed id: Int64, _ db: Connection) throws -> [FeedMember] {
    let sql = """
      SELECT address, etag, last_modified FROM member WHERE feed_id = $1 AND position <> $2
      ORDER BY position
      """
    return try db.rows(sql, id, FeedMember.ownPosition) { row in
      try row.address(0).map { address in
        let validators = try Validators(entityTag: row.value(1), lastModified: row.value(2))
        return FeedMember(address: address, validators: validators)
      }
    }
  }

  /// A member of a feed with the images that it listed when it was last read; nil when it was never read.
  package static func member(
    at address: WebAddress,
    feedID: Int64,
    _ db: Connection
  ) throws -> DocumentMember? {
    let sql = "SELECT id FROM member WHERE feed_id = $1 AND address = $2"
    guard let id: Int64 = try db.value(sql, feedID, address.text) else { return nil }
    return DocumentMember(id: id, images: try images(ofMember: id, db))
  }

  private static func images(ofMember id: Int64, _ db: Connection) throws -> [Int64] {
    try db.column("SELECT image_id FROM member_image WHERE member_id = $1", id)
  }

  // MARK: Writing

  /// Stores a member with its position and its images.
  ///
  /// - Parameters:
  ///   - member: The member.
  ///   - feedID: Its feed.
  ///   - position: Its position in the feed.
  ///   - images: The images that it lists.
  ///   - db: A transaction.
  /// - Returns: The id of the member.
  /// - Throws: when the member cannot be stored.
  package static func store(
    _ member: FeedMember,
    feedID: Int64,
    position: Int,
    images: [Int64],
    _ db: Connection
  ) throws -> Int64 {
    let before = try shown(ofMemberAt: member.address, feedID: feedID, db)
    let id = try store(member, feedID: feedID, position: position, db)
    try db.run("DELETE FROM member_image WHERE member_id = $1", id)
    let insertion = """
      INSERT INTO member_image(member_id, image_id) SELECT $1, value FROM \(db.dialect.list(2))
      WHERE true ON CONFLICT DO NOTHING
      """
    try db.run(insertion, id, images)
    let now = try shown(ofMemberAt: member.address, feedID: feedID, db)
    let changed =
      before.texts == now.texts
      ? before.images.symmetricDifference(now.images) : before.images.union(now.images)
    try ChangeLog.note(images: Array(changed), db)
    return id
  }

  private static func store(
    _ member: FeedMember,
    feedID: Int64,
    position: Int,
    _ db: Connection
  ) throws -> Int64 {
    let manifest = member.manifest
    // The words for PostgreSQL's index; the triggers of SQLite find their own.
    let words: String? =
      switch db.dialect {
      case .sqlite: nil
      case .postgres:
        SearchWords.vector(of: manifest?.label, manifest?.detailLines, manifest?.attribution)
      }
    let id: Int64? = try db.value(
      insertion(withWords: words != nil),
      with: [
        feedID, position, member.address.text, member.validators.entityTag,
        member.validators.lastModified, manifest?.label, manifest?.pageAddress?.text,
        manifest?.attribution, manifest?.rights, manifest?.detailLines,
      ] + (words.map { [$0] } ?? [])
    )
    guard let id else { throw UnexpectedAnswer("a member has no row") }
    return id
  }

  private static func insertion(withWords: Bool) -> String {
    """
    INSERT INTO member(
      feed_id, position, address, etag, last_modified,
      label, page_address, attribution, rights, details\(withWords ? ", folded_words" : "")
    ) VALUES (
      $1, $2, $3, $4, $5, $6, $7, $8, $9, $10\(withWords ? ", CAST($11 AS tsvector)" : "")
    )
    ON CONFLICT (feed_id, address) DO UPDATE SET position = excluded.position,
      etag = excluded.etag, last_modified = excluded.last_modified, label = excluded.label,
      page_address = excluded.page_address, attribution = excluded.attribution,
      rights = excluded.rights, details = excluded.details
      \(withWords ? ", folded_words = excluded.folded_words" : "")
    RETURNING id
    """
  }

  /// The texts that images show of their member, and the ids of these images.
  private typealias Shown = (texts: [String?], images: Set<Int64>)

  private static func shown(
    ofMemberAt address: WebAddress,
    feedID: Int64,
    _ db: Connection
  ) throws -> Shown {
    let sql = """
      SELECT id, label, page_address, attribution, rights, details FROM member
      WHERE feed_id = $1 AND address = $2
      """
    let row = try db.row(sql, feedID, address.text) { row in
      try (id: row.value(0) as Int64, texts: (1...5).map { try row.value($0) as String? })
    }
    guard let row else { return ([], []) }
    if row.texts.allSatisfy({ $0 == nil }) { return (row.texts, []) }
    return (row.texts, Set(try images(ofMember: row.id, db)))
  }

  /// Sets the positions of members, in order, and with `deletingOthers` deletes the other members of the feed.
  package static func keep(
    _ members: [Int64],
    feedID: Int64,
    deletingOthers: Bool,
    _ db: Connection
  ) throws {
    let placing = """
      UPDATE member SET position = list.place FROM \(db.dialect.list(1))
      WHERE member.id = list.value AND position NOT IN (list.place, $2)
      """
    try db.run(placing, members, FeedMember.ownPosition)
    guard deletingOthers else { return }
    let others = "feed_id = $1 AND id \(db.dialect.notIDs(2))"
    let images = """
      SELECT DISTINCT image_id FROM member_image
      WHERE member_id IN (SELECT id FROM member WHERE \(others))
      """
    try ChangeLog.note(images: db.column(images, feedID, members), db)
    try db.run("DELETE FROM member WHERE \(others)", feedID, members)
  }

  // MARK: Manifests

  /// The texts of the first manifest that an image belongs to.
  package static func manifest(imageID: Int64, _ db: Connection) throws -> Manifest? {
    let sql = """
      SELECT label, page_address, attribution, rights, details
      FROM member_image JOIN member ON member.id = member_id
      WHERE image_id = $1 AND coalesce(label, page_address, attribution, rights, details) IS NOT NULL
      ORDER BY position LIMIT 1
      """
    return try db.row(sql, imageID) { row in
      try Manifest(
        label: row.value(0),
        pageAddress: row.address(1),
        attribution: row.value(2),
        rights: row.value(3),
        details: (row.value(4) as String?).map(Manifest.details) ?? []
      )
    }
  }

  /// The members with images of followed feeds, by feed and position; at an address, or all.
  package static func manifests(
    at address: WebAddress?,
    _ db: Connection
  ) throws -> [FeedManifest] {
    let place = address == nil ? "" : "AND member.address = $1"
    let sql = """
      SELECT member.id, feed_id, member.address, label,
        (SELECT count(*) FROM member_image WHERE member_id = member.id)
      FROM member JOIN feed ON feed.id = feed_id
      WHERE NOT is_removed \(place)
        AND EXISTS (SELECT 1 FROM member_image WHERE member_id = member.id)
      ORDER BY feed_id, position
      """
    let values: [any Parameter] = address.map { [$0.text] } ?? []
    return try db.rows(sql, with: values) { row in
      try row.address(2).map { address in
        FeedManifest(
          id: try row.value(0),
          feedID: try row.value(1),
          address: address,
          label: try row.value(3),
          imageCount: try row.value(4)
        )
      }
    }
  }
}
