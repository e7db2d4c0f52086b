import Foundation
import Glibc
package import Models
package import Workers

/// Where the parts of a library lie.
package struct LibraryFolder: Sendable {
  /// An absolute path.
  package let path: String

  package init(_ path: String) {
    self.path = Self.isPlain(path) ? path : URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// Whether an absolute path goes from folder to folder straight down, as most do: then it is spared
  /// Foundation's way, which takes as long as opening the database.
  private static func isPlain(_ path: String) -> Bool {
    guard path.utf8.first == UInt8(ascii: "/") else { return false }
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.dropFirst().allSatisfy { part in
      part.count > 2 || part.contains { $0 != UInt8(ascii: ".") }
    }
  }

  package var thumbnails: String { path + "/thumbnails" }
  package var originals: String { path + "/originals" }
  package var partial: String { path + "/partial" }
  package var locks: String { path + "/locks" }
  /// Where files lie that were cleaned away, a folder a cleaning.
  package var trash: String { path + "/trash" }

  /// The last state of the change log that clients have seen.
  package var followedChanges: String { path + "/followed-changes" }

  /// The lock of a feed, named by what all spellings of its address share, since a feed that is not known yet has no id.
  package func lock(feedAt address: WebAddress) -> String {
    locks + "/" + String(UInt64(bitPattern: StableHash.of(address.identity)), radix: 16)
  }

  /// The file of a pack of thumbnails.
  package func pack(_ id: Int64) -> String { thumbnails + "/\(id).pack" }

  /// Where parts of packs lie that are in an object store.
  package var packs: String { path + "/packs" }

  /// The number of the pack that has a path; nil when it is no pack's.
  package func packID(of path: String) -> Int64? {
    let name = path.split(separator: "/").last ?? ""
    guard let id = Int64(name.prefix { $0 != "." }), pack(id) == path else { return nil }
    return id
  }

  /// The folder of an original's file, after the first two digits of its hash.
  package func originalsFolder(sha256: String) -> String { originals + "/" + sha256.prefix(2) }

  package func original(sha256: String, fileExtension: String) -> String {
    originalsFolder(sha256: sha256) + "/" + sha256 + "." + fileExtension
  }

  package func original(sha256: String, _ format: ImageFormat) -> String {
    original(sha256: sha256, fileExtension: format.fileExtension)
  }

  /// The file of an original by the columns of its row; nil for columns that this program did not write.
  package func original(sha256: String, format: String) -> String? {
    guard sha256.isSHA256 else { return nil }
    return ImageFormat(rawValue: format).map { original(sha256: sha256, $0) }
  }

  /// The hash that the name of a file in `originals/` should be; it may be anything else.
  package static func sha256(ofOriginalAt path: String) -> String {
    String(path.split(separator: "/").last?.prefix { $0 != "." } ?? "")
  }

  package func partial(imageID: Int64) -> String { partial + "/\(imageID)" }

  /// The image whose original a file in `partial/` is, or is a note on; nil for somebody else's file.
  package func imageID(ofPartialAt path: String) -> Int64? {
    Int64((path.split(separator: "/").last ?? "").prefix { $0 != "." })
  }

  /// The bytes of the originals that have not arrived whole, by their images.
  package func partialBytes() throws(StoreError) -> [Int64: Int] {
    var bytes: [Int64: Int] = [:]
    for name in try FileSystem.names(inFolder: partial) {
      guard let id = Int64(name) else { continue }
      bytes[id] = FileSystem.size(of: partial(imageID: id))
    }
    return bytes
  }

  /// The note beside an original that has not arrived whole.
  package func note(imageID: Int64) -> String { partial(imageID: imageID) + ".note" }

  /// Makes the folder of the library and those above it, for their owner only; their names are on
  /// the disk when this returns.
  package func make() throws(StoreError) { try Self.make(path) }

  private static func make(_ path: String) throws(StoreError) {
    if FileSystem.isFolder(path) { return }
    let parent = URL(filePath: path).deletingLastPathComponent().path
    if parent != path { try make(parent) }
    if try FileSystem.makeFolder(path) { try FileSystem.sync(folder: parent) }
  }

  /// Looks for a link in the place of a folder.
  ///
  /// - Parameters:
  ///   - path: Of the folder.
  ///   - meant: Where a link there is meant to lead.
  /// - Returns: Where it leads; nil if it is missing, or if it is meant.
  package func link(at path: String, meant: String? = nil) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
    guard let target = Self.resolved(path) else { return "nothing" }
    return target == meant ? nil : target
  }

  /// Where the link in the place of `originals/` leads, when a cleaning means it and the library does not yet.
  package func linkToMean(_ plan: CleaningPlan, meant: String?) -> String? {
    guard plan.meansLinkedOriginals, link(at: originals, meant: meant) != nil else { return nil }
    return Self.resolved(originals)
  }

  /// Looks for links in the place of folders, and of those in `originals/`.
  ///
  /// - Parameters:
  ///   - folders: The folders, without `originals/`.
  ///   - meant: Where a link in the place of `originals/` is meant to lead.
  /// - Throws: for a link that is not meant.
  package func checkNoLinks(at folders: [String], meant: String?) throws(StoreError) {
    try checkNoLink(at: originals, meant: meant)
    for path in try folders + FolderListing(self).linkedFolders() { try checkNoLink(at: path) }
  }

  private func checkNoLink(at path: String, meant: String? = nil) throws(StoreError) {
    guard let target = link(at: path, meant: meant) else { return }
    throw StoreError(reason: .linked, path: path, message: target)
  }

  /// A path without links in it; nil when it leads nowhere.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Throws when the place, or a folder above it, is a file: no library can ever be there.
  package func checkPlace() throws(StoreError) {
    var status = stat()
    var part = path
    while stat(part, &status) != 0, errno == ENOTDIR {
      part = URL(filePath: part).deletingLastPathComponent().path
    }
    if stat(part, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
      throw StoreError(errno: ENOTDIR, path: part)
    }
  }

  /// How many bytes are missing for so many more of originals beside those that are taken; 0 or less for none.
  package func missing(for bytes: Int, beside taken: Int, _ bounds: StorageBounds) -> Int {
    let missing = bounds.keep.map { taken + bytes - $0 } ?? 0
    guard let keepFree = bounds.keepFree, let disk = FileSystem.disk(of: path) else {
      return missing
    }
    return max(missing, keepFree + bytes - disk.free)
  }

  /// Throws when the disk has no room for so many bytes more, beside the reserve that a sync leaves free.
  package func checkRoom(for bytes: Int) throws(StoreError) {
    guard let disk = FileSystem.disk(of: path) else { return }
    let reserve = FileLimits.reserve(ofDiskWith: disk.total)
    guard disk.free - bytes < reserve else { return }
    let message = "\(disk.free) bytes are free"
    throw StoreError(reason: .reserved(bytes: reserve), path: path, message: message)
  }
}
