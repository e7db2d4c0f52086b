import CSQLite
import Dispatch
import FoundationEssentials
import Glibc
import LibraryFiles
import Models
import Store
package import Workers

/// Makes a new library from what a damaged one still has; see `Documentation/Library.md`.
///
/// The rows that can be read are written into new tables, so that all indexes are new. Rows that refer to lost rows are
/// left out. The files of originals are linked or copied, and the packs of thumbnails are copied.
package struct LibraryRecovery: LibraryRecovering {
  private let source: LibraryFolder
  private let target: SQLiteLibrary

  /// - Parameters:
  ///   - source: The folder of the damaged library, in which nothing is changed.
  ///   - target: The folder of the new one.
  package init(from source: String, to target: String) {
    self.source = LibraryFolder(source)
    self.target = SQLiteLibrary(folder: target)
  }

  package func recover() -> RecoveryRun {
    let progress = Locked(RecoveredLibrary())
    return RecoveryRun(progress) { teller in
      do throws(StoreError) {
        var recovered = try await DispatchQueue.global().run { () throws(StoreError) in
          try recoverRows(progress)
        }
        try await takeBackOriginals()
        // As a verification counts them: a file that several images share is one original.
        recovered.originals = try await target.reading { db in
          try db.value("SELECT count(*) FROM original WHERE NOT \(ObjectQueries.isAway)") ?? 0
        }
        teller.yield(.ended(recovered))
      } catch {
        teller.yield(.failed(error))
      }
    }
  }

  private func recoverRows(
    _ progress: Locked<RecoveredLibrary>
  ) throws(StoreError) -> RecoveredLibrary {
    let database = try DamagedDatabase(source)
    try target.folder.checkPlace()
    try target.folder.checkNoOtherFiles()
    try target.write { db in
      let feeds: Int = try db.value("SELECT count(*) FROM feed") ?? 0
      if feeds > 0 {
        let message = "\(feeds) feed\(feeds == 1 ? "" : "s")"
        throw StoreError(reason: .occupied, path: target.folder.path, message: message)
      }
    }
    try target.setReferencesChecked(false)
    let packs = try copyPacks()
    let recovered = try target.write { db in
      var recovery = try RowRecovery(database, db, progress)
      try recovery.readRows()
      try recovery.settle(packs)
      return recovery.recovered
    }
    try target.setReferencesChecked(true)
    try copyOriginals()
    // The key of another library would make galleries believe a library that lacks what they have seen.
    if !recovered.isOtherLibrary, try FileSystem.kind(of: source.key) != nil,
      try FileSystem.kind(of: target.folder.key) == nil
    {
      try copyFile(source.key, to: target.folder.key)
      try FileSystem.sync(folder: target.folder.path)
    }
    return recovered
  }

  // MARK: Files

  /// Copies the packs of thumbnails; returns their sizes.
  private func copyPacks() throws(StoreError) -> [Int64: Int] {
    var sizes: [Int64: Int] = [:]
    for name in try FileSystem.names(inFolder: source.thumbnails) {
      let path = source.thumbnails + "/" + name
      guard let id = source.packID(of: path), case .file(let bytes)? = try FileSystem.kind(of: path)
      else { continue }
      _ = try FileSystem.makeFolder(target.folder.thumbnails)
      if FileSystem.size(of: target.folder.pack(id)) != bytes {
        try copyFile(path, to: target.folder.pack(id))
      }
      sizes[id] = bytes
    }
    if sizes.isEmpty { return sizes }
    try FileSystem.sync(folder: target.folder.thumbnails)
    try FileSystem.sync(folder: target.folder.path)
    return sizes
  }

  private func copyOriginals() throws(StoreError) {
    let copier = OriginalCopier(from: source, to: target.folder)
    for folder in try FileSystem.names(inFolder: source.originals) {
      for name in (try? FileSystem.names(inFolder: source.originals + "/" + folder)) ?? [] {
        let path = source.originals + "/" + folder + "/" + name
        let fileExtension = name.split(separator: ".").last.map(String.init)
        guard let hash = SHA256Digest(hexadecimal: LibraryFolder.sha256(ofOriginalAt: path)),
          let format = ImageFormat.allCases.first(where: { $0.fileExtension == fileExtension }),
          let bytes = FileSystem.size(of: path)
        else { continue }
        _ = try copier.copy(hash, format, bytes: bytes)
      }
    }
    try copier.settle()
  }

  /// Copies a file, and flushes the copy to the disk, but not the name of it.
  private func copyFile(_ path: String, to other: String) throws(StoreError) {
    do {
      if FileManager.default.fileExists(atPath: other) {
        try FileManager.default.removeItem(atPath: other)
      }
      try FileManager.default.copyItem(atPath: path, toPath: other)
    } catch {
      throw StoreError(reason: .other, path: other, message: "it cannot be copied from '\(path)'")
    }
    try FileSystem.sync(file: other)
  }

  /// Ties originals to the images whose rows for them are lost.
  ///
  /// The row of the file may be lost, or only the row that tells its image. If an image has had several originals, the
  /// newest file is the right one.
  private func takeBackOriginals() async throws(StoreError) {
    let folder = target.folder
    let untied: [String] = try await target.reading { db in
      let sql = """
        SELECT sha256, format FROM original WHERE \(RemovalQueries.isUnreferred(db.dialect))
        """
      return try db.rows(sql) { row in
        try folder.original(sha256: row.value(0), format: row.value(1))
      }
    }
    let paths = try await target.strayFiles().map(\.path) + untied
    let now = Date()
    // A disk may not keep the time of a copy, so the age is that of the file in the damaged library.
    let files = paths.filter { FileSystem.size(of: $0) != nil }.map { path in
      let copied = source.path + path.dropFirst(folder.path.count)
      return (path: path, age: FileSystem.age(of: copied, now: now) ?? .infinity)
    }
    for file in files.sorted(by: { $0.age < $1.age }) {
      _ = try await target.takeBack(strayAt: file.path)
    }
  }
}

