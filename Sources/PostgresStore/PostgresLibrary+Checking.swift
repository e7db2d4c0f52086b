import Dispatch
import FoundationEssentials
import Glibc
import LibraryFiles
import Models
package import Workers

extension PostgresLibrary: LibraryInspecting {
  /// Rows that refer to others that are not there; the pages of the database are the server's to check.
  package func databaseFaults() async throws(StoreError) -> [String] {
    try await reading(Self.faults)
  }

  static func faults(_ db: PostgresConnection) throws -> [String] {
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

  /// Builds the indexes again.
  ///
  /// - Throws: when a fault is left.
  package func repairDatabase() async throws(StoreError) {
    try await writing { db in
      for table in ["feed", "image", "pack", "thumbnail", "image_original", "original", "pin"] {
        try db.run("REINDEX TABLE \(table)")
      }
    }
    guard let fault = try await databaseFaults().first else { return }
    throw StoreError(reason: .unsound, path: path, message: fault)
  }

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
        try (self.thumbnail(row), ThumbnailPlace(row, at: 7, hash: row.hash(5)))
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

  /// A thumbnail whose bytes are still to be read.
  private func thumbnail(_ row: PostgresRow) throws -> StoredThumbnail {
    let format = try (row.value(1) as String?).flatMap(ImageFormat.init(rawValue:))
    let info = try format.map { format in
      try PictureInfo(
        format: format,
        bytes: row.value(2) ?? 0,
        width: row.value(3),
        height: row.value(4),
        hash: row.hash(5)
      )
    }
    return try StoredThumbnail(
      imageID: row.value(0),
      info: info,
      bytes: [],
      isIntact: false,
      isMarked: row.value(6)
    )
  }

  /// Those that are to be in this machine's folder: all that no object store has, and what it has and is here.
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
    _ db: PostgresConnection
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
      let (sha256, ids): (String, String) = try (row.value(1), row.value(5))
      guard let format = try ImageFormat(rawValue: row.value(2)) else { return nil }
      let original = try FiledOriginal(
        id: row.value(0),
        path: folder.original(sha256: sha256, fileExtension: format.fileExtension),
        sha256: sha256,
        bytes: row.value(3),
        imageIDs: ids.split { !$0.isNumber }.compactMap { Int64($0) },
        isMarked: row.value(6)
      )
      return (original, try row.value(4))
    }
  }

  package func fault(of original: FiledOriginal) async -> CheckFinding.Condition? {
    try? await DispatchQueue.global().run { original.fileFault() }
  }

  package func strayFiles() async throws(StoreError) -> [StrayFile] {
    try await reading { db in
      var files: [StrayFile] = []
      // What lies behind a link is not the library's to call stray.
      let meant = try Self.linkedOriginals(db)
      if self.folder.link(at: self.folder.originals, meant: meant) == nil {
        files += try self.strayOriginals(db)
      }
      if self.folder.link(at: self.folder.partial) == nil { files += try self.strayPartials(db) }
      return files
    }
  }

  private func strayOriginals(_ db: PostgresConnection) throws -> [StrayFile] {
    let listing = FolderListing(folder)
    let paths = try listing.originals()
    let names = paths.map { Self.sha256(ofFileAt: $0) }
    let sql = "SELECT sha256, format FROM original WHERE sha256 = ANY($1::text[])"
    let known = try db.rows(sql, Array(Set(names))).compactMap { row -> String? in
      guard let format = try ImageFormat(rawValue: row.value(1)) else { return nil }
      return folder.original(sha256: try row.value(0), fileExtension: format.fileExtension)
    }
    let referred = Set(known)
    return try paths.filter { !referred.contains($0) }.compactMap(listing.stray)
  }

  private static func sha256(ofFileAt path: String) -> String {
    String(path.split(separator: "/").last?.prefix { $0 != "." } ?? "")
  }

  private func strayPartials(_ db: PostgresConnection) throws -> [StrayFile] {
    let listing = FolderListing(folder)
    let paths = try listing.partials()
    let ids = paths.compactMap(folder.imageID(ofPartialAt:))
    let sql = "SELECT id FROM image WHERE id = ANY($1::bigint[]) AND is_hidden = 0"
    let shown = Set(try db.rows(sql, ids).map { try $0.value(0) as Int64 })
    return try paths.filter { path in
      listing.isAbandoned(path)
        || folder.imageID(ofPartialAt: path).map { !shown.contains($0) } ?? false
    }
    .compactMap(listing.stray)
  }

  private static func linkedOriginals(_ db: PostgresConnection) throws -> String? {
    try db.rows("SELECT value FROM setting WHERE name = 'originals'").first?.value(0)
  }

  package func takeBack(strayAt path: String) async throws(StoreError) -> [Int64] {
    let sha256 = Self.sha256(ofFileAt: path)
    guard sha256.isSHA256, let info = try folder.info(ofOriginalAt: path, sha256: sha256) else {
      return []
    }
    let origin = OriginOfFile(ofFileAt: path)
    return try await writing { db in
      let source = "SELECT image_id FROM thumbnail WHERE source_sha256 = $1"
      let sql = """
        SELECT id, original_address FROM image
        WHERE \(origin == nil ? "thumbnail_state = 3 AND id IN (\(source))" : "id = $2 AND $1 <> ''")
          AND $2::bigint IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM image_original WHERE image_id = image.id)
        """
      let lost = try db.rows(sql, sha256, origin?.imageID ?? 0).compactMap { row in
        try row.address(1).map { (id: try row.value(0) as Int64, address: $0) }
      }
      return try lost.filter { image in
        guard try origin?.isOf(image.address) ?? true else { return false }
        let receipt = OriginalReceipt(
          info: info,
          address: image.address,
          validators: Validators(),
          arrived: Date(),
          checkDate: Date()
        )
        try OriginalQueries.store(receipt, sha256: sha256, imageID: image.id, db)
        return true
      }.map(\.id)
    }
  }

  package func verificationMark() async throws(StoreError) -> VerificationMark {
    try await reading { db in
      func last(_ part: String) throws -> Int64 {
        let sql = "SELECT last_id FROM verification WHERE part = $1"
        return try db.rows(sql, part).first?.value(0) ?? 0
      }
      return VerificationMark(thumbnail: try last("thumbnail"), original: try last("original"))
    }
  }

  package func setVerificationMark(_ mark: VerificationMark) async throws(StoreError) {
    try await writing { db in
      let sql = """
        INSERT INTO verification(part, last_id) VALUES ($1, $2)
        ON CONFLICT (part) DO UPDATE SET last_id = excluded.last_id
        """
      try db.rows(sql, "thumbnail", mark.thumbnail)
      try db.rows(sql, "original", mark.original)
      if mark.isAtStart { try db.rows(sql, "end", Date().storedSeconds) }
    }
  }
}

