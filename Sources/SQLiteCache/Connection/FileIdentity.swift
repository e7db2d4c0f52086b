import Glibc

/// Which file a path names, however it is called (inode(7)).
struct FileIdentity: Equatable {
  private let device: dev_t
  private let node: ino_t

  /// Nil when the path names nothing.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = status.st_dev
    node = status.st_ino
  }
}
