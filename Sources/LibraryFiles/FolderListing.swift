package import FoundationEssentials
package import Workers

/// Lists the files of a library's folder that may be stray; only the store knows which of them its rows name.
package struct FolderListing: Sendable {
  /// The time without changes after which a partial file or a lock counts as abandoned: a week, in seconds.
  static let abandonedAge = 7 * 86_400.0

  package let folder: LibraryFolder
  private let now: Date

  package init(_ folder: LibraryFolder, now: Date = Date()) {
    self.folder = folder
    self.now = now
  }

  /// The paths of files in `originals/` and in its folders.
  package func originals() throws(StoreError) -> [String] {
    var paths: [String] = []
    for name in try FileSystem.names(inFolder: folder.originals) {
      let path = "\(folder.originals)/\(name)"
      if try FileSystem.kind(of: path) != .folder {
        // A link to a folder is not searched; a link whose name is not one of the library's folders is itself stray.
        if !isOurs(name) || folder.link(at: path) == nil { paths.append(path) }
      } else if isOurs(name) {
        paths += try FileSystem.names(inFolder: path).map { "\(path)/\($0)" }
      }
    }
    return paths
  }

  /// The library's folders in `originals/`, without links.
  package func originalsFolders() throws(StoreError) -> [String] {
    var paths: [String] = []
    for name in try FileSystem.names(inFolder: folder.originals) where isOurs(name) {
      let path = "\(folder.originals)/\(name)"
      if try FileSystem.kind(of: path) == .folder { paths.append(path) }
    }
    return paths
  }

  /// The links in `originals/` that replace the library's folders there.
  package func linkedFolders() throws(StoreError) -> [String] {
    try FileSystem.names(inFolder: folder.originals).filter(isOurs)
      .map { "\(folder.originals)/\($0)" }.filter { folder.link(at: $0) != nil }
  }

  /// Whether a name in `originals/` is that of a folder for hashes with the same beginning.
  ///
  /// Other folders, such as `lost+found` on a separate disk, do not belong to the library.
  private func isOurs(_ name: String) -> Bool {
    let digits = Array(name.utf8)
    return digits.count == 2 && digits.allSatisfy { Array("0123456789abcdef".utf8).contains($0) }
  }

  /// The paths of packs.
  package func packs() throws(StoreError) -> [String] {
    try paths(in: folder.thumbnails).filter { folder.packID(of: $0) != nil }
  }

  /// The paths of files in `partial/`.
  package func partials() throws(StoreError) -> [String] { try paths(in: folder.partial) }

  /// The lock files of feeds that have changed their address or are no longer synced.
  ///
  /// They have not been locked for as long as an abandoned partial file is kept; a sync may still hold one.
  package func staleLocks() throws(StoreError) -> [StrayFile] {
    try paths(in: folder.locks).filter(isAbandoned).map { path in
      StrayFile(path: path, bytes: FileSystem.size(of: path) ?? 0)
    }
  }

  /// Whether a file has been untouched for so long that no attempt will resume it.
  package func isAbandoned(_ path: String) -> Bool {
    FileSystem.age(of: path, now: now) ?? 0 > Self.abandonedAge
  }

  /// Nil for a folder: the library has no folders there, and the folder may contain files.
  package func stray(_ path: String) throws(StoreError) -> StrayFile? {
    switch try FileSystem.kind(of: path) {
    case .file(let bytes) where isOriginal(path):
      StrayFile(path: path, bytes: bytes, isOriginal: true, changed: FileSystem.changed(path) ?? 0)
    case .file(let bytes): StrayFile(path: path, bytes: bytes)
    case .other: StrayFile(path: path, bytes: 0)
    case .folder, nil: nil
    }
  }

  private func isOriginal(_ path: String) -> Bool {
    let sha256 = LibraryFolder.sha256(ofOriginalAt: path)
    return sha256.isSHA256 && path.hasPrefix("\(folder.originalsFolder(sha256: sha256))/")
  }

  private func paths(in path: String) throws(StoreError) -> [String] {
    try FileSystem.names(inFolder: path).map { "\(path)/\($0)" }
  }
}
