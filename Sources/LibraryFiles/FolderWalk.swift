import FoundationEssentials
import Glibc
import Models
import Workers

/// One pass through a folder and the folders in it, which finds the files whose names are those of pictures.
struct FolderWalk {
  /// A number of files or folders, and the path of the first one.
  private struct Count {
    var number = 0
    var first = ""

    mutating func add(_ path: String) {
      if number == 0 { first = path }
      number += 1
    }
  }

  /// The extensions of the formats that `ImageHeader` knows, in lower case.
  private static let extensions: Set<String> = [
    "apng", "avif", "bmp", "gif", "heic", "heif", "hif", "ico", "j2c", "j2k", "jfif", "jp2", "jpc",
    "jpe", "jpeg", "jpf", "jpg", "jpx", "jxl", "pbm", "pgm", "png", "pnm", "ppm", "svg", "tif",
    "tiff", "webp",
  ]
  /// The extensions of raw data of cameras, in lower case.
  private static let rawExtensions: Set<String> = [
    "3fr", "arw", "cr2", "cr3", "crw", "dcr", "dng", "erf", "fff", "iiq", "kdc", "mef", "mos",
    "mrw", "nef", "nrw", "orf", "pef", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
  ]
  /// Folders of systems and network drives, which hold copies and thumbnails.
  private static let foreign: Set<String> = [
    "@eaDir", "#recycle", "#snapshot", "@Recycle", "@Recently-Snapshot", "$RECYCLE.BIN",
    "System Volume Information", "lost+found", "__MACOSX",
  ]

  private let path: String
  private let explains: Bool
  private let root: Int32
  private var files: [(file: FolderFile, nanoseconds: Int)] = []
  private var names = 0
  private var passed: [EntryExplanation.Passed] = []
  private var leftOut = LeftOutFiles()
  private var (unreadableFolders, unreadableFiles, links) = (Count(), Count(), Count())

  init(_ folder: WebAddress, explains: Bool = false) throws(NetworkError) {
    func failure(_ reason: NetworkError.Reason, _ message: String) -> NetworkError {
      NetworkError(reason: reason, address: folder, message: message)
    }
    guard let path = folder.filePath, path.utf8.last == UInt8(ascii: "/"), !path.utf8.contains(0)
    else { throw failure(.refused, "not the address of a folder of this machine") }
    (self.path, self.explains) = (path, explains)
    root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else { throw failure(.unreadableFile, String(cString: strerror(errno))) }
    // The next export would copy the copies.
    for (name, kind) in Self.marks where faccessat(root, name, F_OK, 0) == 0 {
      close(root)
      throw failure(.refused, "it is \(kind)")
    }
  }

  /// Lists everything, and closes the folder.
  mutating func contents() -> FolderContents {
    read(root, "", depth: 1)
    files.sort { one, other in
      if one.file.modified != other.file.modified { return one.file.modified > other.file.modified }
      if one.nanoseconds != other.nanoseconds { return one.nanoseconds > other.nanoseconds }
      return one.file.address.text < other.file.address.text
    }
    var flaws: [DocumentFlaw] = []
    func add(_ count: Count, _ flaw: (Int, String) -> DocumentFlaw) {
      if count.number > 0 { flaws.append(flaw(count.number, count.first)) }
    }
    add(unreadableFolders) { .unreadableFolders($0, first: $1) }
    add(unreadableFiles) { .unreadableFiles($0, first: $1) }
    add(links) { .linksLeftOut($0, first: $1) }
    if names > FileLimits.folderNames {
      flaws.append(.excessiveFiles(limit: FileLimits.folderNames))
    }
    var contents = FolderContents(files: files.map(\.file), flaws: flaws, passed: passed)
    contents.leftOut = leftOut
    return contents
  }

  /// Says why a file or folder is left out, if that is wanted.
  private mutating func pass(
    _ path: String,
    _ reason: EntryExplanation.Reason,
    _ place: EntryExplanation.Place = .file
  ) {
    guard explains, passed.count < FileLimits.explainedNames else { return }
    passed.append(.init(address: path, place: place, reason: reason))
  }

  private mutating func passOther(_ path: String) {
    if Self.has(path, Self.rawExtensions) { leftOut.raw += 1 }
    pass(path, .otherName)
  }

  private mutating func passFolder(unread path: String, _ reason: EntryExplanation.Reason) {
    unreadableFolders.add(path)
    pass(path, reason, .folder)
  }

  private mutating func passFile(unread path: String) {
    unreadableFiles.add(path)
    pass(path, .unreadable)
  }

  // MARK: Names

  /// The names that mark a folder of copies, and what it is.
  private static let marks = [
    ("gallery.sqlite", "the folder of a library"), (GuardedFolder.own, "an export of a library"),
  ]

