import LibraryFiles
import Models
import Store
import Workers

/// Finds the files of a library's folder that no row refers to.
struct StrayFiles {
  private let listing: FolderListing
  private var folder: LibraryFolder { listing.folder }

  init(_ listing: FolderListing) { self.listing = listing }

  /// The files in `originals/` and its folders that no row names.
  func originals(_ db: Connection) throws -> [StrayFile] {
    let unknown = try listing.originals().filter { try !isReferred($0, db) }
    return try notNamed(unknown, db).compactMap(listing.stray)
  }

  /// Leaves out the files that the table of originals names, although its index does not.
  private func notNamed(_ paths: [String], _ db: Connection) throws -> [String] {
    if paths.isEmpty { return [] }
    var unknown = Set(paths)
    let sql = "SELECT sha256, format FROM original NOT INDEXED WHERE NOT \(ObjectQueries.isAway)"
    try db.forEachRow(sql, with: Values()) { row in
      if let format: ImageFormat = try row.value(raw: 1) {
        unknown.remove(folder.original(sha256: try row.value(0), format))
      }
      return true
    }
    return paths.filter(unknown.contains)
  }

  /// The packs without a row.
  ///
  /// A power cut that loses the row leaves such a pack behind.
  func packs(_ db: Connection) throws -> [StrayFile] {
    let paths = try listing.packs().filter { try !isReferred($0, db) }
    if paths.isEmpty { return [] }
    let sql = "SELECT DISTINCT pack_id FROM thumbnail NOT INDEXED"
    let named = try Set(db.column(sql).map(folder.pack))
    return try paths.filter { !named.contains($0) }.compactMap(listing.stray)
  }

  /// The files in `partial/` that are too old to be resumed, or whose image is deleted or hidden.
  func partials(_ db: Connection) throws -> [StrayFile] {
    try listing.partials().filter { try isGivenUp($0, db) }.compactMap(listing.stray)
  }

  private func isGivenUp(_ path: String, _ db: Connection) throws -> Bool {
    if listing.isAbandoned(path) { return true }
    guard let imageID = folder.imageID(ofPartialAt: path) else { return false }
    return try !VerificationQueries.isShown(imageID: imageID, db)
  }

  /// Whether a row names a file below `originals/`, or a pack.
  func isReferred(_ path: String, _ db: Connection) throws -> Bool {
    if let id = folder.packID(of: path) { return try PackQueries.end(of: id, db) != nil }
    let sha256 = LibraryFolder.sha256(ofOriginalAt: path)
    guard let format = try OriginalQueries.format(sha256: sha256, db),
      try !ObjectQueries.isAway(sha256: sha256, db)
    else { return false }
    return path == folder.original(sha256: sha256, format)
  }
}