/// Writes the rows of a damaged file into a new one, in one transaction.
private struct RowRecovery {
  /// The tables that the new library has of its own: where packs have room is not worth the risk of a wrong row.
  private static let own: Set<String> = ["pack_hole", "verification"]

  private(set) var recovered = RecoveredLibrary()
  private let db: Connection
  private let progress: Locked<RecoveredLibrary>
  private let tables: [SalvagedTable]
  private var pages: SalvagedPages

  init(
    _ database: DamagedDatabase,
    _ db: Connection,
    _ progress: Locked<RecoveredLibrary>
  ) throws {
    (self.db, self.progress) = (db, progress)
    pages = SalvagedPages(database)
    let sql = """
      SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^'
      """
    tables = try (db.column(sql) as [String]).filter { !Self.own.contains($0) }
      .map { try SalvagedTable($0, db) }
  }

  // MARK: Rows

  mutating func readRows() throws {
    // The row that the new file has been given would keep the old one out.
    try db.run("DELETE FROM library")
    let (db, progress) = (db, progress)
    func insert(_ table: SalvagedTable, _ values: [CopiedValue]) throws -> Bool {
      if table.name == "image" { progress.withLock { $0.images += 1 } }
      do {
        try db.forEachRow(table.insertion, with: Values(values)) { _ in true }
        return true
      } catch let error as SQLiteError where error.primaryCode == SQLITE_CONSTRAINT {
        return false
      }
    }
    let roots = pages.roots()
    for table in tables {
      guard let root = roots[table.name] else { continue }
      try pages.readTree(root) { row in
        guard let values = table.values(row) else { return false }
        return try insert(table, values)
      }
    }
    if let root = roots["sqlite_sequence"] {
      try pages.readTree(root) { row in
        guard row.values.count == 2, let name = row.values[0].text,
          let last = row.values[1].integer, last > 0, last == last.bounded
        else { return false }
        let update = "UPDATE sqlite_sequence SET seq = max(seq, $1) WHERE name = $2"
        if try db.run(update, last, name) > 0 { return true }
        try db.run("INSERT INTO sqlite_sequence(seq, name) VALUES ($1, $2)", last, name)
        return true
      }
    }
    try pages.readRest(tables) { table, values in _ = try insert(table, values) }
  }

  // MARK: The whole

  /// Makes the rows a sound library with these packs of thumbnails, whose sizes are given.
  mutating func settle(_ packs: [Int64: Int]) throws {
    try correctSeals()
    recovered.isOtherLibrary = try db.value("SELECT count(*) = 0 FROM library") ?? true
    // The settings name the public half of a key that is not copied then.
    if recovered.isOtherLibrary { try db.run("DELETE FROM setting WHERE name = 'public_key'") }
    try db.execute(Schema.insertLibrary)
    try replaceLostFeeds()
    try settle(packs: packs)
    try removeDanglingRows()
    try settlePictures()
    try countImages()
    try db.execute(
      """
      UPDATE feed SET etag = NULL, last_modified = NULL;
      UPDATE member SET etag = NULL, last_modified = NULL;
      UPDATE library SET epoch = epoch + 1, change_seq = 1 + max(
        change_seq, (SELECT coalesce(max(change_seq), 0) FROM image),
        (SELECT coalesce(max(change_seq), 0) FROM feed),
        (SELECT coalesce(max(change_seq), 0) FROM tombstone)
      );
      """
    )
    try SearchWriting(db).rebuild()
    func count(_ table: String) throws -> Int { try db.value("SELECT count(*) FROM \(table)") ?? 0 }
    recovered.feeds = try count("feed")
    recovered.images = try count("image WHERE is_hidden <> 2")
    recovered.thumbnails = try count("thumbnail")
    recovered.pins = try count("pin")
    recovered.folders = try count(
      "feed WHERE is_removed = 0 AND address LIKE 'file:%/' AND address NOT LIKE '%?%'"
    )
    recovered.damagedPages = pages.damagedPages
    recovered.damagedRows += pages.damagedCells
  }

