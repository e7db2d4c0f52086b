import FoundationEssentials
import Glibc
package import Models
package import Workers

/// The paths of a library's parts.
package struct LibraryFolder: Sendable {
  /// An absolute path.
  package let path: String

  package init(_ path: String) {
    self.path = Self.isPlain(path) ? path : URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// Whether an absolute path is already normalised, as most are.
  ///
  /// Such a path needs no normalisation by Foundation, which takes as long as opening the database.
  private static func isPlain(_ path: String) -> Bool {
    guard path.utf8.first == UInt8(ascii: "/") else { return false }
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.dropFirst().allSatisfy { part in
      part.count > 2 || part.contains { $0 != UInt8(ascii: ".") }
    }
  }

  /// The file of the database, if the library is not in PostgreSQL.
  var databaseFile: String { path + "/gallery.sqlite" }
  package var thumbnails: String { path + "/thumbnails" }
  package var originals: String { path + "/originals" }
  package var partial: String { path + "/partial" }
  package var locks: String { path + "/locks" }
  /// The folder for files that a cleaning removed, with one subfolder for each cleaning.
  package var trash: String { path + "/trash" }

  /// The last state of the change log that clients have seen.
  package var followedChanges: String { path + "/followed-changes" }

  /// The key pair of the library (`KeyFile`).
  package var key: String { path + "/library.key" }

  /// When backups of the library were made in other folders (`BackupNotes`).
  package var backups: String { path + "/backups.json" }

  /// The user's settings, in a backup.
  package var settings: String { path + "/config.toml" }

  /// The lock of a feed, named by a hash of its address's identity, because a feed that is not yet known has no id.
  package func lock(feedAt address: WebAddress) -> String {
    locks + "/" + String(UInt64(bitPattern: StableHash.of(address.identity)), radix: 16)
  }

  /// The lock of the program that makes the library a copy of another one.
  package var copyLock: String { locks + "/copy" }

  /// The file of a pack of thumbnails.
  package func pack(_ id: Int64) -> String { thumbnails + "/\(id).pack" }

  /// The folder for parts of packs that are in an object store.
  package var packs: String { path + "/packs" }

  /// The id of the pack at a path; nil when the path is not that of a pack.
  package func packID(of path: String) -> Int64? {
    let name = path.split(separator: "/").last ?? ""
    guard let id = Int64(name.prefix { $0 != "." }), pack(id) == path else { return nil }
    return id
  }

  /// The folder of an original's file, named by the first two digits of its hash.
  package func originalsFolder(sha256: String) -> String { originals + "/" + sha256.prefix(2) }

  package func original(sha256: String, fileExtension: String) -> String {
    originalsFolder(sha256: sha256) + "/" + sha256 + "." + fileExtension
  }

  package func original(sha256: String, _ format: ImageFormat) -> String {
    original(sha256: sha256, fileExtension: format.fileExtension)
  }

  /// The file of an original from the columns of its row; nil for columns that this program did not write.
  package func original(sha256: String, format: String) -> String? {
    guard sha256.isSHA256 else { return nil }
    return ImageFormat(rawValue: format).map { original(sha256: sha256, $0) }
  }

  /// The part of an original's file name that should be its hash; it is not checked.
  package static func sha256(ofOriginalAt path: String) -> String {
    String(path.split(separator: "/").last?.prefix { $0 != "." } ?? "")
  }

  package func partial(imageID: Int64) -> String { partial + "/\(imageID)" }

  /// The image of a partial file or of its note in `partial/`; nil for another file.
  package func imageID(ofPartialAt path: String) -> Int64? {
    Int64((path.split(separator: "/").last ?? "").prefix { $0 != "." })
  }

  /// The sizes of the partial files, by image.
  package func partialBytes() throws(StoreError) -> [Int64: Int] {
    var bytes: [Int64: Int] = [:]
    for name in try FileSystem.names(inFolder: partial) {
      guard let id = Int64(name) else { continue }
      bytes[id] = FileSystem.size(of: partial(imageID: id))
    }
    return bytes
  }

  /// Does something while no process counts the room that originals take, or reserves any of it.
  ///
  /// The lock is on the folder for partial files. On a file system that cannot lock folders, there is no lock.
  package func holdingRoom<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let file = open(partial, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if file >= 0 { close(file) } }
    while file >= 0, flock(file, LOCK_EX) != 0, errno == EINTR {}
    return try body()
  }

  /// The note beside a partial file.
  package func note(imageID: Int64) -> String { partial(imageID: imageID) + ".note" }

  /// Makes the folder of the library and its parents, for their owner only; flushes their names before it returns.
  package func make() throws(StoreError) { try Self.make(path) }

  private static func make(_ path: String) throws(StoreError) {
    if FileSystem.isFolder(path) { return }
    let parent = URL(filePath: path).deletingLastPathComponent().path
    if parent != path { try make(parent) }
    if try FileSystem.makeFolder(path) { try FileSystem.sync(folder: parent) }
  }

  /// Looks for a link in place of a folder.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - meant: The target that a link there is allowed to have.
  /// - Returns: The target of the link; nil when there is no link or it has the allowed target.
  package func link(at path: String, meant: String? = nil) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
    guard let target = Self.resolved(path) else { return "" }
    return target == meant ? nil : target
  }

  /// The target of a link in place of `originals/` that a cleaning allows and the library does not allow yet.
  package func linkToMean(_ plan: CleaningPlan, meant: String?) -> String? {
    guard plan.meansLinkedOriginals, link(at: originals, meant: meant) != nil else { return nil }
    return Self.resolved(originals)
  }

  /// Looks for links in place of folders, and of the folders in `originals/`.
  ///
  /// - Parameters:
  ///   - folders: The folders, without `originals/`.
  ///   - meant: The target that a link in place of `originals/` is allowed to have.
  /// - Throws: for a link that is not allowed.
  package func checkNoLinks(at folders: [String], meant: String?) throws(StoreError) {
    try checkNoLink(at: originals, meant: meant)
    for path in try folders + FolderListing(self).linkedFolders() { try checkNoLink(at: path) }
  }

  /// Looks for links in place of the folders of a library that a copy is about to make here.
  ///
  /// Another user may have put them here, and the copy would write elsewhere. The links of a library that exists are
  /// those of its owner.
  ///
  /// - Throws: for a link, while there is no database, or an empty one.
  package func checkNoLinksForCopy() throws(StoreError) {
    guard FileSystem.size(of: databaseFile) ?? 0 == 0 else { return }
    try checkNoLinksForFirstCopy()
  }

  /// Does the same whatever the folder has, for a library whose database is not in it.
  ///
  /// - Throws: for a link.
  package func checkNoLinksForFirstCopy() throws(StoreError) {
    guard FileSystem.isFolder(path) else { return }
    try checkNoLinks(at: [databaseFile, thumbnails, partial, packs, locks, trash], meant: nil)
  }

  /// Looks for other files in the folder in which a library is about to begin, such as pictures.
  ///
  /// - Throws: `.otherFiles`, while there is no database.
  package func checkNoOtherFiles() throws(StoreError) {
    guard try FileSystem.kind(of: databaseFile) == nil, try FileSystem.kind(of: path) != nil else {
      return
    }
    let names = try FileSystem.names(inFolder: path).sorted()
    let other = names.first { !$0.hasPrefix(".") && !Self.early.contains($0) }
    guard let other else { return }
    throw StoreError(reason: .otherFiles, path: path, message: other)
  }

  /// What systems put on an empty disk, and what a library makes before its database.
  private static let early: Set = [
    "lost+found", "System Volume Information", "$RECYCLE.BIN", "locks", "originals", "partial",
    "thumbnails", "trash",
  ]

  private func checkNoLink(at path: String, meant: String? = nil) throws(StoreError) {
    guard let target = link(at: path, meant: meant) else { return }
    throw StoreError(reason: .linked, path: path, message: target)
  }

  /// A path with all links resolved; nil when it does not exist.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Throws when the path or a folder above it is a file, so that a library cannot be created there.
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

  /// How many bytes must be freed for more originals, in addition to the bytes already used; 0 or less for none.
  package func missing(for bytes: Int, beside taken: Int, _ bounds: StorageBounds) -> Int {
    let missing = bounds.keep.map { taken.adding(bytes).subtracting($0) } ?? 0
    guard let keepFree = bounds.keepFree, let disk = FileSystem.disk(of: path) else {
      return missing
    }
    return max(missing, keepFree.adding(bytes).subtracting(disk.free))
  }

  /// The bounds without one that the whole disk could not meet, which mostly is a typing mistake.
  package func meetable(_ bounds: StorageBounds) -> StorageBounds {
    guard let keepFree = bounds.keepFree, let disk = FileSystem.disk(of: path),
      keepFree >= disk.total
    else { return bounds }
    return StorageBounds(keep: bounds.keep)
  }

  /// Throws when the disk has no room for more bytes in addition to the reserve that a sync leaves free.
  package func checkRoom(for bytes: Int) throws(StoreError) {
    guard let disk = FileSystem.disk(of: path) else { return }
    let reserve = FileLimits.reserve(ofDiskWith: disk.total)
    guard disk.free.subtracting(bytes) < reserve else { return }
    let message = "\(disk.free) bytes are free"
    throw StoreError(reason: .reserved(bytes: reserve), path: path, message: message)
  }
}

extension LibraryFolder {
  /// What another library has left here, which a new one must not take over; nil if the folder has nothing of the kind.
  ///
  /// A sync makes the database before any of them.
  package func remains() throws(StoreError) -> LibraryRemains? {
    let listing = FolderListing(self)
    let remains = LibraryRemains(
      folder: path,
      originals: try listing.originals().count { Self.sha256(ofOriginalAt: $0).isSHA256 },
      packs: try listing.packs().count,
      hasKey: try FileSystem.kind(of: key) != nil,
      backups: BackupNotes.places(of: self)
    )
    return remains.isEmpty ? nil : remains
  }
}