extension PostgresLibrary: DamageMarking {
  package func mark(
    _ thing: CheckedThing,
    as condition: StoredCondition
  ) async throws(StoreError) {
    switch thing {
    case .thumbnail(let imageID):
      try await writing { db in try DamageQueries.mark(thumbnailOf: imageID, as: condition, db) }
    case .original(_, let imageIDs):
      guard let imageID = imageIDs.first else { return }
      try await writing { db in try DamageQueries.mark(originalOf: imageID, as: condition, db) }
    case .database, .file, .object: return
    }
  }
}

extension PostgresLibrary: LibraryCleaning {
  /// Decided by the tables; a file that has just got its name gets its row before it is looked for.
  package func clean(_ plan: CleaningPlan) async throws(StoreError) -> CleanedLibrary {
    try await checkFolders(plan)
    if let fault = try await databaseFaults().first {
      throw StoreError(reason: .unsound, path: path, message: fault)
    }
    let trash = Trash(folder, isImmediate: plan.isImmediate)
    var cleaned = CleanedLibrary()
    (cleaned.trash, cleaned.emptied) = try trash.content()
    let removed = try await reading { db -> [(id: Int64, images: Int)] in
      let sql = """
        SELECT id, (SELECT count(*) FROM image WHERE feed_id = feed.id) FROM feed WHERE is_removed
        """
      return try db.rows(sql).map { try ($0.value(0), $0.value(1)) }
    }
    (cleaned.feeds, cleaned.images) = (removed.count, removed.reduce(0) { $0 + $1.images })
    let originals = try await unreferredOriginals()
    (cleaned.originals, cleaned.bytes) = (originals.count, originals.reduce(0) { $0 + $1.bytes })
    let strays = try await strayFiles()
    cleaned.files = strays.count
    cleaned.bytes += strays.reduce(0) { $0 + $1.bytes }
    if plan.isRehearsal || cleaned.isEmpty { return cleaned }
    try trash.empty()
    let files = try await writing { db in
      for feed in removed { try RemovalQueries.purge(feedID: feed.id, db) }
      return try RemovalQueries.deleteUnreferred(db)
    }
    for (sha256, format) in files {
      guard sha256.isSHA256, let format = ImageFormat(rawValue: format) else { continue }
      let path = folder.original(sha256: sha256, fileExtension: format.fileExtension)
      _ = try trash.take(path)
    }
    // Again: a sync may have tied a file meanwhile.
    let still = Set(try await strayFiles().map(\.path))
    for file in strays where still.contains(file.path) {
      try takeUnlocked(file.path, into: trash)
    }
    cleaned.trash = try trash.content().all
    return cleaned
  }

