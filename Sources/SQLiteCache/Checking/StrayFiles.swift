import FoundationEssentials
import GRDB
import Models
import Workers

/// Finds the files of a library's folder that no row refers to.
struct StrayFiles {
  /// How long a partial file may lie untouched before it counts as given up: a week.
  static let partialAge = 7 * 86_400.0

  let folder: LibraryFolder
  let now: Date

  /// The files in `originals/` and its folders whose names are no row's.
  func originals(_ db: Database) throws -> [StrayFile] {
    var paths: [String] = []
    for name in try FileSystem.names(inFolder: folder.originals) {
      let path = "\(folder.originals)/\(name)"
      if try FileSystem.kind(of: path) != .folder {
        // A link to a folder is not looked into; the link of a name that is not ours is a stray itself.
        if !isOurs(name) || folder.link(at: path) == nil { paths.append(path) }
      } else if isOurs(name) {
        paths += try FileSystem.names(inFolder: path).map { "\(path)/\($0)" }
      }
    }
    let unknown = try paths.filter { try !isReferred($0, db) }
    return try notNamed(unknown, db).compactMap(stray)
  }

  /// Leaves out what the table of originals names, though its index does not.
  private func notNamed(_ paths: [String], _ db: Database) throws -> [String] {
    if paths.isEmpty { return [] }
    var unknown = Set(paths)
    let rows = try Row.fetchCursor(db, sql: "SELECT sha256, format FROM original NOT INDEXED")
    while let row = try rows.next() {
      guard let format = try ImageFormat(rawValue: row.value(1)) else { continue }
      unknown.remove(
        folder.original(sha256: try row.value(0), fileExtension: format.fileExtension)
      )
    }
    return paths.filter(unknown.contains)
  }

  /// The packs that no row knows, as a power cut leaves them that takes the row.
  func packs(_ db: Database) throws -> [StrayFile] {
    let paths = try FileSystem.names(inFolder: folder.thumbnails)
      .map { "\(folder.thumbnails)/\($0)" }
      .filter { try folder.packID(of: $0) != nil && !isReferred($0, db) }
    if paths.isEmpty { return [] }
    let sql = "SELECT DISTINCT pack_id FROM thumbnail NOT INDEXED WHERE pack_id IS NOT NULL"
    let named = try Set(Int64.fetchAll(db, sql: sql).map(folder.pack))
    return try paths.filter { !named.contains($0) }.compactMap(stray)
  }

  /// The links that stand in the place of folders in `originals/`.
  func linkedFolders() throws(StoreError) -> [String] {
    try FileSystem.names(inFolder: folder.originals).filter(isOurs)
      .map { "\(folder.originals)/\($0)" }.filter { folder.link(at: $0) != nil }
  }

  /// The files in `partial/` that were left alone for a while, or whose image is not there.
  func partials(_ db: Database) throws -> [StrayFile] {
    try FileSystem.names(inFolder: folder.partial).filter { try isGivenUp($0, db) }
      .compactMap { try stray("\(folder.partial)/\($0)") }
  }

  /// Whether the name of a folder in `originals/` is that of one for files whose hashes begin alike; another, such as the
  /// `lost+found` of a disk of its own, is somebody else's.
  private func isOurs(_ name: String) -> Bool {
    let digits = Array(name.utf8)
    return digits.count == 2 && digits.allSatisfy { Array("0123456789abcdef".utf8).contains($0) }
  }

  /// Whether a row names a file below `originals/`, or one of packs.
  func isReferred(_ path: String, _ db: Database) throws -> Bool {
    if let id = folder.packID(of: path) { return try PackQueries.end(of: id, db) != nil }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let sha256 = String(name.prefix { $0 != "." })
    guard let format = try OriginalQueries.format(sha256: sha256, db) else { return false }
    return path == folder.original(sha256: sha256, fileExtension: format.fileExtension)
  }

  private func isGivenUp(_ name: String, _ db: Database) throws -> Bool {
    let path = "\(folder.partial)/\(name)"
    if FileSystem.age(of: path, now: now) ?? 0 > Self.partialAge { return true }
    guard let imageID = Int64(name.prefix { $0 != "." }) else { return false }
    return try !VerificationQueries.isShown(imageID: imageID, db)
  }

  /// Nil for a folder: none of ours is there, and it may be full.
  private func stray(_ path: String) throws -> StrayFile? {
    switch try FileSystem.kind(of: path) {
    case .file(let bytes): StrayFile(path: path, bytes: bytes)
    case .other: StrayFile(path: path, bytes: 0)
    case .folder, nil: nil
    }
  }
}
