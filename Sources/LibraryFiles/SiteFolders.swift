import CLinux
import Glibc
import Models
package import Workers

/// Opens folders for static sites.
package struct SiteFolders: SiteWriting {
  /// The library's folder, which no site may overlap.
  private let library: String

  package init(besides library: LibraryFolder) { self.library = library.path }

  package func open(
    _ path: String,
    for library: String
  ) throws(SiteExportError) -> any SiteFolder {
    let own = Self.resolved(self.library) + "/"
    let site = Self.resolved(path) + "/"
    guard !own.hasPrefix(site), !site.hasPrefix(own) else { throw .overlapping(path: path) }
    return try SiteFiles.open(path, for: library)
  }

  /// A path without links, as far as there is something.
  private static func resolved(_ path: String) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard let name = parts.last else { return path.hasPrefix("/") ? "" : resolved(".") }
    let parent = parts.dropLast().joined(separator: "/")
    if path.hasPrefix("/") { return resolved("/" + parent) + "/\(name)" }
    return resolved(parent.isEmpty ? "." : parent) + "/\(name)"
  }
}

/// The files of a site.
///
/// The folder `.gallery-export` says whose site it is, has the files that are being written, and the note of the last
/// export that came to its end. A lock on the site's folder itself (flock(2)) leaves no file.
final class SiteFiles: SiteFolder {
  private static let own = ".gallery-export"

  private let path: String
  /// The open folder, which has the lock.
  private let lock: Int32
  /// Folders that are known to be there.
  private let folders = Locked<Set<String>>([])

  private init(_ path: String, lock: Int32) {
    self.path = path
    self.lock = lock
  }

  deinit { close(lock) }

