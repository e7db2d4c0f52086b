import FoundationEssentials
package import LibraryFiles
package import Models
package import Workers

/// The SQL about originals.
package enum OriginalQueries {
  /// The condition that an original is missing or outdated.
  package static let isWanted = "original_state <> \(OriginalState.stored.rawValue)"

  /// The original of an image, as the rows describe it; nil when the image has none.
  package static func original(
    imageID: Int64,
    in folder: LibraryFolder,
    _ db: Connection
  ) throws -> StoredOriginal? {
    let sql = """
      SELECT sha256, format, original.bytes, original.width, original.height, original_state,
        held.address, held.etag, held.last_modified, original_check_at, EXISTS (
          SELECT 1 FROM damage
          WHERE damage.image_id = image.id AND kind = \(PictureKind.original.rawValue)
        )
      FROM image_original AS held JOIN original ON original.id = original_id
      JOIN image ON image.id = held.image_id
      WHERE held.image_id = $1
      """
    guard let original = try db.row(sql, imageID, element: { try StoredOriginal($0, in: folder) })
    else { return nil }
    // One flipped bit in the row would name another image's file.
    try RowSeal.imageOriginal.check(imageID, db)
    return original
  }

  /// A listed image that has an original with a hash; nil when no listed image has it.
  package static func image(
    withOriginal hash: SHA256Digest,
    _ db: Connection
  ) throws -> Int64? {
    let join = db.dialect.joinInOrder
    let sql = """
      SELECT image.id FROM original \(join) image_original ON original_id = original.id
      \(join) image ON image.id = image_id
      WHERE sha256 = $1 AND original_state <> \(OriginalState.missing.rawValue)
        AND \(ImageQueries.isListed)
      LIMIT 1
      """
    return try db.value(sql, hash.hexadecimal)
  }

  /// The format under which the file with a hash is stored; nil when there is no such original.
  package static func format(sha256: String, _ db: Connection) throws -> ImageFormat? {
    try db.row("SELECT format FROM original WHERE sha256 = $1", sha256) { try $0.value(raw: 0) }
  }

  /// Whether an image exists; no other transaction can delete it until this one ends.
  package static func keepsImage(_ id: Int64, _ db: Connection) throws -> Bool {
    try db.hasRow("SELECT 1 FROM image WHERE id = $1\(db.dialect.lock)", id)
  }

  package static func originalID(of imageID: Int64, _ db: Connection) throws -> Int64? {
    try db.value("SELECT original_id FROM image_original WHERE image_id = $1", imageID)
  }

  /// The images without an original to which a file belongs, with the addresses that their feed names for it.
  ///
  /// The note on the file says so, or else the row of a thumbnail that was made from it. If the image with the id of the
  /// note is not there, or has another address by now, it is one of `others` with the address of the note.
  package static func imagesWithout(
    originalOf origin: OriginOfFile?,
    sha256: String,
    or others: [Int64],
    _ db: Connection
  ) throws -> [(id: Int64, address: WebAddress)] {
    let madeFromIt = """
      thumbnail_state = \(ThumbnailState.made.rawValue)
        AND id IN (SELECT image_id FROM thumbnail WHERE source_sha256 = $1)
      """
    let sql = """
      SELECT id, original_address FROM image WHERE \(origin == nil ? madeFromIt : "id = $1")
        AND NOT EXISTS (SELECT 1 FROM image_original WHERE image_id = image.id)
      """
    func images(_ key: any Parameter) throws -> [(id: Int64, address: WebAddress)] {
      try db.rows(sql, key) { row in
        try row.address(1).map { (id: try row.value(0) as Int64, address: $0) }
      }
    }
    guard let origin else { return try images(sha256) }
    func named(_ id: Int64) throws -> [(id: Int64, address: WebAddress)] {
      try images(id).compactMap { image in
        let named = try [image.address] + RenditionQueries.addresses(imageID: image.id, db)
        return try named.first(where: origin.isOf).map { (image.id, $0) }
      }
    }
    let own = try named(origin.imageID)
    return own.isEmpty ? try others.flatMap(named) : own
  }

  /// The images without an original, by the files whose notes name their addresses; reads all images once.
  package static func imagesWithout(
    originalsAt paths: [String],
    _ db: Connection
  ) throws -> [String: [Int64]] {
    var files: [String: [String]] = [:]
    for path in paths {
      guard let origin = OriginOfFile(ofFileAt: path) else { continue }
      files[origin.addressHash, default: []].append(path)
    }
    if files.isEmpty { return [:] }
    let sql = """
      SELECT id, original_address FROM image WHERE is_hidden = 0
        AND NOT EXISTS (SELECT 1 FROM image_original WHERE image_id = image.id)
      """
    let known = files
    let found = try db.rows(sql) { row in
      try row.address(1).flatMap { address in
        let paths = known[try OriginOfFile.hash(address)]
        return try paths.map { (id: try row.value(0) as Int64, paths: $0) }
      }
    }
    var images: [String: [Int64]] = [:]
    for (id, paths) in found { for path in paths { images[path, default: []].append(id) } }
    return images
  }

  // MARK: Writing

  /// Ties a file to an image; a file that arrives again keeps the date of its first arrival.
  ///
  /// With doubts, a stored original stays, and the file is kept beside it.
  package static func store(
    _ receipt: OriginalReceipt,
    sha256: String,
    imageID: Int64,
    _ db: Connection
  ) throws {
    let before = try held(by: imageID, db)
    try add(receipt, sha256: sha256, db)
    if before != nil, !receipt.doubts.isEmpty {
      let replaced =
        receipt.misled.isEmpty
        ? [:] : try SuccessorQueries.replaced(.original, by: sha256, besides: imageID, db)
      try keep(receipt, sha256: sha256, imageID: imageID, db)
      let misled = receipt.misled.filter { replaced[$0] != nil }
      return try giveBack(misled, insteadOf: sha256, db)
    }
    try tie(receipt, sha256: sha256, imageID: imageID, db)
    try SuccessorQueries.forget([imageID], .original, db)
    try SuccessorQueries.noteRedirects([(imageID, receipt.isRedirected)], .original, db)
    try ReplacedOriginals.forget(imageID: imageID, sha256: sha256, db)
    // The file has just arrived, so it is right for all images that share it.
    try DamageQueries.forget([imageID], .original, db)
    try DamageQueries.mark(originalOf: imageID, as: .whole, db)
    try wantMadeThumbnail(of: imageID, from: sha256, db)
    try noteState(imageID: imageID, from: receipt.address, checkDate: receipt.checkDate, db)
    let after = try originalID(of: imageID, db)
    if after != before?.id { try ChangeLog.note(images: [imageID], db) }
    guard let before, before.id != after else { return }
    let now = receipt.arrived.storedSeconds
    try ReplacedOriginals.note(before.id, storedAt: before.date, imageID: imageID, at: now, db)
  }

  /// The original that an image has, and when it arrived.
  private static func held(
    by imageID: Int64,
    _ db: Connection
  ) throws -> (id: Int64, date: Int64)? {
    let sql = "SELECT original_id, stored_at FROM image_original WHERE image_id = $1"
    return try db.row(sql, imageID) { row in try (row.value(0), row.value(1)) }
  }

  /// Keeps a file beside an image's original, whose server is asked with its validators from now on.
  private static func keep(
    _ receipt: OriginalReceipt,
    sha256: String,
    imageID: Int64,
    _ db: Connection
  ) throws {
    try SuccessorQueries.keep(receipt, sha256: sha256, imageID: imageID, db)
    let answered = UnchangedPicture(
      imageID: imageID,
      address: receipt.address,
      validators: receipt.validators,
      checkDate: receipt.checkDate
    )
    try renewRow(answered, db)
  }

  /// Adds the row of a file, unless there is one.
  private static func add(
    _ receipt: OriginalReceipt,
    sha256: String,
    _ db: Connection
  ) throws {
    let info = receipt.info
    let sql = """
      INSERT INTO original(sha256, format, bytes, width, height, stored_at)
      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (sha256) DO NOTHING RETURNING id
      """
    let id: Int64? = try db.value(
      sql,
      sha256,
      info.format.rawValue,
      info.bytes,
      info.width,
      info.height,
      receipt.arrived.storedSeconds
    )
    if let id { try RowSeal.original.renew(id, db) }
    try ObjectQueries.bringBack(sha256: sha256, db)
  }

  private static func tie(
    _ receipt: OriginalReceipt,
    sha256: String,
    imageID: Int64,
    _ db: Connection
  ) throws {
    let sql = """
      INSERT INTO image_original AS held
        (image_id, original_id, address, etag, last_modified, stored_at)
      SELECT $1, id, $2, $3, $4, $5 FROM original WHERE sha256 = $6
      ON CONFLICT (image_id) DO UPDATE SET original_id = excluded.original_id,
        address = excluded.address, etag = excluded.etag, last_modified = excluded.last_modified,
        stored_at = CASE WHEN held.original_id = excluded.original_id
          THEN held.stored_at ELSE excluded.stored_at END
      """
    try db.run(
      sql,
      imageID,
      receipt.address.text,
      receipt.validators.entityTag,
      receipt.validators.lastModified,
      receipt.arrived.storedSeconds,
      sha256
    )
    try RowSeal.imageOriginal.renew(imageID, db)
  }

  /// Marks a thumbnail to be made from the stored original if it was made from another one, or if the one that the
  /// feed names has failed; that of a gallery stays as it is.
  ///
  /// - Returns: Whether it was not to be made before.
  @discardableResult
  static func wantMadeThumbnail(
    of imageID: Int64,
    from sha256: String,
    _ db: Connection
  ) throws -> Bool {
    let sql = """
      UPDATE image SET thumbnail_state = $1, thumbnail_check_at = NULL
      WHERE id = $2 AND (
        thumbnail_state = $3 AND (
          SELECT source_sha256 FROM thumbnail WHERE image_id = image.id
        ) IS DISTINCT FROM $4
        OR thumbnail_state = $5 AND \(FailureQueries.namedHasFailed)
      ) AND NOT \(MirrorQueries.hasThumbnail(db.dialect))
      """
    let (unmade, made) = (ThumbnailState.unmade.rawValue, ThumbnailState.made.rawValue)
    return try db.run(sql, unmade, imageID, made, sha256, ThumbnailState.wanted.rawValue) > 0
  }

  /// Records that the server still has the original that is stored.
  package static func renew(_ picture: UnchangedPicture, _ db: Connection) throws {
    try renewRow(picture, db)
    try SuccessorQueries.forgetOutdated(besides: [picture], .original, db)
    try SuccessorQueries.noteRedirects([(picture.imageID, picture.isRedirected)], .original, db)
  }

  private static func renewRow(_ picture: UnchangedPicture, _ db: Connection) throws {
    let (id, validators) = (picture.imageID, picture.validators)
    let sql = """
      UPDATE image_original SET address = $1, etag = $2, last_modified = $3 WHERE image_id = $4
      """
    var isThere = false
    try RowSeal.imageOriginal.change(id, db) {
      let (entityTag, lastModified) = (validators?.entityTag, validators?.lastModified)
      isThere = try db.run(sql, picture.address.text, entityTag, lastModified, id) > 0
    }
    guard isThere else { return }
    try noteState(imageID: id, from: picture.address, checkDate: picture.checkDate, db)
  }

  /// Records that an image has an original: stored if the feed names the address that it came from, otherwise stale.
  ///
  /// The server of an image that has left its feed is not asked again.
  private static func noteState(
    imageID: Int64,
    from address: WebAddress,
    checkDate: Date,
    _ db: Connection
  ) throws {
    // The address may have a new signature since the request.
    let isNamed = try RenditionQueries.isNamed(address, forOriginalOf: imageID, db)
    let state: OriginalState = isNamed ? .stored : .stale
    let sql = """
      UPDATE image SET original_state = $1,
        original_check_at = CASE WHEN original_state <> \(OriginalState.missing.rawValue)
          AND original_check_at IS NULL THEN NULL ELSE $2 END,
        change_seq = CASE
          WHEN original_state = $1 THEN change_seq ELSE \(db.dialect.nextChange) END
      WHERE id = $3
      """
    try db.run(sql, state.rawValue, checkDate.storedSeconds, imageID)
    try FailureQueries.forget([imageID], .original, db)
  }
}

extension StoredOriginal {
  /// Reads the columns of `OriginalQueries.original`; nil for a hash or a format that this program did not write.
  fileprivate init?(_ row: Row, in folder: LibraryFolder) throws {
    let sha256: String = try row.value(0)
    guard sha256.isSHA256, let info = try row.picture(1) else { return nil }
    try self.init(
      path: folder.original(sha256: sha256, info.format),
      sha256: sha256,
      info: info,
      isStale: row.value(5) == OriginalState.stale.rawValue,
      address: row.address(6),
      validators: Validators(entityTag: row.value(7), lastModified: row.value(8)),
      checkDate: row.date(9),
      isDamaged: row.value(10)
    )
  }
}
