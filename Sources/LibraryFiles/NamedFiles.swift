import CLinux
import Glibc
import Models
package import Workers

extension SiteFolders: NamedFolderOpening {
  package func openNamed(
    _ path: String,
    for library: String,
    _ access: FolderAccess
  ) throws(SiteExportError) -> (any NamedFolder)? {
    try checkApart(path)
    switch access {
    case .making: try GuardedFolder.makeFolders(path)
    case .following: guard FileSystem.isFolder(path) else { throw .missing(path: path) }
    case .looking: guard FileSystem.isFolder(path) else { return nil }
    }
    let folder = try GuardedFolder.open(path)
    // The empty mount point of a disk that is not mounted must not be filled.
    if access == .following, !NamedFiles.isAny(in: folder) { throw .missing(path: path) }
    return try NamedFiles(folder, of: self.library, library, isLooking: access == .looking)
  }
}

/// Named files, in a folder that may also contain other files.
///
/// A link shares its content and its mode with the library's own file. So both become read-only, and no program changes
/// them by accident. A copy gets its name after it was flushed to the disk, with many others at once, so that after a
/// power cut each file with a name is whole.
final class NamedFiles: NamedFolder {
  private static let files = "\(GuardedFolder.own)/files"
  private static let nextFiles = "\(GuardedFolder.own)/files.next"

  let folder: GuardedFolder
  private let library: LibraryFolder
  private let isLooking: Bool
  private var writer: FileRecord.Writer?
  /// The copies that still lack their names, and the sum of their lengths.
  private var unnamed: (files: [UnnamedFile], bytes: Int) = ([], 0)
  /// The mode of linked files: the permissions of the user's umask, without write permission.
  var linkMode: mode_t = 0o400
  /// Whether this file system can still be expected to clone files, and to link them to the library.
  var mayClone = true
  var mayLink = true

  /// Whether a folder has a record of named files.
  static func isAny(in folder: GuardedFolder) -> Bool {
    FileSystem.size(of: "\(folder.path)/\(files)") != nil
  }

  init(
    _ folder: GuardedFolder,
    of library: LibraryFolder,
    _ id: String,
    isLooking: Bool
  ) throws(SiteExportError) {
    (self.folder, self.library, self.isLooking) = (folder, library, isLooking)
    if let owner = folder.owner {
      guard owner == id else { throw .otherLibrary(path: folder.path) }
      guard Self.isAny(in: folder) else { throw .otherForm(path: folder.path) }
    }
    guard !isLooking else { return }
    if !Self.isAny(in: folder) { try folder.write([], to: Self.files) }
    if folder.owner == nil { try folder.setOwner(id) }
    try folder.removePartials()
    try recoverRecord()
    var status = stat()
    if stat(path(Self.files), &status) == 0 { linkMode = status.st_mode & 0o444 }
  }

  func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  // MARK: The record

  var note: String? { folder.note }

  func setNote(_ note: String?) throws(SiteExportError) { try folder.setNote(note) }

  func readRecord() throws(SiteExportError) -> () throws(SiteExportError) -> ExportedFile? {
    let reader = FileRecord.Reader(path(Self.files))
    return { reader.next() }
  }

  /// Names the copies before the record on the disk does.
  func append(_ file: ExportedFile) throws(SiteExportError) {
    let writer = try nextRecord()
    if writer.isFull {
      try GuardedFolder.catching { () throws(StoreError) in try nameCopies() }
      try writer.flush()
    }
    writer.append(file)
  }

  /// Flushes the files before the record names them; otherwise, after a power cut, they would count as moved by the
  /// user.
  func finishRecord() throws(SiteExportError) {
    try GuardedFolder.catching { () throws(StoreError) in try nameCopies() }
    try nextRecord().flush()
    writer = nil
    try folder.settle()
    try GuardedFolder.catching { () throws(StoreError) in
      try FileSystem.move(self.path(Self.nextFiles), to: self.path(Self.files))
    }
  }

  private func nextRecord() throws(SiteExportError) -> FileRecord.Writer {
    if let writer { return writer }
    let writer = try FileRecord.Writer(path(Self.nextFiles))
    self.writer = writer
    return writer
  }

  /// Merges the incomplete record of a killed export with the rest of the previous record.
  ///
  /// It leaves out files that are missing, because a power cut may have taken their names: they are made again.
  private func recoverRecord() throws(SiteExportError) {
    guard FileSystem.size(of: path(Self.nextFiles)) != nil else { return }
    let joined = try folder.partialPath()
    let writer = try FileRecord.Writer(joined)
    var last = Int64.min
    let new = FileRecord.Reader(path(Self.nextFiles))
    while let file = new.next() {
      last = file.imageID
      if mark(of: file.path) != nil { try writer.write(file) }
    }
    let old = FileRecord.Reader(path(Self.files))
    while let file = old.next() { if file.imageID > last { try writer.write(file) } }
    try writer.flush()
    try folder.settle()
    try folder.setNote(nil)
    try GuardedFolder.catching { () throws(StoreError) in
      try FileSystem.move(joined, to: self.path(Self.files))
      _ = try FileSystem.remove(self.path(Self.nextFiles))
    }
  }

