import Glibc

/// What there is under the name that a copy is to have, links followed (inode(7)).
enum ExportPlace {
  /// Nothing yet, or a file.
  case file
  /// A pipe or a device that takes bytes one after the other.
  case stream
  /// A folder, a socket, a disk.
  case other

  init(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .file
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFIFO, S_IFCHR: self = .stream
    default: self = .other
    }
  }
}