  /// Flips single bits back where a checksum shows them, and leaves other rows with a wrong checksum out.
  private mutating func correctSeals() throws {
    for seal in RowSeal.all {
      // A row that is here twice, in an older copy too, cannot be corrected a second time.
      for id in try seal.unsoundRows(limit: .max, db) where (try? seal.correct(id, db)) != true {
        try db.run("DELETE FROM \(seal.table) WHERE \(seal.key) = $1", id)
        recovered.damagedRows += 1
      }
    }
  }

  /// Gives images whose feed is lost a paused feed with an address that no server has.
  private mutating func replaceLostFeeds() throws {
    let sql = """
      SELECT feed_id, count(*) FROM image
      WHERE feed_id > 0 AND feed_id NOT IN (SELECT id FROM feed) GROUP BY feed_id
      """
    let lost = try db.rows(sql) { row in try (row.value(0) as Int64, row.value(1) as Int) }
    for (id, images) in lost {
      let address = "https://lost.invalid/feed/\(id)"
      let insertion = """
        INSERT INTO feed(id, address, identity, title, added_at, is_paused)
        VALUES ($1, $2, $3, $4, unixepoch(), 1)
        """
      let identity = WebAddress(address)?.identity ?? address
      try db.run(insertion, id, address, identity, "Lost feed \(id)")
      try RowSeal.feed.renew(id, db)
      recovered.lostFeeds.append(.init(id: id, images: images))
    }
  }

  /// Makes the rows of packs tell what the packs have.
  private func settle(packs: [Int64: Int]) throws {
    let known: [Int64] = try db.column("SELECT id FROM pack")
    for id in known where packs[id] == nil { try db.run("DELETE FROM pack WHERE id = $1", id) }
    for (id, bytes) in packs {
      let sql = """
        INSERT INTO pack(id, bytes) VALUES ($1, $2)
        ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes, sha256 = NULL
          WHERE pack.bytes > excluded.bytes
        """
      if try db.run(sql, id, bytes) > 0 { try RowSeal.pack.renew(id, db) }
    }
    try db.execute(
      """
      DELETE FROM thumbnail WHERE NOT EXISTS (
        SELECT 1 FROM pack WHERE id = pack_id AND pack.bytes >= thumbnail.offset + thumbnail.bytes
      );
      DELETE FROM pack_hole;
      """
    )
  }

  /// Deletes rows that refer to lost rows, until none does.
  private mutating func removeDanglingRows() throws {
    let references = """
      SELECT "table", "from", "to" FROM pragma_foreign_key_list($1)
      """
    let deletions = try tables.flatMap { table -> [String] in
      try db.rows(references, table.name) { row -> String? in
        let (parent, from, to): (String, String, String) = try (
          row.value(0), row.value(1), row.value(2)
        )
        return """
          DELETE FROM \(table.name)
          WHERE \(from) IS NOT NULL AND \(from) NOT IN (SELECT \(to) FROM \(parent))
          """
      }
    }
    while try deletions.reduce(0, { try $0 + db.run($1) }) > 0 {}
  }

  /// Makes images want the pictures whose rows are lost.
  private mutating func settlePictures() throws {
    let lost = """
      SELECT count(*) FROM image WHERE is_hidden = 0 AND thumbnail_sha256 IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM thumbnail WHERE image_id = image.id)
      """
    recovered.lostThumbnails = try db.value(lost) ?? 0
    try ThumbnailWriting.wantMissing(db)
    try db.execute(
      """
      UPDATE image SET thumbnail_format = NULL, thumbnail_bytes = NULL, thumbnail_width = NULL,
        thumbnail_height = NULL, thumbnail_sha256 = NULL, colours = NULL, thumbnail_check_at = NULL
      WHERE thumbnail_sha256 IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM thumbnail WHERE image_id = image.id);
      DELETE FROM thumbnail
      WHERE image_id IN (SELECT id FROM image WHERE thumbnail_sha256 IS NULL);
      DELETE FROM pack_hole;
      UPDATE image SET original_state = 0, original_check_at = NULL
      WHERE original_state <> 0
        AND NOT EXISTS (SELECT 1 FROM image_original WHERE image_id = image.id)
        AND NOT EXISTS (SELECT 1 FROM folder_original WHERE image_id = image.id);
      DELETE FROM successor WHERE picture IS NULL AND NOT EXISTS (
        SELECT 1 FROM original WHERE id = original_id AND original.sha256 = successor.sha256
      );
      DELETE FROM replaced_original WHERE original_id NOT IN (SELECT id FROM original);
      """
    )
    try BoundQueries.noteMissingUses(db)
  }

  /// Counts the images of each feed, and notes how many are lost.
  private mutating func countImages() throws {
    let count = "(SELECT count(*) FROM image WHERE feed_id = feed.id AND is_hidden <> 2)"
    let sql = """
      SELECT coalesce(given_title, title, address), image_count - \(count) FROM feed
      WHERE image_count > \(count) ORDER BY id
      """
    recovered.lostImages = try db.rows(sql) { row in
      try RecoveredLibrary.LostImages(feed: row.value(0), count: row.value(1))
    }
    try db.run("UPDATE feed SET image_count = \(count) WHERE image_count <> \(count)")
  }
}
