import LibraryFiles
import Models
import Store
package import Workers

extension PostgresLibrary: LibraryCopying {
  package func withState(
    _ body: @escaping @Sendable (any LibraryState) throws(StoreError) -> Void
  ) async throws(StoreError) {
    try await reading { db in try body(PostgresState(db: db, library: self)) }
  }

  package func beginCopy(
    of header: LibraryHeader,
    for purpose: CopyPurpose
  ) throws(StoreError) {
    abandonCopy()
    try copying { db in try Self.makeTables(db) }
    try beginCopying()
    do throws(StoreError) {
      let isWhole = try copying { db in try self.take(header, purpose, db) }
      if !isWhole { try endCopying() }
    } catch {
      abandonCopy()
      throw error
    }
  }

  /// Takes the identity of the library that is copied; returns whether this is a complete copy of it already.
  private func take(
    _ header: LibraryHeader,
    _ purpose: CopyPurpose,
    _ db: Connection
  ) throws -> Bool {
    // Another program's copy may hold the row until its end.
    let sql = """
      SELECT schema_version, uuid::text, (SELECT count(*) FROM feed),
        (SELECT value FROM setting WHERE name = 'copied'),
        (SELECT count(*) FROM feed WHERE NOT is_removed) FROM library FOR UPDATE NOWAIT
      """
    guard let row = try db.rows(sql).first else { throw PostgresError("no library") }
    let version: Int64 = try row.value(0)
    guard version.magnitude <= Schema.version.magnitude else {
      let message =
        "its version is \(version.magnitude), this program knows up to \(Schema.version)"
      throw StoreError(reason: .newer, path: path, message: message)
    }
    let place = try CopyPlace(
      path,
      library: row.value(1),
      feeds: row.value(2),
      followed: row.value(4),
      isUnfinished: version < 0,
      isBackup: CopyNotes.isBackup(db),
      number: ChangeLog.highest(db),
      copied: row.value(3)
    )
    try place.check(for: header, purpose)
    if !place.isWhole { try Self.setUnfinished(db) }
    let own: String = try row.value(1)
    if own != header.library { try Self.forgetKey(db) }
    try db.rows("UPDATE library SET uuid = $1::text::uuid", header.library)
    return place.isWhole
  }

  package func withCopy(
    _ body: (any LibraryState) throws(StoreError) -> Void
  ) throws(StoreError) {
    try copying { db in try body(PostgresState(db: db, library: self)) }
  }

  package func changeCopy(_ change: CopyChange) throws(StoreError) {
    try copying { db in try CopyWriting(change, db).write() }
  }

  private static func setUnfinished(_ db: Connection) throws {
    try db.rows("UPDATE library SET schema_version = $1 WHERE schema_version > 0", -Schema.version)
  }

  package func endCopy(of header: LibraryHeader, for purpose: CopyPurpose) throws(StoreError) {
    try copying { db in
      if let fault = try Self.faults(db).first {
        throw StoreError(reason: .unsound, path: self.path, message: fault)
      }
      for table in CopiedTable.numbered {
        let id = header.lastIDs[table] ?? 0
        let sequence = CopyNotes.sequence(of: table)
        try db.rows("SELECT setval($1::text::regclass, $2, $3)", sequence, max(id, 1), id > 0)
      }
      try db.run("SELECT setval('member_id_seq', max(id)) FROM member HAVING max(id) > 0")
      let sql = """
        UPDATE library SET schema_version = $1, epoch = $2, pruned_seq = $3, server = NULL,
          change_base = greatest(0, $4 - pg_current_xact_id()::text::bigint + 1)
        """
      try db.rows(sql, Schema.version, header.epoch + 1, header.prunedNumber, header.number)
      try ThumbnailWriting.wantMissing(db)
      try ChangeLog.noticeRestore(db)
      try CopyNotes.set(purpose, number: ChangeLog.highest(db), db)
    }
    try endCopying()
    // Originals may go to the object store of the backup afterwards.
    writesBackup.withLock { $0 = true }
  }

  package func abandonCopy() { undoCopying() }

  package func isBackup() async throws(StoreError) -> Bool {
    try await reading(orNone: false, CopyNotes.isBackup)
  }
}

/// The rows of a library, read in one transaction.
private struct PostgresState: LibraryState {
  let db: Connection
  let library: PostgresLibrary

  func header() throws(StoreError) -> LibraryHeader {
    try library.catching { try CopyNotes.header(db) }
  }

  func rows(
    of table: CopiedTable,
    after: [CopiedValue]?,
    through last: [CopiedValue]?,
    limit: Int
  ) throws(StoreError) -> [CopiedRow] {
    try library.catching {
      if table == .mirrorKey, try !MirrorQueries.hasKeys(db) { return [] }
      if table == .feedPictures, try !FeedPictureQueries.areKept(db) { return [] }
      if table == .rendition, try !RenditionQueries.areKept(db) { return [] }
      if table == .folderOriginal, try !FolderQueries.areKept(db) { return [] }
      if table == .details, try !DetailQueries.areKept(db) { return [] }
      if CopiedTable.ofSuccessors.contains(table), try !SuccessorQueries.hasTables(db) { return [] }
      let (sql, values) = table.selection(
        from: source(of: table),
        after: after,
        through: last,
        limit: limit
      )
      let rows = try db.rows(sql, with: values)
      let types = table.columns.indices.map(rows.type)
      return try rows.map { row in
        let values = try types.enumerated().map { index, type in try row.copied(index, type) }
        return table.withPresentTitleKey(values)
      }
    }
  }

