package import FoundationEssentials
package import Workers

/// Lists the files of a library's folder that may be stray: only the store knows which of them its rows name.
package struct FolderListing: Sendable {
  /// How long a partial file or a lock may lie untouched before it counts as abandoned: a week.
  static let abandonedAge = 7 * 86_400.0

  package let folder: LibraryFolder
  private let now: Date

  package init(_ folder: LibraryFolder, now: Date = Date()) {
    self.folder = folder
    self.now = now
  }

  /// The paths of files in `originals/` and its folders.
  package func originals() throws(StoreError) -> [String] {
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
    return paths
  }

  /// The links that stand in the place of folders in `originals/`.
  package func linkedFolders() throws(StoreError) -> [String] {
    try FileSystem.names(inFolder: folder.originals).filter(isOurs)
      .map { "\(folder.originals)/\($0)" }.filter { folder.link(at: $0) != nil }
  }

  /// Whether the name of a folder in `originals/` is that of one for files whose hashes begin alike; another, such as the
  /// `lost+found` of a disk of its own, is somebody else's.
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

  /// The lock files of feeds that have another address since, or are synced no more.
  ///
  /// No process has taken them for as long as an abandoned partial file is kept; a sync may still hold one.
  package func staleLocks() throws(StoreError) -> [StrayFile] {
    try paths(in: folder.locks).filter(isAbandoned).map { path in
      StrayFile(path: path, bytes: FileSystem.size(of: path) ?? 0)
    }
  }

  /// Whether a file was left alone for so long that no attempt will resume it.
  package func isAbandoned(_ path: String) -> Bool {
    FileSystem.age(of: path, now: now) ?? 0 > Self.abandonedAge
  }

  /// Nil for a folder: none of ours is there, and it may be full.
  package func stray(_ path: String) throws(StoreError) -> StrayFile? {
    switch try FileSystem.kind(of: path) {
    case .file(let bytes): StrayFile(path: path, bytes: bytes)
    case .other: StrayFile(path: path, bytes: 0)
    case .folder, nil: nil
    }
  }

  private func paths(in path: String) throws(StoreError) -> [String] {
    try FileSystem.names(inFolder: path).map { "\(path)/\($0)" }
  }
}
