import FoundationEssentials
import LibraryFiles
package import Models
package import Workers

/// A thumbnail that a sign has replaced, and the sign, which is kept beside it from now on.
package struct ReturnedThumbnail {
  let kind: PictureKind
  package let thumbnail: FetchedThumbnail
  let sign: FetchedThumbnail
  /// Whether its server is asked for changes, because the feed still lists the image.
  let isAsked: Bool
  /// Whether the image's original was outdated before the sign came.
  let wasOutdated: Bool
}

/// Gives images the pictures back that signs have replaced.
///
/// A sign with the size, format and shape of a picture, under the address of that picture, replaces it. When it comes
/// for a second image, it was a sign for the first one, too. The former picture is still there: an original with its
/// row in `replaced_original`, and a thumbnail as a row of `successor`.
extension SuccessorQueries {
  /// The `successor.kind` of the thumbnail that an image's stored one has replaced; `arrived_at` is when it did.
  static let formerThumbnail: Int64 = 3
  /// The `successor.doubts` of a former thumbnail whose image had an outdated original then.
  private static let outdated = "outdated"

  // MARK: Finding

  /// The images other than one whose pictures have been replaced lately by bytes with a hash.
  ///
  /// Left out are pictures that the user has accepted, originals of pinned images, and images that had the picture which
  /// the one image has, too: these show one picture under two addresses, such as a webcam's.
  ///
  /// - Returns: Their ids, with the addresses from which the bytes came.
  static func replaced(
    _ kind: PictureKind,
    by sha256: String,
    besides imageID: Int64,
    _ db: Connection
  ) throws -> [Int64: WebAddress] {
    let rows =
      kind == .original
      ? try replacedOriginals(by: sha256, besides: imageID, db)
      : try replacedThumbnails(by: sha256, besides: imageID, db)
    return Dictionary(rows) { first, _ in first }
  }

  private static func replacedOriginals(
    by sha256: String,
    besides imageID: Int64,
    _ db: Connection
  ) throws -> [(Int64, WebAddress)] {
    guard try db.mayHaveRows(in: "replaced_original") else { return [] }
    let sql = """
      SELECT held.image_id, held.address
      FROM original JOIN image_original AS held ON held.original_id = original.id
      JOIN image ON image.id = held.image_id
      JOIN replaced_original AS former ON former.image_id = held.image_id
      WHERE original.sha256 = $2 AND held.image_id <> $1 AND is_hidden = 0
        AND \(ReplacedOriginals.isFormer(db.dialect)) AND former.original_id NOT IN (
          SELECT original_id FROM image_original WHERE image_id = $1
          UNION SELECT original_id FROM successor
          WHERE image_id = $1 AND original_id IS NOT NULL
        )
      LIMIT \(mostOthers)
      """
    return try db.rows(sql, imageID, sha256) { row in
      try row.address(1).map { (try row.value(0), $0) }
    }
  }

  private static func replacedThumbnails(
    by sha256: String,
    besides imageID: Int64,
    _ db: Connection
  ) throws -> [(Int64, WebAddress)] {
    guard try db.mayHaveRows(in: "successor") else { return [] }
    let own = """
      SELECT sha256 FROM successor
      WHERE image_id = $1 AND kind = \(PictureKind.thumbnail.rawValue)
      """
    var before: Set<String> = Set(try db.column(own, imageID) as [String])
    let stored: SHA256Digest? = try db.row(
      "SELECT thumbnail_sha256 FROM image WHERE id = $1",
      imageID
    ) { $0.hash(0) }
    if let stored { before.insert(stored.hexadecimal) }
    let sql = """
      SELECT image.id, held.address, former.sha256
      FROM image \(db.dialect.hint("image_thumbnail_sha256"))
      JOIN thumbnail AS held ON held.image_id = image.id
      JOIN successor AS former ON former.image_id = image.id
      WHERE thumbnail_sha256 = $2 AND is_hidden = 0 AND thumbnail_sha256 IS NOT NULL
        AND image.id <> $1 AND former.kind = \(formerThumbnail)
        AND former.arrived_at = held.fetched_at
        AND former.arrived_at > \(db.dialect.now) - \(ReplacedOriginals.keptSeconds)
      LIMIT \(mostOthers)
      """
    let digest = SHA256Digest(hexadecimal: sha256)
    let rows = try db.rows(sql, imageID, digest) { row in
      try row.address(1).map { (try row.value(0) as Int64, $0, try row.value(2) as String) }
    }
    return rows.filter { !before.contains($0.2) }.map { ($0.0, $0.1) }
  }

  // MARK: Thumbnails