  /// The table or subquery that the columns of a copied table are read from.
  private func source(of table: CopiedTable) -> String {
    switch table {
    case .thumbnail:
      """
      (SELECT image_id, address, etag, last_modified, fetched_at, source_sha256,
        coalesce(octet_length(bytes), pack_bytes) AS bytes FROM thumbnail) AS thumbnail
      """
    case .folder:
      """
      (SELECT * FROM followed_folder WHERE machine = \(FeedLeases.machine.quoted))
        AS followed_folder
      """
    case .setting: "(SELECT * FROM setting WHERE name = 'objects') AS setting"
    default: table.name
    }
  }

  func thumbnails(of imageIDs: [Int64]) throws(StoreError) -> [Int64: [UInt8]] {
    try library.catching {
      let sql = """
        SELECT image_id, thumbnail_sha256, \(ThumbnailPlace.columns)
        FROM \(ThumbnailPlace.source) JOIN image ON image.id = image_id
        WHERE image_id = ANY($1::bigint[])
        """
      var (thumbnails, packed) = ([Int64: [UInt8]](), [(id: Int64, place: PackedThumbnail)]())
      for row in try db.rows(sql, imageIDs) {
        let (id, hash) = try (row.value(0) as Int64, row.hash(1))
        switch try ThumbnailPlace(row, at: 2, hash: hash) {
        case .database(let bytes):
          let found = try SHA256.digest(of: bytes, path: library.path)
          if hash == nil || found == hash { thumbnails[id] = bytes }
        case .pack(let thumbnail): packed.append((id, thumbnail))
        case .nowhere: break
        }
      }
      let (library, places) = (library, packed.map(\.place))
      let bytes = try BlockingWork.wait { () async throws(StoreError) in
        try await library.packedBytes(places)
      }
      for (thumbnail, bytes) in zip(packed, bytes) { thumbnails[thumbnail.id] = bytes }
      return thumbnails
    }
  }

  /// Empty: thumbnails are in the database, or in packs of an object store that other libraries may read.
  func lostThumbnails() throws(StoreError) -> Set<Int64> { [] }

  func imageIDs() throws(StoreError) -> (listed: [Int64], retired: [Int64]) {
    try library.catching { try CopyNotes.imageIDs(db) }
  }

  func pictureFolders() throws(StoreError) -> [PictureFolderCount] {
    try library.catching { try FolderQueries.counts(db) }
  }
}

/// Writes the changes of one table of a copy, in one transaction.
private struct CopyWriting {
  private let change: CopyChange
  private let table: CopiedTable
  private let db: Connection

  init(_ change: CopyChange, _ db: Connection) {
    self.change = change
    table = change.table
    self.db = db
  }

  func write() throws {
    if !change.removed.isEmpty { try remove() }
    if change.added.isEmpty { return }
    let columns = table.columns + moreColumns
    var rows = NewRows(into: table.name, columns, count: change.added.count)
    for (index, row) in change.added.enumerated() { add(row, index, to: &rows.values) }
    try db.insert(rows)
  }

  private func remove() throws {
    let ids = change.removed.compactMap { $0.count == 1 ? $0[0].integer : nil }
    if table.name == CopiedTable.original.name {
      // The rows of `image_original` are added again when their table is copied.
      try db.rows("DELETE FROM image_original WHERE original_id = ANY($1::bigint[])", ids)
    }
    guard ids.isEmpty else {
      let sql = "DELETE FROM \(table.name) WHERE \(table.key[0]) = ANY($1::bigint[])"
      try db.rows(sql, ids)
      return
    }
    let conditions = table.key.enumerated().map { index, column in "\(column) = $\(index + 1)" }
    let machine = table == .folder ? " AND machine = \(FeedLeases.machine.quoted)" : ""
    let sql = "DELETE FROM \(table.name) WHERE \(conditions.joined(separator: " AND "))\(machine)"
    for key in change.removed { try db.rows(sql, with: key) }
  }

  /// Columns that only this store has.
  private var moreColumns: [String] {
    switch table {
    case .image, .member: ["folded_words"]
    case .folder: ["machine"]
    default: []
    }
  }

  private func add(_ row: CopiedRow, _ index: Int, to values: inout Values) {
    for (column, value) in zip(table.columns, row) {
      if table == .thumbnail, column == "bytes" {
        values.add(change.thumbnails[index])
      } else {
        value.add(to: &values)
      }
    }
    func text(_ column: String) -> String? { table.value(column, of: row).text }
    switch table {
    case .image:
      values.add(SearchWords.vector(of: text("title"), text("caption"), text("author")))
    case .member:
      values.add(SearchWords.vector(of: text("label"), text("details"), text("attribution")))
    case .folder: values.add(FeedLeases.machine)
    default: break
    }
  }
}

extension Row {
  /// The value of a column whose type has a given object identifier.
  fileprivate func copied(_ column: Int, _ type: UInt32) throws -> CopiedValue {
    switch type {
    case PostgresType.boolean:
      try (value(column) as Bool?).map { .integer($0 ? 1 : 0) } ?? .null
    case PostgresType.bytes: try (value(column) as Bytes?).map { .bytes($0.bytes) } ?? .null
    case PostgresType.text: try (value(column) as String?).map { .text($0) } ?? .null
    default: try (value(column) as Int64?).map { .integer($0) } ?? .null
    }
  }
}

extension String {
  /// The text as a literal of SQL.
  fileprivate var quoted: String { "'\(escaping("'", as: "''"))'" }
}
