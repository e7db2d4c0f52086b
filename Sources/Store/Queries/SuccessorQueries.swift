import FoundationEssentials
package import LibraryFiles
package import Models
package import Workers

/// The SQL about pictures that came in the place of stored ones.
package enum SuccessorQueries {
  /// The most images with the same bytes that are compared.
  static let mostOthers = 64

  /// Whether the library has the tables of this page.
  package static func hasTables(_ db: Connection) throws -> Bool { try db.hasTable("successor") }

  /// The migration after which the servers of outdated originals are asked.
  ///
  /// Before, such an original had no date for that, as if its image had left the feed.
  package static let askForOutdated = """
    UPDATE image SET original_check_at = 0
    WHERE original_state = \(OriginalState.stale.rawValue) AND original_check_at IS NULL
      AND thumbnail_check_at IS NOT NULL;

    """

  // MARK: Reading

  /// The stored picture of an image that a picture with this hash would replace.
  package static func held(
    _ kind: PictureKind,
    imageID: Int64,
    against sha256: String,
    _ db: Connection
  ) throws -> HeldPicture? {
    guard try hasTables(db) else { return nil }
    guard var held = try held(kind, imageID: imageID, db) else { return nil }
    let successor = "SELECT sha256, doubts FROM successor WHERE image_id = $1 AND kind = $2"
    let beside = try db.row(successor, imageID, stored(kind).rawValue) { row in
      try (sha256: row.value(0) as String, doubts: doubts(row, 1))
    }
    held.successor = beside?.sha256
    held.successorDoubts = beside?.doubts ?? []
    held.others = try db.rows(
      othersSQL(db.dialect),
      imageID,
      sha256,
      SHA256Digest(hexadecimal: sha256)
    ) {
      try $0.address(0)
    }
    if !held.others.isEmpty {
      held.replaced = try replaced(kind, by: sha256, besides: imageID, db)
    }
    return held
  }

  private static func held(
    _ kind: PictureKind,
    imageID: Int64,
    _ db: Connection
  ) throws -> HeldPicture? {
    // A made thumbnail may have been made from a stored original.
    let kinds = kind == .madeThumbnail ? "true" : "seen.kind = \(kind.rawValue)"
    let isRedirected = """
      EXISTS (
        SELECT 1 FROM picture_redirect AS seen
        WHERE seen.image_id = image.id AND \(kinds)
      )
      """
    let isRight = """
      thumbnail_state IN (\(ThumbnailState.stored.rawValue), \(ThumbnailState.made.rawValue))
      """
    let sql =
      kind == .original
      ? """
      SELECT format, original.bytes, original.width, original.height, held.address, \(isRedirected),
        EXISTS (SELECT 1 FROM pin WHERE pin.image_id = image.id),
        \(db.dialect.isFalse("is_gone")) AND original_check_at IS NOT NULL,
        original_state = \(OriginalState.stored.rawValue)
      FROM image_original AS held JOIN original ON original.id = original_id
      JOIN image ON image.id = held.image_id WHERE held.image_id = $1
      """
      : """
      SELECT thumbnail_format, thumbnail_bytes, thumbnail_width, thumbnail_height, held.address,
        \(isRedirected), false, true, \(isRight)
      FROM thumbnail AS held JOIN image ON image.id = held.image_id
      WHERE held.image_id = $1 AND NOT EXISTS (
        SELECT 1 FROM damage WHERE damage.image_id = image.id
          AND damage.kind = \(PictureKind.thumbnail.rawValue)
      )
      """
    return try db.row(sql, imageID) { row in
      guard let info = try row.picture(0), let address = try row.address(4) else { return nil }
      var held = HeldPicture(info: info, address: address)
      held.isRedirected = try row.value(5)
      held.isPinned = try row.value(6)
      held.isListed = try row.value(7)
      held.isNamed = try row.value(8)
      return held
    }
  }

  /// The addresses under which images other than `$1` have pictures with the hash `$2`, in bytes `$3`.
  private static func othersSQL(_ dialect: Dialect) -> String {
    """
    SELECT held.address FROM image \(dialect.hint("image_thumbnail_sha256"))
    JOIN thumbnail AS held ON held.image_id = image.id
    WHERE thumbnail_sha256 = $3 AND is_hidden = 0 AND thumbnail_sha256 IS NOT NULL AND image.id <> $1
    UNION SELECT held.address FROM original JOIN image_original AS held ON original_id = original.id
    WHERE sha256 = $2 AND held.image_id <> $1
    UNION SELECT address FROM successor
    WHERE sha256 = $2 AND image_id <> $1 AND kind <> \(formerThumbnail)
    LIMIT \(mostOthers)
    """
  }

  /// The newer pictures beside an image's stored ones; one whose bytes are missing is left out.
  package static func successors(
    imageID: Int64,
    in folder: LibraryFolder,
    _ db: Connection
  ) throws -> [Successor] {
    guard try hasTables(db) else { return [] }
    return try rows(imageID: imageID, db).compactMap { row in
      let source: PictureSource
      if let bytes = row.picture {
        source = .bytes(bytes)
      } else {
        let path = folder.original(sha256: row.sha256, row.info.format)
        guard FileSystem.size(of: path) == row.info.bytes else { return nil }
        source = .file(path: path)
      }
      return Successor(
        kind: row.kind,
        info: row.info,
        sha256: row.sha256,
        address: row.address,
        arrived: row.arrived,
        doubts: row.doubts,
        source: source
      )
    }
  }

  struct Stored {
    var kind: PictureKind
    var info: PictureInfo
    var sha256: String
    var address: WebAddress
    var validators: Validators
    var arrived: Date
    var doubts: [SuccessorDoubt]
    var sourceSHA256: String?
    var picture: [UInt8]?
  }

  static func rows(imageID: Int64, _ db: Connection) throws -> [Stored] {
    let sql = """
      SELECT kind, coalesce(original.format, successor.format), successor.bytes, successor.width,
        successor.height, successor.sha256, address, etag, last_modified, arrived_at, doubts,
        source_sha256, picture
      FROM successor LEFT JOIN original ON original.sha256 = successor.sha256
      WHERE image_id = $1 ORDER BY kind DESC
      """
    return try db.rows(sql, imageID) { row in
      let sha256: String = try row.value(5)
      guard let kind: PictureKind = try row.value(raw: 0), let info = try row.picture(1),
        let address = try row.address(6), sha256.isSHA256
      else { return nil }
      return try Stored(
        kind: kind,
        info: info,
        sha256: sha256,
        address: address,
        validators: Validators(entityTag: row.value(7), lastModified: row.value(8)),
        arrived: Date(storedSeconds: row.value(9)),
        doubts: doubts(row, 10),
        sourceSHA256: row.value(11),
        picture: (row.value(12) as Bytes?)?.bytes
      )
    }
  }

  private static func doubts(_ row: Row, _ column: Int) throws -> [SuccessorDoubt] {
    let words: String = try row.value(column)
    return words.split(separator: " ").compactMap { SuccessorDoubt(rawValue: String($0)) }
  }

  // MARK: Keeping

  /// Keeps a thumbnail beside the stored one, whose server is asked with its validators from now on.
  ///
  /// Returns false when the feed has named another address meanwhile, or when no thumbnail is stored.
  static func keep(
    _ thumbnail: FetchedThumbnail,
    _ kind: PictureKind,
    sha256: String,
    _ db: Connection
  ) throws -> Bool {
    let state: ThumbnailState = kind == .madeThumbnail ? .made : .stored
    let image = """
      UPDATE image SET thumbnail_check_at = $1, thumbnail_state = \(state.rawValue)
      WHERE id = $2 AND \(kind.addressColumn) = $3 AND thumbnail_format IS NOT NULL
      """
    let (id, validators) = (thumbnail.imageID, thumbnail.validators)
    let isNamed =
      try db.run(image, thumbnail.checkDate.storedSeconds, id, thumbnail.address.text) > 0
    guard isNamed else { return false }
    let held = """
      UPDATE thumbnail SET address = $1, etag = $2, last_modified = $3 WHERE image_id = $4
      """
    try db.run(held, thumbnail.address.text, validators.entityTag, validators.lastModified, id)
    try insert(
      Stored(
        kind: .thumbnail,
        info: thumbnail.info,
        sha256: sha256,
        address: thumbnail.address,
        validators: validators,
        arrived: thumbnail.fetched,
        doubts: thumbnail.doubts,
        sourceSHA256: thumbnail.sourceSHA256,
        picture: thumbnail.bytes
      ),
      imageID: id,
      originalID: nil,
      db
    )
    return true
  }

  /// Keeps the file of an original, which has its row already, beside the stored one.
  static func keep(
    _ receipt: OriginalReceipt,
    sha256: String,
    imageID: Int64,
    _ db: Connection
  ) throws {
    let id: Int64? = try db.value("SELECT id FROM original WHERE sha256 = $1", sha256)
    try insert(
      Stored(
        kind: .original,
        info: receipt.info,
        sha256: sha256,
        address: receipt.address,
        validators: receipt.validators,
        arrived: receipt.arrived,
        doubts: receipt.doubts
      ),
      imageID: imageID,
      originalID: id,
      db
    )
  }

  private static func insert(
    _ stored: Stored,
    imageID: Int64,
    originalID: Int64?,
    _ db: Connection
  ) throws {
    try forget([imageID], stored.kind, db)
    let sql = """
      INSERT INTO successor(image_id, kind, address, etag, last_modified, arrived_at, doubts, sha256,
        format, bytes, width, height, source_sha256, original_id, picture)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
      """
    try db.run(
      sql,
      imageID,
      stored.kind.rawValue,
      stored.address.text,
      stored.validators.entityTag,
      stored.validators.lastModified,
      stored.arrived.storedSeconds,
      stored.doubts.map(\.rawValue).joined(separator: " "),
      stored.sha256,
      stored.info.format.rawValue,
      stored.info.bytes,
      stored.info.width,
      stored.info.height,
      stored.sourceSHA256,
      originalID,
      stored.picture.map(Bytes.init)
    )
  }

  /// Forgets the pictures beside the stored ones of some images; usually there are none.
  static func forget(_ imageIDs: [Int64], _ kind: PictureKind, _ db: Connection) throws {
    guard !imageIDs.isEmpty, try db.mayHaveRows(in: "successor") else { return }
    let sql = "DELETE FROM successor WHERE image_id \(db.dialect.ids(1)) AND kind = $2"
    try db.run(sql, imageIDs, stored(kind).rawValue)
  }

  /// Forgets the pictures beside stored ones whose bytes have come again.
  ///
  /// A picture with these bytes stays: it was the stored one when they were requested, and the former one has been put
  /// back in its place since.
  static func forgetOutdated(
    besides pictures: [UnchangedPicture],
    _ kind: PictureKind,
    _ db: Connection
  ) throws {
    guard pictures.contains(where: { $0.repeatedSHA256 != nil }),
      try db.mayHaveRows(in: "successor")
    else { return }
    let sql = """
      DELETE FROM successor WHERE image_id = $1 AND kind = $2
        AND sha256 <> $3 AND coalesce(source_sha256, '') <> $3
      """
    for picture in pictures {
      guard let sha256 = picture.repeatedSHA256 else { continue }
      try db.run(sql, picture.imageID, stored(kind).rawValue, sha256)
    }
  }

  /// Records which of some stored pictures were reached by a redirect.
  ///
  /// While another picture is beside the stored one, the answers are about that one.
  static func noteRedirects(
    _ pictures: [(imageID: Int64, isRedirected: Bool)],
    _ kind: PictureKind,
    _ db: Connection
  ) throws {
    if pictures.isEmpty { return }
    let kind = stored(kind).rawValue
    let found = "SELECT image_id FROM successor WHERE image_id \(db.dialect.ids(1)) AND kind = $2"
    let beside: Set<Int64> =
      try db.mayHaveRows(in: "successor")
      ? Set(db.column(found, pictures.map(\.imageID), kind) as [Int64]) : []
    let pictures = pictures.filter { !beside.contains($0.imageID) }
    let direct = pictures.filter { !$0.isRedirected }.map(\.imageID)
    if !direct.isEmpty, try db.mayHaveRows(in: "picture_redirect") {
      let deletion =
        "DELETE FROM picture_redirect WHERE image_id \(db.dialect.ids(1)) AND kind = $2"
      try db.run(deletion, direct, kind)
    }
    let redirected = pictures.filter(\.isRedirected).map(\.imageID)
    if redirected.isEmpty { return }
    let sql = """
      INSERT INTO picture_redirect(image_id, kind) SELECT id, $2 FROM image
      WHERE id \(db.dialect.ids(1)) ON CONFLICT DO NOTHING
      """
    try db.run(sql, redirected, kind)
  }

  /// The kind under which the picture is stored: a made thumbnail is a thumbnail.
  private static func stored(_ kind: PictureKind) -> PictureKind {
    kind == .madeThumbnail ? .thumbnail : kind
  }
}
