import Models
import Store
import Workers

/// The SQL about the documents of a collection, and the texts of manifests.
enum MemberQueries {
  static func members(ofFeed id: Int64, _ db: Connection) throws -> [FeedMember] {
    let sql = """
      SELECT address, etag, last_modified FROM member WHERE feed_id = $1 AND position <> $2
      ORDER BY position
      """
    return try db.rows(sql, id, FeedMember.ownPosition).compactMap { row in
      try row.address(0).map { address in
        let validators = try Validators(entityTag: row.value(1), lastModified: row.value(2))
        return FeedMember(address: address, validators: validators)
      }
    }
  }

  /// A member of a feed, with the images that it listed at its last read; nil when it was never read.
  static func member(
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

  /// Stores a member with its position and its images, and returns its id.
  static func store(
    _ member: FeedMember,
    feedID: Int64,
    position: Int,
    images: [Int64],
    _ db: Connection
  ) throws -> Int64 {
    let before = try shown(ofMemberAt: member.address, feedID: feedID, db)
    let id = try store(member, feedID: feedID, position: position, db)
    try set(images, ofMember: id, db)
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
    let details = manifest?.detailLines
    let sql = """
      INSERT INTO member(
        feed_id, position, address, etag, last_modified,
        label, page_address, attribution, rights, details, words
      ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::text::tsvector)
      ON CONFLICT (feed_id, address) DO UPDATE SET position = excluded.position,
        etag = excluded.etag, last_modified = excluded.last_modified, label = excluded.label,
        page_address = excluded.page_address, attribution = excluded.attribution,
        rights = excluded.rights, details = excluded.details, words = excluded.words
      RETURNING id
      """
    let row = try db.rows(
      sql,
      with: [
        feedID, position, member.address.text, member.validators.entityTag,
        member.validators.lastModified, manifest?.label, manifest?.pageAddress?.text,
        manifest?.attribution, manifest?.rights, details,
        SearchWords.vector(of: manifest?.label, details, manifest?.attribution),
      ]
    ).first
    guard let id: Int64 = try row?.value(0) else {
      throw PostgresError("a member has no row")
    }
    return id
  }

  private static func set(
    _ images: [Int64],
    ofMember id: Int64,
    _ db: Connection
  ) throws {
    try db.rows("DELETE FROM member_image WHERE member_id = $1", id)
    let insertion = """
      INSERT INTO member_image(member_id, image_id) SELECT $1, unnest($2::bigint[])
      ON CONFLICT DO NOTHING
      """
    try db.rows(insertion, id, images)
  }

  /// The texts of a member that its images show, and these images.
  private static func shown(
    ofMemberAt address: WebAddress,
    feedID: Int64,
    _ db: Connection
  ) throws -> (texts: [String?], images: Set<Int64>) {
    let sql = """
      SELECT id, label, page_address, attribution, rights, details FROM member
      WHERE feed_id = $1 AND address = $2
      """
    guard let row = try db.rows(sql, feedID, address.text).first else { return ([], []) }
    let texts: [String?] = try (1...5).map { try row.value($0) }
    if texts.allSatisfy({ $0 == nil }) { return (texts, []) }
    return (texts, Set(try images(ofMember: row.value(0), db)))
  }

  /// Gives members their positions, in order, and deletes the others if the collection no longer has them.
  static func keep(
    _ members: [Int64],
    feedID: Int64,
    deletingOthers: Bool,
    _ db: Connection
  ) throws {
    let positions = """
      UPDATE member SET position = new.position - 1
      FROM unnest($2::bigint[]) WITH ORDINALITY AS new(id, position)
      WHERE feed_id = $1 AND member.id = new.id AND member.position NOT IN (new.position - 1, $3)
      """
    try db.rows(positions, feedID, members, FeedMember.ownPosition)
    guard deletingOthers else { return }
    let others = "SELECT id FROM member WHERE feed_id = $1 AND id <> ALL($2::bigint[])"
    let images = """
      UPDATE image SET change_seq = (SELECT next_change()) WHERE id IN (
        SELECT image_id FROM member_image WHERE member_id IN (\(others))
      )
      """
    try db.rows(images, feedID, members)
    try db.rows("DELETE FROM member WHERE id IN (\(others))", feedID, members)
  }

  /// The first manifest of an image.
  static func manifest(imageID: Int64, _ db: Connection) throws -> Manifest? {
    let sql = """
      SELECT label, page_address, attribution, rights, details
      FROM member_image JOIN member ON member.id = member_id
      WHERE image_id = $1 AND coalesce(label, page_address, attribution, rights, details) IS NOT NULL
      ORDER BY position LIMIT 1
      """
    return try db.rows(sql, imageID).first.map { row in
      try Manifest(
        label: row.value(0),
        pageAddress: row.address(1),
        attribution: row.value(2),
        rights: row.value(3),
        details: (row.value(4) as String?).map(Manifest.details) ?? []
      )
    }
  }

  /// The members with images of followed feeds, by feed and position; only those at `address`, unless it is nil.
  static func manifests(
    at address: WebAddress?,
    _ db: Connection
  ) throws -> [FeedManifest] {
    let sql = """
      SELECT member.id, feed_id, member.address, label, count(*)
      FROM member JOIN member_image ON member_id = member.id JOIN feed ON feed.id = feed_id
      WHERE ($1::text IS NULL OR member.address = $1) AND NOT is_removed
      GROUP BY member.id ORDER BY feed_id, position
      """
    return try db.rows(sql, address?.text).compactMap { row in
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
