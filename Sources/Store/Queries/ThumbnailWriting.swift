package import LibraryFiles
package import Models
package import Workers

/// A thumbnail that arrived, and that no row names yet.
package struct NewThumbnail {
  package var fetched: FetchedThumbnail
  /// The hash of its bytes.
  package var hash: SHA256Digest
  /// Its place in a pack on this disk; nil where its row gets the bytes.
  package var location: PackLocation?

  package init(_ fetched: FetchedThumbnail, hash: SHA256Digest, at location: PackLocation? = nil) {
    (self.fetched, self.hash, self.location) = (fetched, hash, location)
  }
}

/// The SQL that stores the results for thumbnails, named or made, in one transaction.
package struct ThumbnailWriting {
  let kind: PictureKind
  let db: Connection

  package init(_ kind: PictureKind, _ db: Connection) { (self.kind, self.db) = (kind, db) }

  /// Stores the results of a batch.
  ///
  /// - Parameters:
  ///   - batch: The results.
  ///   - thumbnails: The new thumbnails, and then the changed ones.
  /// - Returns: The thumbnails that were not stored, because their feed has named another address meanwhile.
  /// - Throws: when the library cannot be written.
  @discardableResult
  package func store(
    _ batch: PictureBatch,
    _ thumbnails: [NewThumbnail]
  ) throws -> [NewThumbnail] {
    try SuccessorQueries.keepFormer(of: thumbnails.map(\.fetched), db)
    let described = try ThumbnailDescription(kind, db).note(thumbnails)
    let stored = thumbnails.filter { described.contains($0.fetched.imageID) }
    try insert(stored)
    let ids = stored.map(\.fetched.imageID)
    try noteShapes(of: ids)
    try wantAgain(thumbnails.map(\.fetched.imageID).filter { !described.contains($0) })
    try outdateOriginals(of: batch.changed.map(\.imageID).filter(described.contains))
    for picture in batch.unchanged { try renew(picture) }
    try noteAnswers(to: batch, stored: described)
    try MirrorQueries.forgetThumbnails(of: ids, db)
    try DamageQueries.forget(ids, .thumbnail, db)
    let had =
      thumbnails.map(\.fetched.imageID) + batch.unchanged.map(\.imageID)
      + batch.doubtful.map(\.imageID)
    try FailureQueries.forget(had, kind, db)
    try FailureQueries.note(batch.failed, kind, db)
    return thumbnails.filter { !described.contains($0.fetched.imageID) }
  }

  /// Keeps doubtful thumbnails beside the stored ones, and records redirects.
  private func noteAnswers(to batch: PictureBatch, stored: Set<Int64>) throws {
    let taken = (batch.new + batch.changed).filter { stored.contains($0.imageID) }
    try SuccessorQueries.forget(taken.map(\.imageID), .thumbnail, db)
    try SuccessorQueries.forgetOutdated(besides: batch.unchanged, .thumbnail, db)
    try wantAgain(
      batch.doubtful.filter { thumbnail in
        let hash = try SHA256.digest(of: thumbnail.bytes, path: "successor").hexadecimal
        return try !SuccessorQueries.keep(thumbnail, kind, sha256: hash, db)
      }.map(\.imageID)
    )
    let answers =
      taken.map { ($0.imageID, $0.isRedirected) }
      + batch.unchanged.map { ($0.imageID, $0.isRedirected) }
    try SuccessorQueries.noteRedirects(answers, kind, db)
  }

  /// Sets the shapes of images, which their thumbnails show better than the sizes that feeds declare.
  ///
  /// This is a separate statement: in SQLite, one that names the column rewrites the indexes with it, for every row.
  private func noteShapes(of imageIDs: [Int64]) throws {
    if imageIDs.isEmpty { return }
    let sql = """
      UPDATE image SET shape = \(ImageDescription.storedShape)
      WHERE id \(db.dialect.ids(1)) AND shape IS DISTINCT FROM \(ImageDescription.storedShape)
      """
    try db.run(sql, imageIDs)
  }

  private func wantAgain(_ imageIDs: [Int64]) throws {
    if imageIDs.isEmpty { return }
    let sql = """
      UPDATE image SET thumbnail_check_at = NULL, thumbnail_state = \(FailureQueries.missingState)
      WHERE id \(db.dialect.ids(1))
      """
    try db.run(sql, imageIDs)
  }

  /// The migration after which thumbnails that fail are made from stored originals.
  package static let turnFailed = """
    UPDATE image SET thumbnail_state = \(ThumbnailState.unmade.rawValue)
    WHERE id IN (SELECT image_id FROM picture_failure) AND thumbnail_sha256 IS NULL
      AND thumbnail_state = \(ThumbnailState.wanted.rawValue)
      AND original_state = \(OriginalState.stored.rawValue) AND \(FailureQueries.namedHasFailed);

    """

  /// Makes the thumbnails wanted again that were damaged in another library, because its copy does not have them.
  package static func wantMissing(_ db: Connection) throws {
    let right = [ThumbnailState.stored, .made].map { "\($0.rawValue)" }.joined(separator: ", ")
    let sql = """
      UPDATE image SET thumbnail_state = \(FailureQueries.missingState)
      WHERE thumbnail_state IN (\(right))
        AND NOT EXISTS (SELECT 1 FROM thumbnail WHERE image_id = image.id)
      """
    try db.run(sql)
  }

  /// Marks the originals of changed thumbnails as stale, since they must have changed, too.
  private func outdateOriginals(of imageIDs: [Int64]) throws {
    if imageIDs.isEmpty { return }
    let (stale, stored) = (OriginalState.stale.rawValue, OriginalState.stored.rawValue)
    let sql = """
      UPDATE image SET original_state = \(stale), change_seq = \(db.dialect.nextChange)
      WHERE id \(db.dialect.ids(1)) AND original_state = \(stored)
      """
    try db.run(sql, imageIDs)
  }

  /// Sets the date of the next check of an unchanged thumbnail, and its validators if they have changed.
  private func renew(_ picture: UnchangedPicture) throws {
    let sql = """
      UPDATE image SET thumbnail_check_at = $1
      WHERE id = $2 AND \(kind.addressColumn) = $3 AND \(kind.isStored)
      """
    let (id, date) = (picture.imageID, picture.checkDate.storedSeconds)
    guard try db.run(sql, date, id, picture.address.text) > 0, let validators = picture.validators
    else { return }
    let renewal = "UPDATE thumbnail SET etag = $1, last_modified = $2 WHERE image_id = $3"
    try db.run(renewal, validators.entityTag, validators.lastModified, id)
  }
}