  // MARK: Names

  /// The number of copies, and the sum of their lengths, after which they are flushed and named.
  private static let mostUnnamed = (files: 256, bytes: 256 << 20)

  /// Keeps a copy until it is flushed.
  func keepUnnamed(_ file: UnnamedFile, bytes: Int) throws(StoreError) {
    unnamed.files.append(file)
    unnamed.bytes += bytes
    let most = Self.mostUnnamed
    if unnamed.files.count >= most.files || unnamed.bytes >= most.bytes { try nameCopies() }
  }

  /// Whether something has a name, or will have it.
  func isInUse(_ name: String) -> Bool {
    var status = stat()
    return lstat(path(name), &status) == 0 || unnamed.files.contains { $0.name == name }
  }

  /// Flushes the copies, and renames each to its final name.
  ///
  /// Where another program has taken or changed the name since, its file stays. The next export tells of it, because it
  /// has not the mark of the record.
  private func nameCopies() throws(StoreError) {
    if unnamed.files.isEmpty { return }
    try folder.flush()
    let files = unnamed.files
    unnamed = ([], 0)
    for file in files { _ = try giveName(to: file) }
  }

  /// Renames a partial file to its final name, or deletes it when another file has the name; returns whether it was
  /// renamed.
  func giveName(to file: UnnamedFile) throws(StoreError) -> Bool {
    let target = path(file.name)
    if let mark = file.replaced {
      if self.mark(of: file.name) == mark {
        try FileSystem.move(file.partial, to: target)
        return true
      }
    } else {
      if clinux_rename_new(file.partial, target) == 0 { return true }
      guard errno == EEXIST else { throw StoreError(errno: errno, path: target) }
    }
    unlink(file.partial)
    return false
  }

  // MARK: Files

  func mark(of name: String) -> FileMark? { Self.status(path(name)).map(FileMark.init) }

  /// The status of a regular file; nil for anything else.
  private static func status(_ path: String) -> stat? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return status
  }

  func make(_ name: String, of original: PictureInfo) throws(SiteExportError) -> FileArrival {
    guard let source = StoredSource(original, in: library) else { return .damaged }
    if let arrival = try arrivalWithoutPlace(name) { return arrival }
    if isLooking || mayLink && !mayClone {
      if isLooking { return expected(name, source) }
      if !source.isInPlace, let arrival = try link(source, as: name) { return arrival }
    }
    return try bring(source, to: name, replacing: nil)
  }

  func replace(
    _ name: String,
    _ mark: FileMark,
    with original: PictureInfo
  ) throws(SiteExportError) -> FileArrival {
    guard let source = StoredSource(original, in: library) else { return .damaged }
    if isLooking { return .made(FileMark(source.status), source.expectedWay) }
    return try bring(source, to: name, replacing: mark)
  }

  func write(
    _ bytes: [UInt8],
    to name: String,
    replacing mark: FileMark?
  ) throws(SiteExportError) -> FileArrival {
    if isLooking { return .made(FileMark(bytes: bytes.count, changed: 0), .copy) }
    if let arrival = try arrivalWithoutPlace(name) { return arrival }
    if mark == nil, let status = Self.status(path(name)) {
      let isSame = FileSystem.beginning(of: path(name), count: bytes.count + 1) == bytes
      return isSame ? .made(FileMark(status), .found) : .taken
    }
    let arrival = try folder.makeFile(name) { (file, path) throws(StoreError) in
      try FileSystem.write(bytes, to: file, path: path)
      return true
    } place: { (partial, status) throws(StoreError) in
      try place(partial, FileMark(status), as: name, .copy, replacing: mark)
    }
    return arrival ?? .damaged
  }

  /// Makes the folders of a path; returns a result only when one of them is not a folder.
  private func arrivalWithoutPlace(_ name: String) throws(SiteExportError) -> FileArrival? {
    if isLooking { return nil }
    switch folder.preparedParent(of: name) {
    case 0: return nil
    case ELOOP, ENOTDIR: return .blocked
    case let code: throw .folder(StoreError(errno: code, path: path(name)))
    }
  }

  /// The result that making a new file would have.
  private func expected(_ name: String, _ source: StoredSource) -> FileArrival {
    var status = stat()
    guard lstat(path(name), &status) == 0 else {
      return errno == ENOTDIR ? .blocked : .made(FileMark(source.status), source.expectedWay)
    }
    return found(name, source)
  }

  /// Whether the existing file with a name is the original itself.
  func found(_ name: String, _ source: StoredSource) -> FileArrival {
    guard let status = Self.status(path(name)) else { return .taken }
    let isSame =
      status.st_dev == source.status.st_dev && status.st_ino == source.status.st_ino
      || status.st_size == source.status.st_size
        && (try? FileHash.sha256(ofFileAt: path(name)).hash) == source.hash
    return isSame ? .made(FileMark(status), .found) : .taken
  }
}

/// A written copy that still has the name of a partial file.
struct UnnamedFile {
  let partial: String
  let name: String
  /// The mark of the file that it replaces; nil for a new one.
  let replaced: FileMark?
}
