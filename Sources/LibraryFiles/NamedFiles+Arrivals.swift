import CLinux
import Glibc
import Models
import Workers

extension NamedFiles {
  /// Links an original to a name; nil when this file system cannot link it to the library.
  func link(_ source: StoredSource, as name: String) throws(SiteExportError) -> FileArrival? {
    guard Glibc.link(source.path, path(name)) == 0 else {
      switch errno {
      case EEXIST: return found(name, source)
      case EMLINK: return nil
      case ENOSPC, EDQUOT, EROFS, EIO, ENOENT:
        throw .folder(StoreError(errno: errno, path: path(name)))
      default:
        mayLink = false
        return nil
      }
    }
    guard lockContent(of: source) else {
      unlink(path(name))
      return nil
    }
    return .made(FileMark(source.status), .link)
  }

  /// Removes the write permission from a file that now has two names.
  private func lockContent(of source: StoredSource) -> Bool {
    source.status.st_mode & 0o777 == linkMode || chmod(source.path, linkMode) == 0
  }

  /// Clones, links or copies an original to a name.
  func bring(
    _ source: StoredSource,
    to name: String,
    replacing mark: FileMark?
  ) throws(SiteExportError) -> FileArrival {
    let input = open(source.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard input >= 0 else { return .damaged }
    defer { close(input) }
    // The user's own file gets no second name, and only reading it tells whether it is still the same.
    if mayClone, !source.isInPlace {
      let cloned = try folder.makeFile(name) { (file, _) throws(StoreError) in
        clinux_clone(file, input) == 0
      } place: { (partial, status) throws(StoreError) in
        try place(partial, FileMark(status), as: name, .clone, replacing: mark, source)
      }
      if let cloned { return cloned }
      mayClone = false
      if mark == nil, mayLink, let arrival = try link(source, as: name) { return arrival }
    }
    if let mark, mayLink, !source.isInPlace, let arrival = try linkOver(source, name, mark) {
      return arrival
    }
    let copied = try folder.makeFile(name) { (file, path) throws(StoreError) in
      try FileHash.copy(input, to: file, path: path, length: source.bytes) == source.hash
    } place: { (partial, status) throws(StoreError) in
      try place(partial, FileMark(status), as: name, .copy, replacing: mark, source)
    }
    return copied ?? .damaged
  }

  /// Replaces a file with a link; nil when links are not possible.
  private func linkOver(
    _ source: StoredSource,
    _ name: String,
    _ mark: FileMark
  ) throws(SiteExportError) -> FileArrival? {
    let partial = try folder.partialPath()
    guard Glibc.link(source.path, partial) == 0 else { return nil }
    // A rename to another link of the same file leaves both names.
    defer { unlink(partial) }
    guard lockContent(of: source) else { return nil }
    return try GuardedFolder.catching { () throws(StoreError) in
      try self.place(partial, FileMark(source.status), as: name, .link, replacing: mark)
    }
  }

  /// Renames a written file to its final name; a copy after it was flushed.
  func place(
    _ partial: String,
    _ new: FileMark,
    as name: String,
    _ way: FileArrival.Way,
    replacing mark: FileMark?,
    _ source: StoredSource? = nil
  ) throws(StoreError) -> FileArrival {
    let file = UnnamedFile(partial: partial, name: name, replaced: mark)
    if mark == nil, isInUse(name) {
      unlink(partial)
    } else if way == .copy, mark == nil || self.mark(of: name) == mark {
      try keepUnnamed(file, bytes: new.bytes)
      return .made(new, way)
    } else if try giveName(to: file) {
      return .made(new, way)
    }
    return mark == nil ? source.map { found(name, $0) } ?? .taken : .taken
  }
}

/// The file of a stored original in the library.
struct StoredSource {
  let path: String
  let hash: SHA256Digest
  let status: stat
  /// Whether it is the user's own file, outside of the library.
  let isInPlace: Bool
  var bytes: Int { Int(status.st_size) }
  /// How an export that only looks expects it to arrive: the user's own file gets no second name.
  var expectedWay: FileArrival.Way { isInPlace ? .copy : .link }

  /// Nil when the file is missing or its length differs from the stored one.
  init?(_ original: PictureInfo, in library: LibraryFolder) {
    guard let hash = original.hash else { return nil }
    isInPlace = original.place != nil
    path =
      original.place
      ?? library.original(
        sha256: hash.hexadecimal,
        fileExtension: original.format.fileExtension
      )
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      Int(status.st_size) == original.bytes
    else { return nil }
    (self.hash, self.status) = (hash, status)
  }
}

extension FileMark {
  init(_ status: stat) {
    self.init(
      bytes: Int(status.st_size),
      changed: Int64(status.st_mtim.tv_sec).multiplied(by: 1_000_000_000)
        .adding(Int64(status.st_mtim.tv_nsec))
    )
  }
}