// MARK: - Rows of thumbnails

extension ThumbnailWriting {
  private func insert(_ thumbnails: [NewThumbnail]) throws {
    switch db.dialect {
    case .sqlite: for thumbnail in thumbnails { try insert(thumbnail) }
    case .postgres: try insertAll(thumbnails.map(\.fetched))
    }
  }

  /// Adds or changes the row of a thumbnail in a pack.
  ///
  /// These are two statements: one that may first delete a row, or start a trigger, makes SQLite keep a second journal
  /// of all pages that it changes.
  private func insert(_ thumbnail: NewThumbnail) throws {
    guard let location = thumbnail.location else { return }
    let fetched = thumbnail.fetched
    var values = Values(count: 10)
    values.add(fetched.imageID)
    values.add(fetched.address.text)
    values.add(fetched.validators.entityTag)
    values.add(fetched.validators.lastModified)
    values.add(fetched.fetched.storedSeconds)
    values.add(fetched.sourceSHA256)
    values.add(location.packID)
    values.add(location.offset)
    values.add(location.count)
    values.add(location.checksum)
    if try db.forEachRow(Self.insertion, with: values, { _ in true }) > 0 { return }
    try db.forEachRow(Self.replacement, with: values) { _ in true }
  }

  private static let insertion = """
    INSERT INTO thumbnail
      (image_id, address, etag, last_modified, fetched_at, source_sha256,
        pack_id, offset, bytes, checksum)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (image_id) DO NOTHING
    """

  private static let replacement = """
    UPDATE thumbnail SET address = $2, etag = $3, last_modified = $4, fetched_at = $5,
      source_sha256 = $6, pack_id = $7, offset = $8, bytes = $9, checksum = $10
    WHERE image_id = $1
    """

  /// Adds or changes the rows of thumbnails, with their bytes.
  private func insertAll(_ thumbnails: [FetchedThumbnail]) throws {
    if thumbnails.isEmpty { return }
    let sql = """
      INSERT INTO thumbnail(image_id, address, etag, last_modified, fetched_at, source_sha256, bytes)
      SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (image_id) DO UPDATE SET address = excluded.address, etag = excluded.etag,
        last_modified = excluded.last_modified, fetched_at = excluded.fetched_at,
        source_sha256 = excluded.source_sha256, bytes = excluded.bytes,
        pack_id = NULL, pack_offset = NULL, pack_bytes = NULL
      """
    try db.run(
      sql,
      thumbnails.map(\.imageID),
      thumbnails.map(\.address.text),
      thumbnails.map(\.validators.entityTag),
      thumbnails.map(\.validators.lastModified),
      thumbnails.map(\.fetched.storedSeconds),
      thumbnails.map(\.sourceSHA256),
      thumbnails.map { Bytes($0.bytes) }
    )
  }
}

