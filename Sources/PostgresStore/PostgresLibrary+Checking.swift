import Dispatch
import FoundationEssentials
import LibraryFiles
import Models
import Store
package import Workers

extension PostgresLibrary: LibraryInspecting {
  /// Finds rows that refer to missing rows; the server is responsible for the pages of the database.
  package func databaseFaults() async throws(StoreError) -> [String] {
    try await reading(Self.faults)
  }

  static func faults(_ db: Connection) throws -> [String] {
    try references.flatMap { table, column, parent in
      let sql = """
        SELECT \(column) FROM \(table) AS child WHERE NOT EXISTS (
          SELECT 1 FROM \(parent) WHERE \(parent).id = child.\(column)
        ) LIMIT 5
        """
      return try db.rows(sql).map { row in
        let id: Int64 = try row.value(0)
        return "a row of \(table) refers to row \(id) of \(parent), which is not there"
      }
    }
  }

  private static let references = [
    (table: "image", column: "feed_id", parent: "feed"),
    (table: "thumbnail", column: "image_id", parent: "image"),
    (table: "image_original", column: "image_id", parent: "image"),
    (table: "pin", column: "image_id", parent: "image"),
    (table: "member_image", column: "image_id", parent: "image"),
  ]

  /// Rebuilds the indexes.
  ///
  /// A transaction cannot rebuild those of a partitioned table at once
  /// (postgresql.org/docs/15/sql-reindex.html), but those of its partitions.
  ///
  /// - Throws: when a fault remains.
  package func repairDatabase() async throws(StoreError) {
    try await writing { db in
      for table in ["feed", "image", "pack", "thumbnail", "image_original", "original", "pin"] {
        let partitions = "SELECT inhrelid FROM pg_inherits WHERE inhparent = '\(table)'::regclass"
        let sql = """
          SELECT oid::regclass::text FROM pg_class
          WHERE relkind = 'r' AND (oid = '\(table)'::regclass OR oid IN (\(partitions)))
          """
        for part in try db.column(sql) as [String] { try db.run("REINDEX TABLE \(part)") }
      }
    }
    guard let fault = try await databaseFaults().first else { return }
    throw StoreError(reason: .unsound, path: path, message: fault)
  }

  package func checkKey() async throws(StoreError) { _ = try await keptKey() }

  /// The setting that is the key pair also says that there is one, so it cannot be lost.
  package func replaceLostKey() async throws(StoreError) { try await checkKey() }

  package func storedThumbnails(
    after imageID: Int64,
    limit: Int
  ) async throws(StoreError) -> [StoredThumbnail] {
    let rows = try await withBytes(isCheck: true) { db in
      let sql = """
        SELECT image_id, thumbnail_format, thumbnail_bytes, thumbnail_width, thumbnail_height,
          thumbnail_sha256,
          EXISTS (SELECT 1 FROM damage WHERE damage.image_id = image.id AND kind = 0),
          \(ThumbnailPlace.columns)
        FROM \(ThumbnailPlace.source) JOIN image ON image.id = image_id
        WHERE image_id > $1 ORDER BY image_id LIMIT $2
        """
      return try db.rows(sql, imageID, limit).map { row in
        let hash = row.hash(5)
        let thumbnail = try StoredThumbnail(
          imageID: row.value(0),
          info: row.picture(1, hash: hash),
          bytes: [],
          isIntact: false,
          isMarked: row.value(6)
        )
        return try (thumbnail, ThumbnailPlace(row, at: 7, hash: hash))
      }
    }
    var thumbnails: [StoredThumbnail] = []
    for (thumbnail, bytes) in rows {
      var thumbnail = thumbnail
      if let bytes {
        thumbnail.bytes = bytes
        let (hash, known) = (try SHA256.digest(of: bytes, path: path), thumbnail.info?.hash)
        thumbnail.isIntact = known == nil || known == hash
      }
      thumbnails.append(thumbnail)
    }
    return thumbnails
  }

