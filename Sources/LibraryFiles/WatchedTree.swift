import Glibc
import Models
import Workers

/// A folder that is a feed with the folders below it, as far as they are searched for pictures, while the kernel tells
/// of changes in each.
struct WatchedTree {
  private struct Node {
    /// Nil for the folder of the feed.
    var parent: Int32?
    var name: String
    /// The numbers of the folders in it, by their names.
    var folders: [String: Int32] = [:]
  }

  /// Which folder the path of the feed named at the beginning.
  let identity: FileIdentity
  let inotify: Inotify
  private let path: String
  private var root: Int32 = -1
  /// The folders, by their numbers.
  private var nodes: [Int32: Node] = [:]
  /// Whether it has to be built anew: changes were lost, or the folder is somewhere else.
  private(set) var isLost = false

  /// Nil when there is no folder at the path.
  init?(_ path: String) throws(FolderWatchProblem) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    var status = stat()
    guard folder >= 0, fstat(folder, &status) == 0 else {
      if folder >= 0 { close(folder) }
      return nil
    }
    (self.path, identity) = (path, FileIdentity(status))
    do throws(FolderWatchProblem) {
      inotify = try Inotify()
    } catch {
      close(folder)
      throw error
    }
    root = try add(folder, "", in: nil, depth: 1) ?? -1
    if root < 0 { return nil }
  }

  /// Lets the receiver of the events end.
  func stop() { inotify.remove(root) }

  // MARK: Events

  /// Follows a change, and returns whether the pictures of the feed may be others now.
  mutating func take(_ event: Inotify.Event) throws(FolderWatchProblem) -> Bool {
    if event.has(IN_Q_OVERFLOW | IN_UNMOUNT) {
      isLost = true
      return true
    }
    guard let node = nodes[event.folder] else { return false }
    if event.folder == root, event.has(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) {
      isLost = true
      return true
    }
    if event.has(IN_IGNORED) {
      remove(event.folder)
      return false
    }
    guard let name = event.name else { return false }
    if event.folder != root, FolderWalk.isMark(name), event.has(IN_CREATE | IN_MOVED_TO) {
      remove(event.folder)
      return true
    }
    if event.has(IN_ISDIR) { return try takeFolder(name, in: node, event) }
    return takeFile(name, event)
  }

  private mutating func takeFolder(
    _ name: String,
    in node: Node,
    _ event: Inotify.Event
  ) throws(FolderWatchProblem) -> Bool {
    guard FolderWalk.isSearched(name) else { return false }
    let known = node.folders[name]
    // A folder that could not be read before may be readable now.
    if event.has(IN_ATTRIB) {
      if known != nil { return false }
      return try add(name, in: event.folder)
    }
    if let known { remove(known) }
    if event.has(IN_CREATE | IN_MOVED_TO) { _ = try add(name, in: event.folder) }
    return true
  }

  private func takeFile(_ name: String, _ event: Inotify.Event) -> Bool {
    guard FolderWalk.isListed(name) else { return false }
    if !event.has(IN_CREATE) { return true }
    // An empty new file is being written, and is told again when it is closed. Another name of a file is not.
    var status = stat()
    return lstat(path + place(of: event.folder) + name, &status) == 0
      && (status.st_size > 0 || status.st_nlink > 1)
  }

  // MARK: Folders

  /// The path of a folder below that of the feed, with a slash at the end; empty for the folder of the feed.
  private func place(of folder: Int32) -> String {
    var (parts, number) = ([String](), folder)
    while let node = nodes[number], let parent = node.parent {
      parts.append(node.name)
      number = parent
    }
    return parts.reversed().map { $0 + "/" }.joined()
  }

  /// Adds a folder with those below it; returns whether it can be watched.
  private mutating func add(
    _ name: String,
    in parent: Int32
  ) throws(FolderWatchProblem) -> Bool {
    let below = place(of: parent) + name
    let depth = below.utf8.count { $0 == UInt8(ascii: "/") } + 2
    guard depth <= FileLimits.folderDepth else { return false }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    errno = 0
    let folder = PictureFolder.openBeneath(path, below, flags)
    guard folder >= 0 else {
      let code = errno
      if code == EMFILE || code == ENFILE { throw .system(String(cString: strerror(code))) }
      return false
    }
    return try add(folder, name, in: parent, depth: depth) != nil
  }

  /// Adds an open folder, which is closed then, with those below it.
  ///
  /// It is watched before it is listed, so that no folder is missed that is made meanwhile.
  ///
  /// - Returns: Its number; nil for one that is not searched for pictures.
  private mutating func add(
    _ descriptor: Int32,
    _ name: String,
    in parent: Int32?,
    depth: Int
  ) throws(FolderWatchProblem) -> Int32? {
    guard let folder = fdopendir(descriptor) else {
      close(descriptor)
      return nil
    }
    defer { closedir(folder) }
    if let name = Inotify.blindFileSystem(of: descriptor) { throw .fileSystem(name) }
    if depth > 1, FolderWalk.holdsCopies(descriptor) { return nil }
    let number = try inotify.add(descriptor)
    if nodes[number] != nil {
      move(number, to: name, in: parent)
      return number
    }
    nodes[number] = Node(parent: parent, name: name)
    if let parent { nodes[parent]?.folders[name] = number }
    while let entry = readdir(folder) {
      let kind = Int32(entry.pointee.d_type)
      guard kind == Int32(DT_DIR) || kind == Int32(DT_UNKNOWN) else { continue }
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { name in
        Array(name.prefix { $0 != 0 })
      }
      guard depth < FileLimits.folderDepth, let name = String(validating: bytes, as: UTF8.self),
        FolderWalk.isSearched(name)
      else { continue }
      let next = PictureFolder.openFolder(name, in: descriptor)
      let code = errno
      if next >= 0 {
        _ = try add(next, name, in: number, depth: depth + 1)
      } else if code == EMFILE || code == ENFILE {
        throw .system(String(cString: strerror(code)))
      }
    }
    return number
  }

  /// Takes over the new place of a known folder, which has been moved there, or is mounted in two places.
  ///
  /// A folder that is moved into a new one is found there before its move is told, and that must not end its watch.
  private mutating func move(_ number: Int32, to name: String, in parent: Int32?) {
    guard let parent, let node = nodes[number], let former = node.parent else { return }
    // A folder may also be mounted below itself.
    var above: Int32? = parent
    while let next = above {
      if next == number { return }
      above = nodes[next]?.parent
    }
    if nodes[former]?.folders[node.name] == number { nodes[former]?.folders[node.name] = nil }
    nodes[number]?.parent = parent
    nodes[number]?.name = name
    nodes[parent]?.folders[name] = number
  }

  private mutating func remove(_ number: Int32) {
    guard let node = nodes.removeValue(forKey: number) else { return }
    if let parent = node.parent, nodes[parent]?.folders[node.name] == number {
      nodes[parent]?.folders[node.name] = nil
    }
    inotify.remove(number)
    for folder in node.folders.values { remove(folder) }
  }
}