  /// The originals that only images of removed feeds have, or none.
  private func unreferredOriginals() async throws(StoreError) -> [(sha256: String, bytes: Int)] {
    try await reading { db in
      let sql = """
        SELECT sha256, bytes FROM original WHERE NOT EXISTS (
          SELECT 1 FROM image_original JOIN image ON image.id = image_id
          JOIN feed ON feed.id = feed_id WHERE original_id = original.id AND NOT is_removed
        )
        """
      return try db.rows(sql).map { try ($0.value(0), $0.value(1)) }
    }
  }

  /// Throws when a link stands in the place of a folder, unless it is the one that the user means.
  private func checkFolders(_ plan: CleaningPlan) async throws(StoreError) {
    var meant = try await reading { db in try Self.linkedOriginals(db) }
    if plan.meansLinkedOriginals, folder.link(at: folder.originals) != nil,
      let target = LibraryFolder.resolved(folder.originals), target != meant
    {
      meant = target
      if !plan.isRehearsal {
        try await writing { db in
          let sql = """
            INSERT INTO setting(name, value) VALUES ('originals', $1)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """
          try db.rows(sql, target)
        }
      }
    }
    try checkNoLink(at: folder.originals, meant: meant)
    let linked = try FolderListing(folder).linkedFolders()
    for path in [folder.partial, folder.trash] + linked { try checkNoLink(at: path) }
  }

  private func checkNoLink(at path: String, meant: String? = nil) throws(StoreError) {
    guard let target = folder.link(at: path, meant: meant) else { return }
    throw StoreError(reason: .linked, path: path, message: target)
  }

  /// Takes a file away unless a process is writing it.
  private func takeUnlocked(_ path: String, into trash: Trash) throws(StoreError) {
    let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return }
    defer { close(file) }
    if flock(file, LOCK_EX | LOCK_NB) == 0 { _ = try trash.take(path) }
  }
}

/// The SQL about stored pictures that are not what was stored, or that are gone.
enum DamageQueries {
  /// That an image is remembered as having its original damaged, or not having it.
  static let isMarked = """
    (original_state = 0 OR EXISTS (
      SELECT 1 FROM damage
      WHERE damage.image_id = image.id AND kind = \(PictureKind.original.rawValue)
    ))
    """

