import Foundation
import Glibc

/// Waits for files in a folder (inotify(7)).
enum FolderWatch {
  /// Blocks until an existing folder has a file of this name and at least this size, or for ten minutes, so that a test
  /// fails instead of hanging.
  static func waitForFile(_ name: String, bytes: Int = 0, in folder: String) throws {
    let watch = inotify_init1(Int32(IN_CLOEXEC))
    guard watch >= 0 else { throw CocoaError(.fileReadUnknown) }
    defer { close(watch) }
    guard inotify_add_watch(watch, folder, UInt32(IN_CREATE | IN_MODIFY | IN_MOVED_TO)) >= 0 else {
      throw CocoaError(.fileReadNoSuchFile)
    }
    var events = [UInt8](repeating: 0, count: 4_096)
    // A file that existed before the watch does not cause an event.
    while true {
      var status = stat()
      if stat("\(folder)/\(name)", &status) == 0, status.st_size >= bytes { return }
      var poll = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, 600_000) > 0, read(watch, &events, events.count) > 0 else {
        throw CocoaError(.fileReadUnknown)
      }
    }
  }
}
