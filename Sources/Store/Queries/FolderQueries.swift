import FoundationEssentials
import LibraryFiles
package import Models
package import Workers

/// The SQL about the files of folders that are feeds: originals that stay where they are (`folder_original`).
///
/// They have no row in `original`, so they neither count in the bounds of a library nor give way, and no cleaning finds
/// them. Their images have the state of a stored original.
package enum FolderQueries {
  private static let table = "folder_original"

  /// Whether the library has the table.
  package static func areKept(_ db: Connection) throws -> Bool { try db.hasTable(table) }

  /// Whether the table may have rows; most libraries follow no folder.
  private static func mayHaveRows(_ db: Connection) throws -> Bool {
    try areKept(db) && db.mayHaveRows(in: table)
  }

  // MARK: Reading

  /// A file has no version while its image has a new address that no sync has finished with, so that it is read again.
  private static let columns = """
    image.id, image.entry_id, image.original_address,
    CASE WHEN image.original_state = \(OriginalState.stale.rawValue) THEN '' ELSE here.version END,
    here.sha256, here.format, here.bytes, here.width, here.height
    """

  /// The files of a feed, as its last syncs have read them.
  package static func originals(feedID: Int64, _ db: Connection) throws -> [FolderOriginal] {
    guard try mayHaveRows(db) else { return [] }
    let sql = """
      SELECT \(columns) FROM folder_original AS here JOIN image ON image.id = here.image_id
      WHERE image.feed_id = $1
      """
    return try db.rows(sql, feedID) { row in try original(row) }
  }

  /// The followed folders with the numbers of their files, those with the most first.
  package static func counts(_ db: Connection) throws -> [PictureFolderCount] {
    guard try mayHaveRows(db) else { return [] }
    let sql = """
      SELECT feed.address, count(*) FROM folder_original AS here
      JOIN image ON image.id = here.image_id JOIN feed ON feed.id = image.feed_id
      WHERE is_hidden = 0 AND NOT is_removed GROUP BY feed.id, feed.address
      ORDER BY count(*) DESC, feed.id
      """
    return try db.rows(sql) { row in
      let path = try row.address(0)?.filePath ?? row.value(0)
      return try PictureFolderCount(path: path, pictures: row.value(1))
    }
  }

  /// The number of files that are the stored originals of images, and their size in bytes.
  static func figures(_ db: Connection) throws -> (files: Int, bytes: Int) {
    guard try mayHaveRows(db) else { return (0, 0) }
    let sql = """
      SELECT count(*), CAST(coalesce(sum(here.bytes), 0) AS bigint) FROM folder_original AS here
      JOIN image ON image.id = here.image_id WHERE is_hidden = 0 AND original_state <> 0
      """
    let figures = try db.rows(sql) { row in try (row.value(0) as Int, row.value(1) as Int) }
    return figures.first ?? (0, 0)
  }

  /// The file of an image, and the address of its folder; nil for an image of another feed.
  package static func original(
    imageID: Int64,
    _ db: Connection
  ) throws -> (original: FolderOriginal, folder: WebAddress)? {
    guard try mayHaveRows(db) else { return nil }
    let sql = """
      SELECT \(columns), feed.address FROM folder_original AS here
      JOIN image ON image.id = here.image_id JOIN feed ON feed.id = image.feed_id
      WHERE here.image_id = $1
      """
    return try db.row(sql, imageID) { row in
      guard let found = try original(row), let folder = try row.address(9) else { return nil }
      return (found, folder)
    }
  }

  /// A listed image whose original is a file with a hash.
  package static func images(
    withOriginal hash: SHA256Digest,
    _ db: Connection
  ) throws -> [Int64] {
    guard try mayHaveRows(db) else { return [] }
    let sql = """
      SELECT image.id FROM folder_original AS here \(db.dialect.joinInOrder) image
        ON image.id = here.image_id
      WHERE here.sha256 = $1 AND \(ImageQueries.isListed)
      """
    return try db.column(sql, hash.hexadecimal)
  }

  /// The originals of images, by their ids, with the paths of their files.
  static func pictures(ofImages ids: [Int64], _ db: Connection) throws -> [Int64: PictureInfo] {
    guard !ids.isEmpty, try mayHaveRows(db) else { return [:] }
    let sql = """
      SELECT \(columns) FROM folder_original AS here JOIN image ON image.id = here.image_id
      WHERE here.image_id \(db.dialect.ids(1))
      """
    let found = try db.rows(sql, ids) { row in
      try original(row).map { original in
        var info = original.info
        info.hash = SHA256Digest(hexadecimal: original.sha256)
        info.place = original.address.filePath
        return (original.imageID, info)
      }
    }
    return Dictionary(found) { first, _ in first }
  }

  /// The condition that the original of an image is not such a file; `id` is the SQL of the image's id.
  package static func isElsewhere(_ id: String, _ db: Connection) throws -> String {
    guard try mayHaveRows(db) else { return "true" }
    return "NOT EXISTS (SELECT 1 FROM folder_original AS here WHERE here.image_id = \(id))"
  }

  /// Nil for values that this program did not write.
  private static func original(_ row: Row) throws -> FolderOriginal? {
    let sha256: String = try row.value(4)
    guard sha256.isSHA256, let info = try row.picture(5), let address = try row.address(2),
      let entryID = try row.value(1) as String?
    else { return nil }
    return try FolderOriginal(
      imageID: row.value(0),
      entryID: entryID,
      address: address,
      version: row.value(3),
      sha256: sha256,
      info: info
    )
  }

  // MARK: Writing

  /// Records files that were read; images that are not there, or have other entry ids by now, are left out.
  package static func note(
    _ originals: [FolderOriginal],
    feedID: Int64,
    _ db: Connection
  ) throws {
    for original in originals { try note(original, feedID: feedID, db) }
  }

  private static func note(
    _ original: FolderOriginal,
    feedID: Int64,
    _ db: Connection
  ) throws {
    let entryID = EntryID(original.entryID)
    let image = "SELECT id FROM image WHERE feed_id = $1 AND entry_hash = $2 AND entry_id = $3"
    guard let id: Int64 = try db.value(image, feedID, entryID.hash, entryID.text) else { return }
    let info = original.info
    let known = """
      SELECT version, sha256, format, bytes, width, height FROM folder_original WHERE image_id = $1
      """
    let before: (version: String, sha256: String, info: PictureInfo?)? =
      try db.row(known, id) { row in
        try (version: row.value(0), sha256: row.value(1), info: row.picture(2))
      }
    let isOther = before?.sha256 != original.sha256
    // A newer program may read more from the same content.
    let former = before?.info
    let isSame =
      former?.format == info.format && former?.bytes == info.bytes && former?.width == info.width
      && former?.height == info.height
    if isOther || !isSame || before?.version != original.version {
      let sql = """
        INSERT INTO folder_original(image_id, version, sha256, format, bytes, width, height)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (image_id) DO UPDATE SET version = excluded.version, sha256 = excluded.sha256,
          format = excluded.format, bytes = excluded.bytes, width = excluded.width,
          height = excluded.height
        """
      try db.run(
        sql,
        id,
        original.version,
        original.sha256,
        info.format.rawValue,
        info.bytes,
        info.width,
        info.height
      )
    }
    if isOther { try FailureQueries.forget([id], .madeThumbnail, db) }
    let hasOtherThumbnail = try setThumbnailState(of: id, sha256: original.sha256, db)
    try setOriginalState(of: id, isChanged: isOther || !isSame || hasOtherThumbnail, db)
  }

  /// A thumbnail stays if it was made from the same bytes, whatever the name of their file; any other is made again.
  ///
  /// - Returns: Whether that changes which thumbnail is wanted.
  private static func setThumbnailState(
    of id: Int64,
    sha256: String,
    _ db: Connection
  ) throws -> Bool {
    let isWanted = try OriginalQueries.wantMadeThumbnail(of: id, from: sha256, db)
    let sql = """
      UPDATE image SET thumbnail_state = $1
      WHERE id = $2 AND thumbnail_state = $3 AND thumbnail_sha256 IS NOT NULL AND (
        SELECT source_sha256 FROM thumbnail WHERE image_id = image.id
      ) = $4
      """
    let (made, unmade) = (ThumbnailState.made.rawValue, ThumbnailState.unmade.rawValue)
    return try db.run(sql, made, id, unmade, sha256) > 0 || isWanted
  }

  /// No server is asked for a file, so its pictures are never due.
  ///
  /// An image whose row is right already stays as it is, and clients that follow the changes do not get it again.
  private static func setOriginalState(of id: Int64, isChanged: Bool, _ db: Connection) throws {
    let right = [ThumbnailState.stored, .made].map { "\($0.rawValue)" }.joined(separator: ", ")
    let thumbnailCheck = "CASE WHEN thumbnail_state IN (\(right)) THEN \(neverDue) END"
    let stored = OriginalState.stored.rawValue
    let isWrong = """
      original_state <> \(stored) OR original_check_at IS DISTINCT FROM \(neverDue)
        OR thumbnail_check_at IS DISTINCT FROM \(thumbnailCheck)
      """
    let sql = """
      UPDATE image SET original_state = \(stored), original_check_at = \(neverDue),
        thumbnail_check_at = \(thumbnailCheck), change_seq = \(db.dialect.nextChange)
      WHERE id = $1 AND \(isChanged ? "true" : "(\(isWrong))")
      """
    try db.run(sql, id)
  }

  private static let neverDue = FolderOriginal.checkDate.storedSeconds

  /// When the pictures of an image that was not listed for a while are due: those of a file never, all others at once.
  static let dueAgain = """
    CASE WHEN EXISTS (SELECT 1 FROM folder_original WHERE image_id = image.id)
      THEN \(neverDue) ELSE 0 END
    """

  /// Records that the files of images are missing; their thumbnails stay.
  package static func forget(images ids: [Int64], _ db: Connection) throws {
    guard !ids.isEmpty, try mayHaveRows(db) else { return }
    try db.run("DELETE FROM folder_original WHERE image_id \(db.dialect.ids(1))", ids)
    let sql = """
      UPDATE image SET original_state = \(OriginalState.missing.rawValue), original_check_at = NULL,
        change_seq = \(db.dialect.nextChange)
      WHERE id \(db.dialect.ids(1))
        AND NOT EXISTS (SELECT 1 FROM image_original WHERE image_id = image.id)
      """
    try db.run(sql, ids)
  }
}
