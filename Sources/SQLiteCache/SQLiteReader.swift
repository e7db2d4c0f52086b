import GRDB
package import Models
import PictureFiles
package import Workers

/// Reads a library, and nothing else: makes no file, takes no write lock, waits for no writer.
///
/// The file is opened with the first question, on one connection.
package final class SQLiteReader: LibraryReading, OriginalReading {
  private let folder: LibraryFolder
  private let connection: LazyConnection

  package init(folder path: String) {
    let folder = LibraryFolder(path)
    self.folder = folder
    connection = LazyConnection { () throws(StoreError) in try ReadConnection.open(folder) }
  }

  package func readImages(
    matching query: ImageQuery,
    batchSize: Int,
    _ body: ([WebImage]) -> Bool
  ) throws(StoreError) {
    try read { db in
      let feeds = try FeedTitles(db)
      let damage = try DamageQueries.all(db)
      let search = try query.search.map { try SearchExpression($0, feeds: feeds, db) }
      let batchSize = max(batchSize, 1)
      if query.order == .random {
        let listing = RandomListing(query, halfRemoved: feeds.halfRemoved, search: search)
        try Self.give(listing, feeds, damage, batchSize: batchSize, db, to: body)
      } else {
        let listing = ListingQuery(query, halfRemoved: feeds.halfRemoved, search: search)
        try Self.give(listing, feeds, damage, batchSize: batchSize, db, to: body)
      }
    }
  }

  package func image(id: Int64) throws(StoreError) -> WebImage? {
    try read { db in
      let sql = "SELECT \(ImageRow.columns) FROM image WHERE id = ? AND is_hidden = 0"
      guard let row = try Row.fetchOne(db, sql: sql, arguments: [id]) else { return nil }
      let feeds = try FeedTitles(db)
      if try feeds.halfRemoved.contains(row.value(1)) { return nil }
      let damage = try DamageQueries.all(ofImage: id, db)
      var images = try [ImageRow.image(row, feeds, damage: damage)].compactMap(\.self)
      try FailureQueries.fill(&images, db)
      var image = images.first
      image?.manifest = try MemberQueries.manifest(imageID: id, db)
      return image
    }
  }

  /// An image's stored thumbnail; nil when none is stored, or when its bytes are not those that were put
  /// there.
  package func thumbnailBytes(imageID: Int64) throws(StoreError) -> [UInt8]? {
    var seen: ThumbnailContent?
    while let content = try read({ db in try ThumbnailQueries.content(imageID: imageID, db) }) {
      if let bytes = try bytes(of: content) { return bytes }
      // The room of a thumbnail that was replaced since its row was read may be given back already.
      if content == seen { return nil }
      seen = content
    }
    return nil
  }

  /// The bytes of a thumbnail; nil when they are not those that were put there.
  func bytes(of content: ThumbnailContent) throws(StoreError) -> [UInt8]? {
    switch content {
    case .bytes(let bytes): bytes
    case .packed(let place): try PackReader.bytes(at: place, in: folder)
    }
  }

  package func feeds() throws(StoreError) -> [Feed] {
    try read(FeedQueries.followed)
  }

  package func manifests(at address: WebAddress?) throws(StoreError) -> [FeedManifest] {
    try read { db in try MemberQueries.manifests(at: address, db) }
  }

  package func failures() throws(StoreError) -> [Int64: [FailureGroup]] {
    try read(FailureQueries.groups)
  }

  /// An image's stored original; nil when none is stored, or when its file is gone, or when a link, a
  /// folder or a pipe is in its place.
  package func original(imageID: Int64) throws(StoreError) -> StoredOriginal? {
    guard let file = try read({ db in try OriginalQueries.file(imageID: imageID, db) }) else {
      return nil
    }
    var original = StoredOriginal(file, in: folder)
    guard case .file(let bytes) = try FileSystem.kind(of: original.path) else { return nil }
    if bytes != file.info.bytes || Self.beginsOtherwise(original) { original.isDamaged = true }
    return original
  }

  /// Whether a file begins as no picture of its format does, and is not what was stored.
  ///
  /// To hash all of it each time would take too long; this finds the zeros that some disks leave after a
  /// power cut.
  private static func beginsOtherwise(_ original: StoredOriginal) -> Bool {
    let head = FileSystem.beginning(of: original.path, count: Limits.originalHeadBytes)
    if head.isEmpty || ImageHeader(head)?.format == original.info.format { return false }
    let found = try? FileHash.sha256(ofFileAt: original.path)
    return found.map { $0.hash != original.sha256 } ?? false
  }

  /// Asks questions of one state of the library; one may be asked while another is being answered.
  func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
    let queue = try connection.opened()
    return try StoreError.catching(folder.database) {
      try queue.unsafeReentrantRead { db in try db.reading(body) }
    }
  }

  private static func give(
    _ listing: ListingQuery,
    _ feeds: FeedTitles,
    _ damage: [Int64: Set<PictureKind>],
    batchSize: Int,
    _ db: Database,
    to body: ([WebImage]) -> Bool
  ) throws {
    let rows = try Row.fetchCursor(db, sql: listing.sql, arguments: listing.arguments)
    var batch: [WebImage] = []
    while let row = try rows.next() {
      guard let image = try ImageRow.image(row, feeds, damage: damage) else { continue }
      batch.append(image)
      if batch.count == batchSize {
        try FailureQueries.fill(&batch, db)
        guard body(batch) else { return }
        batch.removeAll(keepingCapacity: true)
      }
    }
    try FailureQueries.fill(&batch, db)
    if !batch.isEmpty { _ = body(batch) }
  }

  private static func give(
    _ listing: RandomListing,
    _ feeds: FeedTitles,
    _ damage: [Int64: Set<PictureKind>],
    batchSize: Int,
    _ db: Database,
    to body: ([WebImage]) -> Bool
  ) throws {
    var rest = try listing.ids(db)
    while !rest.isEmpty {
      let rows = try RandomListing.rows(rest.prefix(batchSize), db)
      rest = rest.dropFirst(batchSize)
      var batch = try rows.compactMap { try ImageRow.image($0, feeds, damage: damage) }
      try FailureQueries.fill(&batch, db)
      guard batch.isEmpty || body(batch) else { return }
    }
  }
}