  /// The originals that this machine's folder should have.
  ///
  /// These are all originals that the object store lacks, and those of the object store that have a file here.
  package func filedOriginals(
    after id: Int64,
    limit: Int
  ) async throws(StoreError) -> [FiledOriginal] {
    var (found, last) = ([FiledOriginal](), id)
    while found.isEmpty {
      let rows = try await reading { [last] db in try self.originals(after: last, limit, db) }
      guard let end = rows.last?.original.id else { break }
      found = rows.filter { !$0.isPut || FileSystem.size(of: $0.original.path) != nil }
        .map(\.original)
      last = end
    }
    return found
  }

  private func originals(
    after id: Int64,
    _ limit: Int,
    _ db: Connection
  ) throws -> [(original: FiledOriginal, isPut: Bool)] {
    let sql = """
      SELECT id, sha256, format, bytes, put_at IS NOT NULL, ARRAY(
          SELECT image_id FROM image_original WHERE original_id = original.id ORDER BY image_id
        )::text, EXISTS (
          SELECT 1 FROM image_original AS held JOIN image ON image.id = held.image_id
          WHERE held.original_id = original.id AND \(DamageQueries.isMarked)
        )
      FROM original WHERE id > $1 ORDER BY id LIMIT $2
      """
    return try db.rows(sql, id, limit).compactMap { row in
      let sha256: String = try row.value(1)
      guard let format: ImageFormat = try row.value(raw: 2) else { return nil }
      let original = try FiledOriginal(
        id: row.value(0),
        path: folder.original(sha256: sha256, format),
        sha256: sha256,
        bytes: row.value(3),
        imageIDs: row.ids(5),
        isMarked: row.value(6)
      )
      return (original, try row.value(4))
    }
  }

  package func strayFiles() async throws(StoreError) -> [StrayFile] {
    try await reading { db in
      var files: [StrayFile] = []
      // Files behind a link that the user has not accepted may belong to something else, so they are not strays.
      let meant = try Self.linkedOriginals(db)
      if self.folder.link(at: self.folder.originals, meant: meant) == nil {
        files += try self.strayOriginals(db)
      }
      if self.folder.link(at: self.folder.partial) == nil { files += try self.strayPartials(db) }
      return files
    }
  }

  private func strayOriginals(_ db: Connection) throws -> [StrayFile] {
    let listing = FolderListing(folder)
    let paths = try listing.originals()
    let names = Set(paths.map(LibraryFolder.sha256))
    let sql = "SELECT sha256, format FROM original WHERE sha256 = ANY($1::text[])"
    let known = try db.rows(sql, Array(names)).compactMap { row in
      try row.value(raw: 1).map { folder.original(sha256: try row.value(0), $0) }
    }
    let referred = Set(known)
    return try paths.filter { !referred.contains($0) }.compactMap(listing.stray)
  }

  private func strayPartials(_ db: Connection) throws -> [StrayFile] {
    let listing = FolderListing(folder)
    let paths = try listing.partials()
    let ids = paths.compactMap(folder.imageID(ofPartialAt:))
    let sql = "SELECT id FROM image WHERE id = ANY($1::bigint[]) AND is_hidden = 0"
    let shown: Set<Int64> = Set(try db.column(sql, ids))
    return try paths.filter { path in
      listing.isAbandoned(path)
        || folder.imageID(ofPartialAt: path).map { !shown.contains($0) } ?? false
    }
    .compactMap(listing.stray)
  }

  static func linkedOriginals(_ db: Connection) throws -> String? {
    try db.value("SELECT value FROM setting WHERE name = 'originals'")
  }

  package func takeBack(
    strayAt path: String,
    for images: [Int64]
  ) async throws(StoreError) -> [Int64] {
    let sha256 = LibraryFolder.sha256(ofOriginalAt: path)
    guard sha256.isSHA256, let info = try folder.info(ofOriginalAt: path, sha256: sha256) else {
      return []
    }
    let (origin, now) = (OriginOfFile(ofFileAt: path), now())
    return try await writing { db in
      let lost = try OriginalQueries.imagesWithout(
        originalOf: origin,
        sha256: sha256,
        or: images,
        db
      )
      for image in lost {
        let receipt = OriginalReceipt(
          info: info,
          address: image.address,
          validators: Validators(),
          arrived: now,
          checkDate: now
        )
        try OriginalQueries.store(receipt, sha256: sha256, imageID: image.id, db)
      }
      return lost.map(\.id)
    }
  }
}