  /// Keeps the thumbnails that others are about to replace, one for each image.
  ///
  /// Where the same bytes come again, the former thumbnail stays.
  static func keepFormer(of thumbnails: [FetchedThumbnail], _ db: Connection) throws {
    guard !thumbnails.isEmpty else { return }
    for thumbnail in thumbnails where thumbnail.former == thumbnail.bytes {
      let sql = """
        UPDATE successor SET arrived_at = $2
        WHERE image_id = $1 AND kind = \(formerThumbnail)
          AND arrived_at = (SELECT fetched_at FROM thumbnail WHERE image_id = $1)
        """
      try db.run(sql, thumbnail.imageID, thumbnail.fetched.storedSeconds)
    }
    let thumbnails = thumbnails.filter { $0.former != $0.bytes }
    try forgetFormer(ofImages: thumbnails.map(\.imageID), db)
    let sql = """
      INSERT INTO successor(image_id, kind, address, etag, last_modified, arrived_at, doubts, sha256,
        format, bytes, width, height, source_sha256, picture)
      SELECT image.id, \(formerThumbnail), held.address, held.etag, held.last_modified, $2,
        CASE original_state WHEN \(OriginalState.stale.rawValue) THEN '\(outdated)' ELSE '' END, $3,
        thumbnail_format, thumbnail_bytes, thumbnail_width, thumbnail_height, held.source_sha256, $4
      FROM image JOIN thumbnail AS held ON held.image_id = image.id
      WHERE image.id = $1 AND thumbnail_sha256 = $5 AND thumbnail_format IS NOT NULL
      """
    for thumbnail in thumbnails {
      guard let former = thumbnail.former else { continue }
      let hash = try SHA256.digest(of: former, path: "successor")
      try db.run(
        sql,
        thumbnail.imageID,
        thumbnail.fetched.storedSeconds,
        hash.hexadecimal,
        Bytes(former),
        hash
      )
    }
  }

  static func forgetFormer(ofImages ids: [Int64], _ db: Connection) throws {
    guard !ids.isEmpty, try db.mayHaveRows(in: "successor") else { return }
    let sql = """
      DELETE FROM successor WHERE image_id \(db.dialect.ids(1)) AND kind = \(formerThumbnail)
      """
    try db.run(sql, ids)
  }

  /// Forgets the former thumbnails that were replaced too long ago.
  package static func forgetOldFormer(_ db: Connection) throws {
    guard try db.mayHaveRows(in: "successor") else { return }
    let sql = """
      DELETE FROM successor WHERE kind = \(formerThumbnail)
        AND arrived_at <= \(db.dialect.now) - \(ReplacedOriginals.keptSeconds)
      """
    try db.run(sql)
  }

  /// The thumbnails that the images get back which the doubtful ones of a batch have misled.
  ///
  /// An image that gets a newer thumbnail with the batch keeps that one.
  package static func returned(
    by batch: PictureBatch,
    _ kind: PictureKind,
    _ db: Connection
  ) throws -> [ReturnedThumbnail] {
    var returned: [Int64: ReturnedThumbnail] = [:]
    let arriving = Set((batch.new + batch.changed).map(\.imageID))
    for sign in batch.doubtful where !sign.misled.isEmpty {
      let hash = try SHA256.digest(of: sign.bytes, path: "successor").hexadecimal
      let replaced = try replaced(kind, by: hash, besides: sign.imageID, db)
      for id in sign.misled
      where replaced[id] != nil && returned[id] == nil && !arriving.contains(id) {
        returned[id] = try self.returned(to: id, insteadOf: sign, db)
      }
    }
    return returned.values.sorted { $0.thumbnail.imageID < $1.thumbnail.imageID }
  }

  /// Nil when the former thumbnail is not there, or when the feed has named another one since.
  private static func returned(
    to imageID: Int64,
    insteadOf sign: FetchedThumbnail,
    _ db: Connection
  ) throws -> ReturnedThumbnail? {
    let sql = """
      SELECT former.format, former.bytes, former.width, former.height, former.picture,
        former.source_sha256, thumbnail_state, held.etag, held.last_modified, held.fetched_at,
        thumbnail_check_at, thumbnail_address, original_address, held.source_sha256,
        former.doubts = '\(outdated)'
      FROM image JOIN thumbnail AS held ON held.image_id = image.id
      JOIN successor AS former
        ON former.image_id = image.id AND former.kind = \(formerThumbnail)
      WHERE image.id = $1
      """
    return try db.row(sql, imageID) { row -> ReturnedThumbnail? in
      let kind: PictureKind
      switch try row.value(raw: 6) as ThumbnailState? {
      case .stored: kind = .thumbnail
      case .made: kind = .madeThumbnail
      default: return nil
      }
      guard let info = try row.picture(0), let bytes: Bytes = try row.value(4),
        let address = try row.address(kind == .thumbnail ? 11 : 12)
      else { return nil }
      // Its server is asked with what it gave for the sign.
      let validators = try Validators(entityTag: row.value(7), lastModified: row.value(8))
      let fetched = try Date(storedSeconds: row.value(9))
      var thumbnail = FetchedThumbnail(
        imageID: imageID,
        address: address,
        validators: validators,
        info: info,
        bytes: bytes.bytes,
        fetched: fetched,
        checkDate: try row.date(10) ?? fetched,
        sourceSHA256: try row.value(5)
      )
      var kept = thumbnail
      thumbnail.replacesOther = true
      (kept.info, kept.bytes, kept.sourceSHA256) = (sign.info, sign.bytes, try row.value(13))
      kept.doubts = [.shared]
      return try ReturnedThumbnail(
        kind: kind,
        thumbnail: thumbnail,
        sign: kept,
        isAsked: row.date(10) != nil,
        wasOutdated: row.value(14)
      )
    }
  }
}

