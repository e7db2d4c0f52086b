import Glibc
import Models
package import Workers

/// Opens folders for exports.
package struct SiteFolders: Sendable {
  /// The library's folder, which an export must not overlap.
  let library: LibraryFolder

  package init(besides library: LibraryFolder) { self.library = library }

  /// Opens a folder for the site of a library, and makes it if it is missing.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - library: The UUID of the library.
  /// - Returns: The folder, locked against other exports until it is released.
  /// - Throws: when it contains other files, or cannot be written.
  package func open(
    _ path: String,
    for library: String
  ) throws(SiteExportError) -> any SiteFolder {
    try checkApart(path)
    try GuardedFolder.makeFolders(path)
    return try SiteFiles(in: GuardedFolder.open(path), for: library)
  }

  package func checkApart(_ path: String) throws(SiteExportError) {
    let (own, site) = (Self.resolved(library.path), Self.resolved(path))
    let originals = Self.resolved(library.originals)
    guard !Self.contains(own, site), !Self.contains(originals, site), !Self.contains(site, own)
    else { throw .overlapping(path: path) }
  }

  /// Whether a path leads to a folder or into it, by whatever name: two names of a folder on a disk that ignores case
  /// are the same folder, and so are two mounts of it.
  private static func contains(_ folder: String, _ path: String) -> Bool {
    let (folder, way) = (way(to: folder), way(to: path))
    if way.starts(with: folder) { return true }
    guard let identity = folder.last.flatMap({ FileIdentity($0) }) else { return false }
    return way.contains { FileIdentity($0) == identity }
  }

  /// The folders from the root to a path, which is the last one.
  private static func way(to path: String) -> [String] {
    let parts = path.split(separator: "/")
    return (0...parts.count).map { "/" + parts.prefix($0).joined(separator: "/") }
  }

  /// A path with links resolved; the part that does not exist is kept as it is.
  private static func resolved(_ path: String) -> String {
    if let real = LibraryFolder.resolved(path) { return real }
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard let name = parts.last else { return path.hasPrefix("/") ? "" : resolved(".") }
    let parent = parts.dropLast().joined(separator: "/")
    if path.hasPrefix("/") { return resolved("/" + parent) + "/\(name)" }
    return resolved(parent.isEmpty ? "." : parent) + "/\(name)"
  }
}

/// The files of a site, with the note of the last completed export.
final class SiteFiles: SiteFolder {
  private let folder: GuardedFolder
  private var path: String { folder.path }
  /// Whether the last export into the folder was not completed.
  private let isUnfinished: Bool

  /// Takes an empty folder, or a folder with a site of the same library.
  init(in folder: GuardedFolder, for library: String) throws(SiteExportError) {
    self.folder = folder
    isUnfinished = folder.owner != nil && folder.note == nil
    if let owner = folder.owner {
      guard owner == library else { throw .otherLibrary(path: folder.path) }
      guard !NamedFiles.isAny(in: folder) else { throw .otherForm(path: folder.path) }
      try folder.removePartials()
      return
    }
    let names = try GuardedFolder.catching { () throws(StoreError) in
      try FileSystem.names(inFolder: folder.path)
    }
    guard Set(names).subtracting([GuardedFolder.own, "lost+found"]).isEmpty,
      !NamedFiles.isAny(in: folder)
    else { throw .foreign(path: folder.path) }
    try folder.setOwner(library)
  }

  // MARK: Files

  func write(_ bytes: [UInt8], to name: String) throws(SiteExportError) -> Bool {
    let target = "\(path)/\(name)"
    if FileSystem.size(of: target) == bytes.count,
      FileSystem.beginning(of: target, count: bytes.count) == bytes
    {
      return false
    }
    try folder.write(bytes, to: name)
    return true
  }

  func has(_ name: String, bytes: Int, hash: SHA256Digest) -> Bool {
    let path = "\(path)/\(name)"
    guard FileSystem.size(of: path) == bytes else { return false }
    // A file that cannot be read is written again.
    return !isUnfinished || (try? FileHash.sha256(ofFileAt: path, length: bytes)) == hash
  }

  func copy(
    _ source: String,
    bytes: Int,
    hash: SHA256Digest,
    to name: String
  ) throws(SiteExportError) -> Bool {
    let input = Glibc.open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard input >= 0 else { throw .library(StoreError(errno: errno, path: source)) }
    defer { close(input) }
    return try folder.makeFile(name) { (file, partial) throws(StoreError) in
      try FileHash.copy(input, to: file, path: partial, length: bytes) == hash
    }
  }

  // MARK: Removing files

  func sweep(_ name: String, keeping isKept: (String) -> Bool) throws(SiteExportError) -> Int {
    guard access("\(path)/\(name)", F_OK) == 0 || errno != ENOENT else { return 0 }
    let descriptor = try GuardedFolder.openFolder("\(path)/\(name)")
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
      // The type in the entry is unknown on some file systems.
      var status = stat()
      guard lstat("\(path)/\(entryPath)", &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        removed += try sweep(entryPath, keeping: isKept)
        // This fails for a folder that still contains files.
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

  var note: String? { folder.note }

  func setNote(_ note: String?) throws(SiteExportError) { try folder.setNote(note) }

  func settle() throws(SiteExportError) { try folder.settle() }
}