// MARK: - Rows of images

/// Describes new thumbnails in the rows of their images, for one transaction.
///
/// A thumbnail whose feed has named another address since its request is left out, and so is a made one whose feed names
/// another thumbnail by now, which is fetched.
package struct ThumbnailDescription {
  /// The number of rows in the statement for a run, in SQLite.
  package static let runLength = 32
  /// The number of values of a row.
  private static let columns = 8

  private let kind: PictureKind
  private let db: Connection
  private let rowSQL: String
  private let runSQL: String

  init(_ kind: PictureKind, _ db: Connection) {
    (self.kind, self.db) = (kind, db)
    let state: ThumbnailState = kind == .madeThumbnail ? .made : .stored
    let condition = kind == .madeThumbnail ? "AND \(PictureQueries.isMadeOrUnmade)" : ""
    let set = """
      SET thumbnail_format = had.format, thumbnail_bytes = had.bytes,
        thumbnail_width = had.width, thumbnail_height = had.height,
        thumbnail_check_at = had.check_at, thumbnail_sha256 = had.hash,
        colours = NULL, thumbnail_state = \(state.rawValue), change_seq = \(db.dialect.nextChange)
      """
    let match = "WHERE image.id = had.id AND \(kind.addressColumn) = had.address \(condition)"
    switch db.dialect {
    case .sqlite:
      rowSQL = Self.update("UPDATE image", rows: 1, set, match)
      runSQL = Self.update("UPDATE OR FAIL image", rows: Self.runLength, set, match)
    case .postgres:
      rowSQL = ""
      runSQL = """
        UPDATE image \(set) FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)
          AS had(id, address, format, bytes, width, height, check_at, hash)
        \(match) RETURNING image.id
        """
    }
  }

  /// One statement updates many rows where there are enough, because each opens and closes all indexes of the table.
  ///
  /// With `OR FAIL`, SQLite does not copy a page before the statement first changes it (sqlite.org/lang_conflict.html).
  /// The copies would serve to roll back the statement alone. When this statement fails, the whole transaction is
  /// rolled back.
  private static func update(
    _ start: String,
    rows: Int,
    _ set: String,
    _ match: String
  ) -> String {
    let row = "(\(Array(repeating: "?", count: columns).joined(separator: ", ")))"
    let values = Array(repeating: row, count: rows).joined(separator: ", ")
    return """
      WITH had(id, address, format, bytes, width, height, check_at, hash) AS (VALUES \(values))
      \(start) \(set) FROM had \(match)
      """
  }

  /// Describes thumbnails; returns the ids of their images, without those that are left out.
  func note(_ thumbnails: [NewThumbnail]) throws -> Set<Int64> {
    if case .postgres = db.dialect { return try noteAll(thumbnails) }
    var described: Set<Int64> = []
    var rest = thumbnails[...]
    while !rest.isEmpty {
      let run = rest.prefix(Self.runLength)
      rest = rest.dropFirst(run.count)
      if run.count == Self.runLength, try note(run, runSQL) == run.count {
        described.formUnion(run.lazy.map(\.fetched.imageID))
        continue
      }
      for index in run.indices where try note(run[index...index], rowSQL) > 0 {
        described.insert(run[index].fetched.imageID)
      }
    }
    return described
  }

  private func note(_ run: ArraySlice<NewThumbnail>, _ sql: String) throws -> Int {
    var values = Values(count: run.count * Self.columns)
    for thumbnail in run {
      let (fetched, info) = (thumbnail.fetched, thumbnail.fetched.info)
      values.add(fetched.imageID)
      values.add(fetched.address.text)
      values.add(info.format.rawValue)
      values.add(fetched.bytes.count)
      values.add(info.width)
      values.add(info.height)
      values.add(fetched.checkDate.storedSeconds)
      values.add(thumbnail.hash)
    }
    return try db.forEachRow(sql, with: values) { _ in true }
  }

  private func noteAll(_ thumbnails: [NewThumbnail]) throws -> Set<Int64> {
    if thumbnails.isEmpty { return [] }
    let fetched = thumbnails.map(\.fetched)
    let ids: [Int64] = try db.column(
      runSQL,
      fetched.map(\.imageID),
      fetched.map(\.address.text),
      fetched.map(\.info.format.rawValue),
      fetched.map(\.bytes.count),
      fetched.map(\.info.width),
      fetched.map(\.info.height),
      fetched.map(\.checkDate.storedSeconds),
      thumbnails.map(\.hash)
    )
    return Set(ids)
  }
}
