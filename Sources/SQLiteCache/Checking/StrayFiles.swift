import Foundation
import GRDB
import Models
import Workers

/// Finds the files of a library's folder that no row refers to.
struct StrayFiles {
  /// How long a partial file may lie untouched before it counts as given up: a week.
  static let partialAge = 7 * 86_400.0

  let folder: LibraryFolder
  let now: Date

  /// The files below `originals/` whose names are no row's.
  func originals(_ db: Database) throws -> [StrayFile] {
    let names = try folderNames(folder.originals).flatMap { name in
      try folderNames("\(folder.originals)/\(name)").map { "\(folder.originals)/\(name)/\($0)" }
    }
    return try names.filter { try !isReferred($0, db) }.map(stray)
  }

  /// The files in `partial/` that nobody has touched for a while, or whose image is not there.
  func partials(_ db: Database) throws -> [StrayFile] {
    try folderNames(folder.partial).filter { try isGivenUp($0, db) }
      .map { stray("\(folder.partial)/\($0)") }
  }

  /// Whether a row names a file below `originals/`.
  func isReferred(_ path: String, _ db: Database) throws -> Bool {
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

  private func stray(_ path: String) -> StrayFile {
    StrayFile(path: path, bytes: FileSystem.size(of: path) ?? 0)
  }

  /// Sorted, so that two looks tell the same; none when there is no such folder.
  private func folderNames(_ path: String) throws -> [String] {
    guard try FileSystem.isThere(path) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch {
      throw StoreError(error, path: path)
    }
  }
}
