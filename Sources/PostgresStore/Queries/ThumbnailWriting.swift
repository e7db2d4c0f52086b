import LibraryFiles
import Models
import Store
import Workers

/// The SQL that stores the results for thumbnails, named or made, in one transaction.
struct ThumbnailWriting {
  let kind: PictureKind
  let db: Connection

  /// Stores the results of a batch.
  ///
  /// - Parameters:
  ///   - batch: The results.
  ///   - hashes: The hashes of the new thumbnails' bytes, and then of the changed ones'.
  /// - Throws: when the library cannot be written.
  func store(_ batch: PictureBatch, _ hashes: [SHA256Digest]) throws {
    let thumbnails = batch.new + batch.changed
    let stored = try describe(thumbnails, hashes)
    let kept = thumbnails.filter { stored.contains($0.imageID) }
    try insert(kept)
    try wantAgain(thumbnails.map(\.imageID).filter { !stored.contains($0) })
    try outdateOriginals(of: batch.changed.map(\.imageID).filter(stored.contains))
    for picture in batch.unchanged { try renew(picture) }
    try MirrorQueries.forgetThumbnails(of: kept.map(\.imageID), db)
    try DamageQueries.forget(kept.map(\.imageID), .thumbnail, db)
    let had = thumbnails.map(\.imageID) + batch.unchanged.map(\.imageID)
    try FailureQueries.forget(had, kind, db)
    try FailureQueries.note(batch.failed, kind, db)
  }

  /// Describes thumbnails in the rows of their images.
  ///
  /// - Returns: The images whose feed has not named another address since the fetch began.
  private func describe(
    _ thumbnails: [FetchedThumbnail],
    _ hashes: [SHA256Digest]
  ) throws -> Set<Int64> {
    if thumbnails.isEmpty { return [] }
    // If the feed names a thumbnail by now, a thumbnail made from the original is not wanted.
    let condition = kind == .madeThumbnail ? "AND thumbnail_address IS NULL" : ""
    let state = kind == .madeThumbnail ? ThumbnailState.made : .stored
    let sql = """
      UPDATE image SET thumbnail_format = had.format, thumbnail_bytes = had.bytes,
        thumbnail_width = had.width, thumbnail_height = had.height,
        thumbnail_check_at = had.check_at, thumbnail_sha256 = had.hash, colours = NULL,
        thumbnail_state = \(state.rawValue), change_seq = (SELECT next_change()),
        shape = CASE WHEN image.width IS NULL OR image.height IS NULL
          THEN sign(had.width - had.height) ELSE shape END
      FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[],
        $7::bigint[], $8::bytea[])
        AS had(id, address, format, bytes, width, height, check_at, hash)
      WHERE image.id = had.id AND \(kind.addressColumn) = had.address \(condition)
      RETURNING image.id
      """
    let rows = try db.rows(
      sql,
      with: [
        thumbnails.map(\.imageID), thumbnails.map(\.address.text),
        thumbnails.map(\.info.format.rawValue), thumbnails.map(\.bytes.count),
        thumbnails.map(\.info.width), thumbnails.map(\.info.height),
        thumbnails.map(\.checkDate.storedSeconds), hashes,
      ]
    )
    return Set(try rows.map { try $0.value(0) })
  }

  private func insert(_ thumbnails: [FetchedThumbnail]) throws {
    if thumbnails.isEmpty { return }
    let sql = """
      INSERT INTO thumbnail(image_id, address, etag, last_modified, fetched_at, source_sha256, bytes)
      SELECT * FROM unnest(
        $1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bytea[]
      )
      ON CONFLICT (image_id) DO UPDATE SET address = excluded.address, etag = excluded.etag,
        last_modified = excluded.last_modified, fetched_at = excluded.fetched_at,
        source_sha256 = excluded.source_sha256, bytes = excluded.bytes,
        pack_id = NULL, pack_offset = NULL, pack_bytes = NULL
      """
    try db.rows(
      sql,
      with: [
        thumbnails.map(\.imageID), thumbnails.map(\.address.text),
        thumbnails.map(\.validators.entityTag), thumbnails.map(\.validators.lastModified),
        thumbnails.map(\.fetched.storedSeconds), thumbnails.map(\.sourceSHA256),
        thumbnails.map { Bytes($0.bytes) },
      ]
    )
  }

  private func wantAgain(_ imageIDs: [Int64]) throws {
    if imageIDs.isEmpty { return }
    let sql = """
      UPDATE image SET thumbnail_check_at = NULL,
        thumbnail_state = CASE WHEN thumbnail_address IS NULL THEN 0 ELSE 2 END
      WHERE id = ANY($1::bigint[])
      """
    try db.rows(sql, imageIDs)
  }

  /// Marks originals as stale: if the thumbnail has changed, the original has, too.
  private func outdateOriginals(of imageIDs: [Int64]) throws {
    if imageIDs.isEmpty { return }
    let sql = """
      UPDATE image SET original_state = 2, change_seq = (SELECT next_change())
      WHERE id = ANY($1::bigint[]) AND original_state = 1
      """
    try db.rows(sql, imageIDs)
  }

  private func renew(_ picture: UnchangedPicture) throws {
    let sql = """
      UPDATE image SET thumbnail_check_at = $1
      WHERE id = $2 AND \(kind.addressColumn) = $3 AND \(kind.isStored)
      """
    let (id, date) = (picture.imageID, picture.checkDate.storedSeconds)
    let written = try db.rows(sql, date, id, picture.address.text).written
    guard written > 0, let validators = picture.validators else { return }
    let renewal = "UPDATE thumbnail SET etag = $1, last_modified = $2 WHERE image_id = $3"
    try db.rows(renewal, validators.entityTag, validators.lastModified, id)
  }
}