extension ThumbnailWriting {
  /// Gives an image its former thumbnail back, and keeps the sign beside it.
  ///
  /// Its original is right again if only the sign has outdated it.
  ///
  /// - Parameters:
  ///   - returned: The thumbnail and the sign.
  ///   - new: The thumbnail with its place.
  ///   - db: The library.
  /// - Returns: The thumbnail if it was not stored.
  /// - Throws: when the library cannot be written.
  package static func store(
    _ returned: ReturnedThumbnail,
    _ new: NewThumbnail,
    _ db: Connection
  ) throws -> [NewThumbnail] {
    var batch = PictureBatch(new: [returned.thumbnail])
    batch.doubtful = [returned.sign]
    let left = try ThumbnailWriting(returned.kind, db).store(batch, [new])
    guard left.isEmpty else { return left }
    let id = returned.thumbnail.imageID
    if !returned.isAsked {
      try db.run("UPDATE image SET thumbnail_check_at = NULL WHERE id = $1", id)
    }
    if !returned.wasOutdated { try OriginalQueries.approve(imageID: id, db) }
    return []
  }
}

// MARK: - Originals

extension OriginalQueries {
  /// Gives images their replaced originals back, and keeps the sign that replaced them beside these.
  ///
  /// - Parameters:
  ///   - ids: Images whose originals the sign has replaced.
  ///   - sha256: The hash of the sign.
  ///   - db: The library.
  /// - Throws: when the library cannot be written.
  static func giveBack(_ ids: [Int64], insteadOf sha256: String, _ db: Connection) throws {
    for id in ids {
      guard let former = try ReplacedOriginals.last(ofImage: id, db),
        let sign = try receipt(imageID: id, sha256: sha256, db)
      else { continue }
      try RowSeal.imageOriginal.change(id, db) {
        let sql = """
          UPDATE image_original SET original_id = $1, stored_at = $2 WHERE image_id = $3
          """
        try db.run(sql, former.id, former.storedAt, id)
      }
      try ReplacedOriginals.forget(imageID: id, sha256: former.sha256, db)
      try SuccessorQueries.keep(sign, sha256: sha256, imageID: id, db)
      try DamageQueries.forget([id], .original, db)
      try wantMadeThumbnail(of: id, from: former.sha256, db)
      try ChangeLog.note(images: [id], db)
    }
  }

  /// The facts about an image's original as if it arrived again; nil if it has another one.
  private static func receipt(
    imageID: Int64,
    sha256: String,
    _ db: Connection
  ) throws -> OriginalReceipt? {
    let sql = """
      SELECT format, original.bytes, width, height, held.address, held.etag, held.last_modified,
        held.stored_at
      FROM image_original AS held JOIN original ON original.id = original_id
      WHERE held.image_id = $1 AND sha256 = $2
      """
    return try db.row(sql, imageID, sha256) { row in
      guard let info = try row.picture(0), let address = try row.address(4) else { return nil }
      let arrived = try Date(storedSeconds: row.value(7))
      var receipt = OriginalReceipt(
        info: info,
        address: address,
        validators: try Validators(entityTag: row.value(5), lastModified: row.value(6)),
        arrived: arrived,
        checkDate: arrived
      )
      receipt.doubts = [.shared]
      return receipt
    }
  }

  /// Records that a stale original is right, if the feed still names its address.
  static func approve(imageID: Int64, _ db: Connection) throws {
    let sql = "SELECT address FROM image_original WHERE image_id = $1"
    guard let address = try db.row(sql, imageID, element: { try $0.address(0) }),
      try RenditionQueries.isNamed(address, forOriginalOf: imageID, db)
    else { return }
    let approval = """
      UPDATE image SET original_state = \(OriginalState.stored.rawValue),
        change_seq = \(db.dialect.nextChange)
      WHERE id = $1 AND original_state = \(OriginalState.stale.rawValue)
      """
    try db.run(approval, imageID)
  }
}