  private static let forgetting = """
    WITH whole AS (
      DELETE FROM damage WHERE image_id = ANY($1::bigint[]) AND kind = $2 RETURNING image_id
    )
    UPDATE image SET change_seq = (SELECT next_change()) WHERE id IN (SELECT image_id FROM whole)
    """

  /// Forgets the damage of pictures that are right again.
  static func forget(
    _ imageIDs: [Int64],
    _ kind: PictureKind,
    _ db: PostgresConnection
  ) throws {
    if imageIDs.isEmpty { return }
    try db.rows(forgetting, imageIDs, kind.rawValue)
  }

  /// A damaged thumbnail is wanted again; its validators go, since they would let the server say that nothing has
  /// changed.
  static func mark(
    thumbnailOf imageID: Int64,
    as condition: StoredCondition,
    _ db: PostgresConnection
  ) throws {
    if condition == .whole { return try forget([imageID], .thumbnail, db) }
    let damage = """
      INSERT INTO damage(image_id, kind) SELECT id, $1 FROM image WHERE id = $2
      ON CONFLICT DO NOTHING
      """
    let isNews = try db.rows(damage, PictureKind.thumbnail.rawValue, imageID).written > 0
    let sql = """
      UPDATE image SET thumbnail_state = CASE WHEN thumbnail_address IS NULL THEN 0 ELSE 2 END,
        change_seq = CASE WHEN $2::boolean THEN next_change() ELSE change_seq END
      WHERE id = $1
      """
    try db.rows(sql, imageID, isNews)
    let validators = """
      UPDATE thumbnail SET etag = NULL, last_modified = NULL, source_sha256 = NULL
      WHERE image_id = $1
      """
    try db.rows(validators, imageID)
  }

  /// Marks the original of an image, and so that of all images that have the same file.
  static func mark(
    originalOf imageID: Int64,
    as condition: StoredCondition,
    _ db: PostgresConnection
  ) throws {
    let row = try db.rows("SELECT original_id FROM image_original WHERE image_id = $1", imageID)
      .first
    guard let original: Int64 = try row?.value(0) else { return }
    if condition == .whole { return try markWhole(original: original, db) }
    let images = "SELECT image_id FROM image_original WHERE original_id = $1"
    let kind = PictureKind.original.rawValue
    let damage =
      condition == .damaged
      ? """
      INSERT INTO damage(image_id, kind) SELECT image_id, \(kind) FROM (\(images)) AS held
      ON CONFLICT DO NOTHING
      """
      : "DELETE FROM damage WHERE image_id IN (\(images)) AND kind = \(kind)"
    let isNews = try db.rows(damage, original).written > 0
    let state: OriginalState = condition == .damaged ? .stale : .missing
    let sql = """
      UPDATE image SET original_state = $2, change_seq = CASE
          WHEN $3::boolean OR original_state <> $2 THEN next_change() ELSE change_seq END
      WHERE id IN (\(images))
      """
    try db.rows(sql, original, state.rawValue, isNews)
    let validators = """
      UPDATE image_original SET etag = NULL, last_modified = NULL WHERE original_id = $1
      """
    try db.rows(validators, original)
  }

  /// What was damaged or missing is right again, where the feed still names the address that it came from.
  private static func markWhole(original id: Int64, _ db: PostgresConnection) throws {
    let sql = """
      SELECT image.id, held.address, original_address FROM image_original AS held
      JOIN image ON image.id = held.image_id WHERE held.original_id = $1 AND \(isMarked)
      """
    let marked = try db.rows(sql, id).map { row in
      try (
        id: row.value(0) as Int64, address: row.value(1) as String, named: row.value(2) as String
      )
    }
    let update = """
      UPDATE image SET original_state = $2, original_check_at = 0, change_seq = next_change()
      WHERE id = $1
      """
    for image in marked {
      let state: OriginalState =
        DocumentImage.isSame(image.address, image.named) ? .stored : .stale
      try db.rows(update, image.id, state.rawValue)
    }
    try forget(marked.map(\.id), .original, db)
  }
}
