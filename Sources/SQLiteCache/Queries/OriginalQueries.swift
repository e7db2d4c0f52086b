import FoundationEssentials
import GRDB
import LibraryFiles
import Models
import Store
import Workers

/// The SQL about originals.
enum OriginalQueries {
  /// The condition that an original is missing or outdated.
  static let isWanted = "original_state <> \(OriginalState.stored.rawValue)"

  /// The row of an image's original.
  struct File {
    var sha256: String
    var info: PictureInfo
    var state: OriginalState
    var address: WebAddress?
    var validators: Validators
    var checkDate: Date?
    var isDamaged: Bool
  }

  static func file(imageID: Int64, _ db: Database) throws -> File? {
    let sql = """
      SELECT sha256, format, bytes, original.width, original.height, original_state,
        address, etag, last_modified, original_check_at, EXISTS (
          SELECT 1 FROM damage WHERE damage.image_id = image.id
            AND kind = \(PictureKind.original.rawValue)
        )
      FROM image_original
      JOIN original ON original.id = original_id
      JOIN image ON image.id = image_id
      WHERE image_id = ?
      """
    guard let row = try Row.fetchOne(db, sql: sql, arguments: [imageID]),
      try (row.value(0) as String).isSHA256,
      let format = try ImageFormat(rawValue: row.value(1))
    else { return nil }
    // One flipped bit in the row would name another image's file.
    try RowSeal.imageOriginal.check(imageID, db.store)
    return try File(
      sha256: row.value(0),
      info: PictureInfo(
        format: format,
        bytes: row.value(2),
        width: row.value(3),
        height: row.value(4)
      ),
      state: OriginalState(rawValue: row.value(5)) ?? .missing,
      address: WebAddress(row.value(6)),
      validators: Validators(entityTag: row.value(7), lastModified: row.value(8)),
      checkDate: (row.value(9) as Int64?).map(Date.init(storedSeconds:)),
      isDamaged: row.value(10)
    )
  }

  /// The sum of the sizes that a feed declares for its wanted originals.
  ///
  /// A number above the limit for an original, damaged or malicious, counts as the limit.
  static func declaredBytes(feedID: Int64, _ db: Database) throws -> Int {
    let sql = """
      SELECT total(min(declared_bytes, \(OriginalRequest.mostBytes))) FROM image
      WHERE feed_id = ? AND is_hidden = 0 AND \(isWanted)
      """
    let sum = try Double.fetchOne(db, sql: sql, arguments: [feedID]) ?? 0
    return Int(min(max(sum, 0), 1e18))
  }

  /// The format under which the file with a hash is stored; nil when there is no such original.
  static func format(sha256: String, _ db: Database) throws -> ImageFormat? {
    let sql = "SELECT format FROM original WHERE sha256 = ?"
    return try String.fetchOne(db, sql: sql, arguments: [sha256])
      .flatMap(ImageFormat.init(rawValue:))
  }

  /// Throws when the image has been deleted, since nothing would refer to its original.
  static func checkExists(imageID: Int64, in folder: LibraryFolder, _ db: Database) throws {
    let sql = "SELECT EXISTS (SELECT 1 FROM image WHERE id = ?)"
    guard try Bool.fetchOne(db, sql: sql, arguments: [imageID]) == true else {
      let message = "the image has been deleted meanwhile"
      throw StoreError(reason: .other, path: folder.database, message: message)
    }
  }

  /// Ties a file to an image; a file that arrives again keeps the date of its first arrival.
  static func store(
    _ receipt: OriginalReceipt,
    sha256: String,
    imageID: Int64,
    _ db: Database
  ) throws {
    let arrived = receipt.arrived.storedSeconds
    try store(receipt.info, sha256: sha256, arrived: arrived, db)
    let before = try originalID(of: imageID, db)
    try db.execute(
      sql: """
        INSERT INTO image_original
          (image_id, original_id, address, etag, last_modified, stored_at)
        SELECT ?, id, ?, ?, ?, ? FROM original WHERE sha256 = ?
        ON CONFLICT(image_id) DO UPDATE SET
          original_id = excluded.original_id, address = excluded.address, etag = excluded.etag,
          last_modified = excluded.last_modified,
          stored_at = iif(original_id = excluded.original_id, stored_at, excluded.stored_at)
        """,
      arguments: [
        imageID, receipt.address.text, receipt.validators.entityTag,
        receipt.validators.lastModified, arrived, sha256,
      ]
    )
    try RowSeal.imageOriginal.renew(imageID, db.store)
    try noteUse(receipt, imageID: imageID, insteadOf: before, db)
    // The file has just arrived, so it is right for all images that share it.
    try DamageQueries.forget([imageID], .original, db.store)
    try DamageQueries.mark(originalOf: imageID, as: .whole, db.store)
    try ThumbnailQueries.outdate(imageID: imageID, unlessMadeFrom: sha256, db)
    try noteState(imageID: imageID, from: receipt.address, checkDate: receipt.checkDate, db)
    if try originalID(of: imageID, db) != before { try ChangeLog.note(images: [imageID], db.store) }
  }

