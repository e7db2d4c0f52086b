import FoundationEssentials
import LibraryFiles
import Models
import Store
import Workers

/// The SQL about originals.
enum OriginalQueries {
  /// The original of an image, as the rows describe it; nil when the image has none.
  static func original(
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
    guard let row = try db.rows(sql, imageID).first, let info = try row.picture(1) else {
      return nil
    }
    let sha256: String = try row.value(0)
    return try StoredOriginal(
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

  /// An image that has an original with a hash; nil when no visible image has it.
  static func image(
    withOriginal hash: SHA256Digest,
    _ db: Connection
  ) throws -> Int64? {
    let sql = """
      SELECT image.id FROM original JOIN image_original ON original_id = original.id
      JOIN image ON image.id = image_id
      WHERE sha256 = $1 AND original_state <> 0 AND is_hidden = 0 LIMIT 1
      """
    return try db.value(sql, hash.hexadecimal)
  }

  /// The format under which a file with this hash is stored; nil if it is missing.
  static func format(sha256: String, _ db: Connection) throws -> ImageFormat? {
    try db.rows("SELECT format FROM original WHERE sha256 = $1", sha256).first?.value(raw: 0)
  }

  /// Whether an image exists; no other transaction can delete it until this one ends.
  static func keepsImage(_ id: Int64, _ db: Connection) throws -> Bool {
    try db.hasRow("SELECT 1 FROM image WHERE id = $1 FOR UPDATE", id)
  }

  /// Ties a file to an image.
  ///
  /// If the image had the same file before, the date at which it was stored stays.
  static func store(
    _ receipt: OriginalReceipt,
    sha256: String,
    imageID: Int64,
    _ db: Connection
  ) throws {
    let before = try originalID(of: imageID, db)
    try tie(receipt, sha256: sha256, imageID: imageID, db)
    let after = try originalID(of: imageID, db)
    // The file has just arrived, so it is whole for all images that have it.
    try DamageQueries.forget([imageID], .original, db)
    try DamageQueries.mark(originalOf: imageID, as: .whole, db)
    // A made thumbnail of another original is wanted again.
    let outdating = """
      UPDATE image SET thumbnail_state = 0, thumbnail_check_at = NULL
      WHERE id = $1 AND thumbnail_state = 3 AND (
        SELECT source_sha256 FROM thumbnail WHERE image_id = image.id
      ) IS DISTINCT FROM $2
      """
    try db.rows(outdating, imageID, sha256)
    try noteState(imageID: imageID, from: receipt.address, checkDate: receipt.checkDate, db)
    if after != before { try ChangeLog.note(images: [imageID], db) }
  }

  private static func tie(
    _ receipt: OriginalReceipt,
    sha256: String,
    imageID: Int64,
    _ db: Connection
  ) throws {
    let (info, arrived) = (receipt.info, receipt.arrived.storedSeconds)
    let insertion = """
      INSERT INTO original(sha256, format, bytes, width, height, stored_at)
      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (sha256) DO NOTHING
      """
    let (width, height) = (info.width, info.height)
    try db.rows(insertion, sha256, info.format.rawValue, info.bytes, width, height, arrived)
    let tie = """
      INSERT INTO image_original AS held (image_id, original_id, address, etag, last_modified, stored_at)
      SELECT $1, id, $2, $3, $4, $5 FROM original WHERE sha256 = $6
      ON CONFLICT (image_id) DO UPDATE SET original_id = excluded.original_id,
        address = excluded.address, etag = excluded.etag, last_modified = excluded.last_modified,
        stored_at = CASE WHEN held.original_id = excluded.original_id
          THEN held.stored_at ELSE excluded.stored_at END
      """
    let validators = receipt.validators
    let (entityTag, lastModified) = (validators.entityTag, validators.lastModified)
    try db.rows(
      tie,
      with: [imageID, receipt.address.text, entityTag, lastModified, arrived, sha256]
    )
  }

  static func originalID(of imageID: Int64, _ db: Connection) throws -> Int64? {
    try db.value("SELECT original_id FROM image_original WHERE image_id = $1", imageID)
  }

  /// Notes that the stored original is still that of its server.
  static func renew(_ picture: UnchangedPicture, _ db: Connection) throws {
    let sql = """
      UPDATE image_original SET address = $1, etag = $2, last_modified = $3 WHERE image_id = $4
      """
    let (id, address, validators) = (picture.imageID, picture.address, picture.validators)
    let (entityTag, lastModified) = (validators?.entityTag, validators?.lastModified)
    guard try db.rows(sql, address.text, entityTag, lastModified, id).written > 0 else { return }
    try noteState(imageID: id, from: address, checkDate: picture.checkDate, db)
  }

  /// Notes that an image has an original, which is stale unless the feed names the address that it came from.
  private static func noteState(
    imageID: Int64,
    from address: WebAddress,
    checkDate: Date,
    _ db: Connection
  ) throws {
    let row = try db.rows("SELECT original_address FROM image WHERE id = $1", imageID).first
    let isNamed = try row?.address(0)?.identity == address.identity
    let state: OriginalState = isNamed ? .stored : .stale
    let sql = """
      UPDATE image SET original_state = $1, original_check_at = $2,
        change_seq = CASE WHEN original_state = $1 THEN change_seq ELSE next_change() END
      WHERE id = $3
      """
    try db.rows(sql, state.rawValue, checkDate.storedSeconds, imageID)
    try FailureQueries.forget([imageID], .original, db)
  }
}