  /// Whether a name marks its folder as one of copies, which are not pictures of their own.
  static func isMark(_ name: String) -> Bool { marks.contains { $0.0 == name } }

  /// Whether an open folder is one of copies.
  static func holdsCopies(_ folder: Int32) -> Bool {
    marks.contains { faccessat(folder, $0.0, F_OK, 0) == 0 }
  }

  /// Whether a folder with this name is searched for pictures.
  static func isSearched(_ name: String) -> Bool { !isHidden(name) && !foreign.contains(name) }

  /// Whether a file with this name may be a picture of the feed.
  static func isListed(_ name: String) -> Bool { !isHidden(name) && isPicture(name) }

  private static func isHidden(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ".") }

  /// Reads an open folder, which is closed then, and the folders in it.
  private mutating func read(_ descriptor: Int32, _ parent: String, depth: Int) {
    guard let folder = fdopendir(descriptor) else {
      close(descriptor)
      return passFolder(unread: parent, .unreadable)
    }
    defer { closedir(folder) }
    if depth > 1, Self.holdsCopies(descriptor) { return pass(parent, .copies, .folder) }
    while names <= FileLimits.folderNames {
      errno = 0
      guard let entry = readdir(folder) else {
        if errno != 0 { passFolder(unread: parent, .unreadable) }
        return
      }
      names += 1
      let kind = Int32(entry.pointee.d_type)
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { name in
        Array(name.prefix { $0 != 0 })
      }
      guard bytes.first != UInt8(ascii: ".") else {
        if bytes != [0x2E], bytes != [0x2E, 0x2E] {
          let place = kind == Int32(DT_DIR) ? EntryExplanation.Place.folder : .file
          pass(parent + String(decoding: bytes, as: UTF8.self), .hidden, place)
        }
        continue
      }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        let name = String(decoding: bytes, as: UTF8.self)
        if kind == Int32(DT_DIR) || Self.isPicture(name) { passFile(unread: parent + name) }
        continue
      }
      take(name, kind, of: descriptor, parent, depth)
    }
  }

  private mutating func take(
    _ name: String,
    _ kind: Int32,
    of folder: Int32,
    _ parent: String,
    _ depth: Int
  ) {
    let isPicture = Self.isPicture(name)
    // Most other files need no look at all.
    if kind == Int32(DT_REG), !isPicture { return passOther(parent + name) }
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      // It may have been deleted since.
      if errno != ENOENT { passFile(unread: parent + name) }
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG where isPicture: files.append(file(parent + name, status))
    case S_IFREG: passOther(parent + name)
    case S_IFDIR where Self.foreign.contains(name): pass(parent + name, .systemFolder, .folder)
    case S_IFDIR:
      guard depth < FileLimits.folderDepth else {
        return passFolder(unread: parent + name, .tooDeep)
      }
      let next = PictureFolder.openFolder(name, in: folder)
      if next < 0 { return passFolder(unread: parent + name, .unreadable) }
      read(next, parent + name + "/", depth: depth + 1)
    case S_IFLNK:
      pass(parent + name, .symbolicLink)
      if isPicture { leftOut.links += 1 }
      if leadsOut(parent + name) { links.add(parent + name) }
    default: pass(parent + name, .specialFile)
    }
  }

  private func file(_ name: String, _ status: stat) -> (FolderFile, Int) {
    let file = FolderFile(
      address: WebAddress(filePath: path + name, relativeTo: "/"),
      path: name,
      version: PictureFolder.version(of: status),
      bytes: Int(status.st_size),
      modified: PictureFolder.modified(status)
    )
    return (file, Int(status.st_mtim.tv_nsec))
  }

  /// Whether a link leads to a folder, or to a file with the name of a picture, outside of the folder.
  ///
  /// What a link inside leads to is listed under its own name.
  private func leadsOut(_ name: String) -> Bool {
    guard let target = realpath(path + name, nil) else { return false }
    defer { free(target) }
    guard let resolved = realpath(path, nil) else { return false }
    defer { free(resolved) }
    let (file, folder) = (String(cString: target), String(cString: resolved))
    guard Self.isPicture(file) || FileSystem.isFolder(file) else { return false }
    let inside = folder == "/" ? folder : folder + "/"
    return !file.utf8.elementsEqual(folder.utf8) && !file.utf8.starts(with: inside.utf8)
  }

  private static func isPicture(_ name: String) -> Bool { has(name, extensions) }

  private static func has(_ name: String, _ extensions: Set<String>) -> Bool {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return extensions.contains(name[name.utf8.index(after: dot)...].lowercased())
  }
}
