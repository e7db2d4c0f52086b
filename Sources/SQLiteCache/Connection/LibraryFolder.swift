import Foundation
import Glibc
import Models
import Workers

/// Where the parts of a library lie.
struct LibraryFolder: Sendable {
  /// An absolute path.
  let path: String

  init(_ path: String) {
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

  var database: String { path + "/gallery.sqlite" }
  /// The write-ahead log, which SQLite puts beside the file itself, where a link may lead.
  var log: String {
    (Self.resolved(database) ?? database) + "-wal"
  }
  /// Where SQLite makes its files.
  var logFolder: String { URL(filePath: log).deletingLastPathComponent().path }
  var thumbnails: String { path + "/thumbnails" }
  var originals: String { path + "/originals" }
  var partial: String { path + "/partial" }
  var locks: String { path + "/locks" }
  /// Where files lie that were cleaned away, a folder a cleaning.
  var trash: String { path + "/trash" }

  /// The lock of a feed, named by what all spellings of its address share, since a feed that is not known yet has no id.
  func lock(feedAt address: WebAddress) -> String {
    locks + "/" + String(UInt64(bitPattern: StableHash.of(address.identity)), radix: 16)
  }

  /// The file of a pack of thumbnails.
  func pack(_ id: Int64) -> String { thumbnails + "/\(id).pack" }

  /// The number of the pack that has a path; nil when it is no pack's.
  func packID(of path: String) -> Int64? {
    let name = path.split(separator: "/").last ?? ""
    guard let id = Int64(name.prefix { $0 != "." }), pack(id) == path else { return nil }
    return id
  }

  /// The folder of an original's file, after the first two digits of its hash.
  func originalsFolder(sha256: String) -> String { originals + "/" + sha256.prefix(2) }

  func original(sha256: String, fileExtension: String) -> String {
    originalsFolder(sha256: sha256) + "/" + sha256 + "." + fileExtension
  }

  func partial(imageID: Int64) -> String { partial + "/\(imageID)" }

  /// The note beside an original that has not arrived whole.
  func note(imageID: Int64) -> String { partial(imageID: imageID) + ".note" }

  /// Makes the folder of the library and those above it, for their owner only; their names are on
  /// the disk when this returns.
  func make() throws(StoreError) { try Self.make(path) }

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
  func link(at path: String, meant: String? = nil) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
    let target = Self.resolved(path)
    return target == meant ? nil : target ?? "nothing"
  }

  /// A path without links in it; nil when it leads nowhere.
  static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Throws when the place, or a folder above it, is a file: no library can ever be there.
  func checkPlace() throws(StoreError) {
    var status = stat()
    var part = path
    while stat(part, &status) != 0, errno == ENOTDIR {
      part = URL(filePath: part).deletingLastPathComponent().path
    }
    if stat(part, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
      throw StoreError(errno: ENOTDIR, path: part)
    }
  }

  /// Throws when what has the database's name is no file of ours to open: a pipe would wait for ever.
  func checkDatabaseFile() throws(StoreError) {
    var status = stat()
    guard stat(database, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let message = isFolder ? "a folder has its name" : "it is no plain file"
    throw StoreError(reason: .foreign, path: database, message: message)
  }

  /// Whether the database's file has nothing but zeros, and no more than a page of them: what a power cut
  /// leaves of a file whose first page was not on the disk yet.
  ///
  /// A larger file is not even opened: closing it would drop this process's locks on it.
  var isDatabaseBlank: Bool {
    guard let size = FileSystem.size(of: database), (1...65_536).contains(size) else {
      return false
    }
    let bytes = FileSystem.beginning(of: database, count: size)
    return bytes.count == size && bytes.allSatisfy { $0 == 0 }
  }

  /// Takes the zeros out of a blank file: SQLite takes an empty one for a database, but not zeros.
  func clearBlankDatabase() throws(StoreError) {
    guard isDatabaseBlank else { return }
    guard truncate(database, 0) == 0 else { throw StoreError(errno: errno, path: database) }
  }

  /// Makes the database's file, so that only its owner can read it.
  ///
  /// SQLite gives its log the same mode. Never opens a file that is there: closing it would drop
  /// this process's locks on it.
  func makeDatabaseFile() throws(StoreError) {
    let file = open(database, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 {
      close(file)
      try FileSystem.sync(folder: path)
    } else if errno != EEXIST {
      throw StoreError(errno: errno, path: database)
    }
  }
}
