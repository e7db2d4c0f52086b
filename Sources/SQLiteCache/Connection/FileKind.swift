import Glibc

/// What a path names (inode(7)).
enum FileKind: Equatable {
  /// A plain file, and its length in bytes.
  case file(bytes: Int)
  case folder
  /// A link, a pipe, a socket, a device.
  case other

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file(bytes: Int(status.st_size))
    case S_IFDIR: self = .folder
    default: self = .other
    }
  }
}
