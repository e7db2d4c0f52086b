import CLinux
import Glibc
import Workers

/// A folder that one export locks while it writes there, and in which it follows no links.
///
/// Its subfolder `.gallery-export` names the library and holds the files that are being written. The lock is on the
/// folder itself (flock(2)), so it needs no file.
final class GuardedFolder: Sendable {
  static let own = ".gallery-export"

  let path: String
  /// The descriptor of the folder, which holds the lock.
  private let lock: Int32
  /// Folders that are known to exist.
  private let folders = Locked<Set<String>>([])

  private init(_ path: String, lock: Int32) {
    self.path = path
    self.lock = lock
  }

  deinit { FileSystem.unlock(lock) }

  /// Opens and locks an existing folder.
  static func open(_ path: String) throws(SiteExportError) -> GuardedFolder {
    let lock = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw .folder(StoreError(errno: errno, path: path)) }
    let folder = GuardedFolder(path, lock: lock)
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw .busy(path: path)
    }
    return folder
  }

  /// The UUID of the library whose export the folder contains; nil when it contains no export.
  var owner: String? {
    let text = FileSystem.beginning(of: "\(path)/\(Self.own)/library", count: 64)
    return text.isEmpty ? nil : String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self)
  }

  /// Names the library before the first of its files is written.
  ///
  /// The name is on the disk when this returns. After a power cut, no export would take a folder that has
  /// files but no name.
  func setOwner(_ library: String) throws(SiteExportError) {
    try settle()
    try write(Array("\(library)\n".utf8), to: "\(Self.own)/library")
    try settle()
  }

  /// Deletes the incomplete files of a killed export.
  func removePartials() throws(SiteExportError) {
    let names = try Self.catching { () throws(StoreError) in
      try FileSystem.names(inFolder: "\(self.path)/\(Self.own)")
    }
    for name in names where name.hasSuffix(".new") { unlink("\(path)/\(Self.own)/\(name)") }
  }

  /// Flushes everything that was written to the disk.
  func settle() throws(SiteExportError) {
    try Self.catching { () throws(StoreError) in try flush() }
  }

  /// Does the same, with the store's errors.
  func flush() throws(StoreError) {
    guard clinux_sync_filesystem(lock) == 0 else { throw StoreError(errno: errno, path: path) }
  }

  // MARK: Folders

  func makeParent(of name: String) throws(SiteExportError) {
    let code = preparedParent(of: name)
    guard code == 0 else { throw .folder(StoreError(errno: code, path: "\(path)/\(name)")) }
  }

  /// Makes the folders of a path, none of which may be a link; returns the system's error number, or 0 for success.
  func preparedParent(of name: String) -> Int32 {
    guard let slash = name.lastIndex(of: "/") else { return 0 }
    let parent = String(name[..<slash])
    if folders.withLock({ $0.contains(parent) }) { return 0 }
    var part = path
    for name in parent.split(separator: "/") {
      part += "/\(name)"
      guard mkdir(part, 0o777) == 0 || errno == EEXIST else { return errno }
      let folder = Glibc.open(part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard folder >= 0 else { return errno }
      close(folder)
    }
    folders.withLock { _ = $0.insert(parent) }
    return 0
  }

  /// Opens a folder; fails on a link to a folder.
  static func openFolder(_ path: String) throws(SiteExportError) -> Int32 {
    let folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { throw .folder(StoreError(errno: errno, path: path)) }
    return folder
  }

  /// Makes a folder and its parents with the permissions of the user's umask, so that a web server can read them.
  static func makeFolders(_ path: String) throws(SiteExportError) {
    if mkdir(path, 0o777) == 0 || errno == EEXIST && FileSystem.isFolder(path) { return }
    let code = errno
    guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      let reason = code == EEXIST ? ENOTDIR : code
      throw .folder(StoreError(errno: reason, path: path))
    }
    try makeFolders(String(path[..<slash]))
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw .folder(StoreError(errno: errno, path: path))
    }
  }

  // MARK: Files

  /// A path for a file that is being written.
  func partialPath() throws(SiteExportError) -> String {
    try makeParent(of: "\(Self.own)/x")
    return "\(path)/\(Self.own)/\(UInt64.random(in: .min ... .max)).new"
  }

  /// Writes a temporary file, and passes it to `place` when it is right.
  ///
  /// - Parameters:
  ///   - name: The name of the file, for errors.
  ///   - body: Writes the file; returns whether it is right.
  ///   - place: Gets the path and the status of the temporary file.
  /// - Returns: The result of `place`; nil when the file is not right.
  /// - Throws: when the file cannot be written.
  func makeFile<Result>(
    _ name: String,
    _ body: (_ file: Int32, _ path: String) throws(StoreError) -> Bool,
    place: (_ partial: String, stat) throws(StoreError) -> Result
  ) throws(SiteExportError) -> Result? {
    let target = "\(path)/\(name)"
    let partial = try partialPath()
    let file = Glibc.open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .folder(StoreError(errno: errno, path: target)) }
    defer { close(file) }
    return try Self.catching { () throws(StoreError) in
      do throws(StoreError) {
        var status = stat()
        guard try body(file, target), fstat(file, &status) == 0 else {
          unlink(partial)
          return nil
        }
        return try place(partial, status)
      } catch {
        unlink(partial)
        throw error
      }
    }
  }

  /// Writes a file, and replaces any existing file with that name.
  @discardableResult
  func makeFile(
    _ name: String,
    _ body: (_ file: Int32, _ path: String) throws(StoreError) -> Bool
  ) throws(SiteExportError) -> Bool {
    try makeParent(of: name)
    let target = "\(path)/\(name)"
    return try makeFile(name, body) { (partial, _) throws(StoreError) in
      try FileSystem.move(partial, to: target)
      return true
    } ?? false
  }

  func write(_ bytes: [UInt8], to name: String) throws(SiteExportError) {
    try makeFile(name) { (file, partial) throws(StoreError) in
      try FileSystem.write(bytes, to: file, path: partial)
      return true
    }
  }

  // MARK: The state

  private static let noteName = "\(own)/state"

  var note: String? {
    let path = "\(path)/\(Self.noteName)"
    guard let length = FileSystem.size(of: path) else { return nil }
    return String(decoding: FileSystem.beginning(of: path, count: length), as: UTF8.self)
  }

  func setNote(_ note: String?) throws(SiteExportError) {
    if let note { return try write(Array(note.utf8), to: Self.noteName) }
    let isRemoved = try Self.catching { () throws(StoreError) in
      try FileSystem.remove("\(self.path)/\(Self.noteName)")
    }
    // Without this, a power cut could bring the note back, beside files that are not whole.
    if isRemoved { try settle() }
  }

  static func catching<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(SiteExportError) -> Result {
    do {
      return try body()
    } catch {
      throw .folder(error)
    }
  }
}