  static func open(_ path: String, for library: String) throws(SiteExportError) -> SiteFiles {
    try makeFolders(path)
    let lock = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw .folder(StoreError(errno: errno, path: path)) }
    let files = SiteFiles(path, lock: lock)
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw .busy(path: path)
    }
    try files.checkOwner(library)
    return files
  }

  /// Takes an empty folder, or one of the same library.
  private func checkOwner(_ library: String) throws(SiteExportError) {
    let owner = "\(path)/\(Self.own)/library"
    let text = String(decoding: FileSystem.beginning(of: owner, count: 64), as: UTF8.self)
    if text == library + "\n" { return try removePartials() }
    guard text.isEmpty else { throw .otherLibrary(path: path) }
    let names = try Self.catching { () throws(StoreError) in
      try FileSystem.names(inFolder: self.path)
    }
    guard Set(names).subtracting([Self.own, "lost+found"]).isEmpty else {
      throw .foreign(path: path)
    }
    _ = try write(Array("\(library)\n".utf8), to: "\(Self.own)/library")
  }

  private func removePartials() throws(SiteExportError) {
    _ = try sweep(Self.own) { !$0.hasSuffix(".new") }
  }

  // MARK: Files

  func write(_ bytes: [UInt8], to name: String) throws(SiteExportError) -> Bool {
    let target = "\(path)/\(name)"
    if FileSystem.size(of: target) == bytes.count,
      FileSystem.beginning(of: target, count: bytes.count) == bytes
    {
      return false
    }
    try makeFile(name) { (file, partial) throws(StoreError) in
      try FileSystem.write(bytes, to: file, path: partial)
      return true
    }
    return true
  }

  func has(_ name: String, bytes: Int) -> Bool { FileSystem.size(of: "\(path)/\(name)") == bytes }

  func copy(
    _ source: String,
    bytes: Int,
    hash: SHA256Digest,
    to name: String
  ) throws(SiteExportError) -> Bool {
    let input = Glibc.open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard input >= 0 else { throw .library(StoreError(errno: errno, path: source)) }
    defer { close(input) }
    return try makeFile(name) { (file, partial) throws(StoreError) in
      try SiteCopy(source: input, file: file, path: partial, length: bytes).run() == hash
    }
  }

  /// Writes a file beside its place, and moves it there when it is right.
  @discardableResult
  private func makeFile(
    _ name: String,
    _ body: (_ file: Int32, _ path: String) throws(StoreError) -> Bool
  ) throws(SiteExportError) -> Bool {
    let target = "\(path)/\(name)"
    try makeParent(of: name)
    try makeParent(of: "\(Self.own)/x")
    let partial = "\(path)/\(Self.own)/\(UInt64.random(in: .min ... .max)).new"
    let file = Glibc.open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .folder(StoreError(errno: errno, path: target)) }
    defer { close(file) }
    return try Self.catching { () throws(StoreError) in
      do throws(StoreError) {
        let isRight = try body(file, target)
        if isRight { try FileSystem.move(partial, to: target) } else { unlink(partial) }
        return isRight
      } catch {
        unlink(partial)
        throw error
      }
    }
  }

  private func makeParent(of name: String) throws(SiteExportError) {
    guard let slash = name.lastIndex(of: "/") else { return }
    let parent = String(name[..<slash])
    if folders.withLock({ $0.contains(parent) }) { return }
    try Self.makeFolders("\(path)/\(parent)")
    // Below the site's folder, a link would lead out of it.
    var part = path
    for name in parent.split(separator: "/") {
      part += "/\(name)"
      close(try Self.openFolder(part))
    }
    folders.withLock { _ = $0.insert(parent) }
  }

  /// Opens a folder that is no link to one.
  private static func openFolder(_ path: String) throws(SiteExportError) -> Int32 {
    let folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { throw .folder(StoreError(errno: errno, path: path)) }
    return folder
  }

  /// Makes a folder, and those that it is in, as the user's mask of modes has it: a web server reads them.
  private static func makeFolders(_ path: String) throws(SiteExportError) {
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

  // MARK: What is not part of the site any more

  func sweep(_ name: String, keeping isKept: (String) -> Bool) throws(SiteExportError) -> Int {
    guard access("\(path)/\(name)", F_OK) == 0 || errno != ENOENT else { return 0 }
    let descriptor = try Self.openFolder("\(path)/\(name)")
    guard let folder = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      throw .folder(StoreError(errno: code, path: "\(path)/\(name)"))
    }
    defer { closedir(folder) }
    var removed = 0
    while let entry = readdir(folder) {
      let entryName = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if entryName == "." || entryName == ".." { continue }
      let entryPath = "\(name)/\(entryName)"
      if FileSystem.isFolder("\(path)/\(entryPath)"), entry.pointee.d_type != UInt8(DT_LNK) {
        removed += try sweep(entryPath, keeping: isKept)
        // One that has files stays.
        rmdir("\(path)/\(entryPath)")
      } else if !isKept(entryPath) {
        guard unlink("\(path)/\(entryPath)") == 0 || errno == ENOENT else {
          throw .folder(StoreError(errno: errno, path: "\(path)/\(entryPath)"))
        }
        removed += 1
      }
    }
    return removed
  }

  // MARK: The state

  private static let noteName = "\(own)/state"

  var note: String? {
    let path = "\(path)/\(Self.noteName)"
    guard let length = FileSystem.size(of: path) else { return nil }
    return String(decoding: FileSystem.beginning(of: path, count: length), as: UTF8.self)
  }

  func setNote(_ note: String?) throws(SiteExportError) {
    if let note {
      _ = try write(Array(note.utf8), to: Self.noteName)
    } else {
      try Self.catching { () throws(StoreError) in
        _ = try FileSystem.remove("\(self.path)/\(Self.noteName)")
      }
    }
  }

  func settle() throws(SiteExportError) {
    guard clinux_sync_filesystem(lock) == 0 else {
      throw .folder(StoreError(errno: errno, path: path))
    }
  }

  private static func catching<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(SiteExportError) -> Result {
    do {
      return try body()
    } catch {
      throw .folder(error)
    }
  }
}

/// A copy of the beginning of a file, which is hashed on the way.
private struct SiteCopy {
  private static let pieceBytes = 256 << 10

  let source: Int32
  let file: Int32
  let path: String
  let length: Int

  func run() throws(StoreError) -> SHA256Digest? {
    var status = stat()
    let isWhole = fstat(source, &status) == 0 && Int(status.st_size) == length
    let isCloned = isWhole && clinux_clone(file, source) == 0
    var hash = try SHA256(of: path)
    var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
    var rest = length
    while rest > 0 {
      let count = piece.withUnsafeMutableBytes { bytes in
        read(source, bytes.baseAddress, min(bytes.count, rest))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StoreError(errno: errno, path: path) }
      if count == 0 { return nil }
      hash.update(piece[..<count])
      if !isCloned { try FileSystem.write(Array(piece[..<count]), to: file, path: path) }
      rest -= count
    }
    return hash.digest
  }
}