  /// Adds the row of a file, unless there is one.
  private static func store(
    _ info: PictureInfo,
    sha256: String,
    arrived: Int64,
    _ db: Database
  ) throws {
    try db.execute(
      sql: """
        INSERT INTO original(sha256, format, bytes, width, height, stored_at)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT(sha256) DO NOTHING;
        """,
      arguments: [sha256, info.format.rawValue, info.bytes, info.width, info.height, arrived]
    )
    if db.changesCount > 0 { try RowSeal.original.renew(db.lastInsertedRowID, db.store) }
    try ObjectQueries.bringBack(sha256: sha256, db)
  }

  /// Records when an original was used; one that was fetched ahead counts as used at the date of its image.
  private static func noteUse(
    _ receipt: OriginalReceipt,
    imageID: Int64,
    insteadOf before: Int64?,
    _ db: Database
  ) throws {
    guard let id = try originalID(of: imageID, db) else { return }
    let date =
      try receipt.lookedAt?.storedSeconds
      ?? min(BoundQueries.date(ofImage: imageID, db), receipt.arrived.storedSeconds)
    try BoundQueries.note(date, original: id, db)
    if let before, before != id { try BoundQueries.noteUnreferred(original: before, db) }
  }

  private static func originalID(of imageID: Int64, _ db: Database) throws -> Int64? {
    let sql = "SELECT original_id FROM image_original WHERE image_id = ?"
    return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [imageID])
  }

  /// Records that the server still has the original that is stored.
  static func renew(_ picture: UnchangedPicture, _ db: Database) throws {
    let (id, validators) = (picture.imageID, picture.validators)
    var isThere = false
    try RowSeal.imageOriginal.change(id, db.store) {
      try db.execute(
        sql: """
          UPDATE image_original SET address = ?, etag = ?, last_modified = ? WHERE image_id = ?
          """,
        arguments: [picture.address.text, validators?.entityTag, validators?.lastModified, id]
      )
      isThere = db.changesCount > 0
    }
    guard isThere else { return }
    try noteState(imageID: id, from: picture.address, checkDate: picture.checkDate, db)
  }

  /// Records that an image has an original: stored if the feed names the address that it came from, otherwise stale.
  private static func noteState(
    imageID: Int64,
    from address: WebAddress,
    checkDate: Date,
    _ db: Database
  ) throws {
    let sql = "SELECT original_address FROM image WHERE id = ?"
    let named = try String.fetchOne(db, sql: sql, arguments: [imageID]).flatMap(WebAddress.init)
    let state: OriginalState = named?.identity == address.identity ? .stored : .stale
    try db.execute(
      sql: """
        UPDATE image SET original_state = ?1, original_check_at = ?2,
          change_seq = iif(original_state = ?1, change_seq, \(ChangeLog.next))
        WHERE id = ?3
        """,
      arguments: [state.rawValue, checkDate.storedSeconds, imageID]
    )
    try FailureQueries.forget([imageID], .original, db.store)
  }
}

extension StoredOriginal {
  /// Makes the original of an image from its row.
  init(_ row: OriginalQueries.File, in folder: LibraryFolder) {
    self.init(
      path: folder.original(sha256: row.sha256, row.info.format),
      sha256: row.sha256,
      info: row.info,
      isStale: row.state == .stale,
      address: row.address,
      validators: row.validators,
      checkDate: row.checkDate,
      isDamaged: row.isDamaged
    )
  }
}
