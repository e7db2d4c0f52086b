import Foundation
import Glibc
import TestSupport
import Testing
import Threading
import Workers

/// A terminal that a program runs on, and that can be closed like a window.
final class ClosableTerminal: Sendable {
  private let window: Locked<Int32?>
  private let inside: Int32

  init() throws {
    var (window, inside): (Int32, Int32) = (-1, -1)
    try #require(openpty(&window, &inside, nil, nil, nil) == 0)
    // A program that had the window, too, would keep it open.
    _ = fcntl(window, F_SETFD, FD_CLOEXEC)
    self.window = Locked(window)
    self.inside = inside
  }

  deinit {
    close()
    _ = Glibc.close(inside)
  }

  /// Starts a program whose terminal this is: setsid(1) says so to the system, and hands on how the
  /// program ends.
  func run(_ command: [String], in library: TestLibrary) throws -> ChildProcess {
    let folder = URL(filePath: Program.path).deletingLastPathComponent().path
    return try ChildProcess(
      ["/usr/bin/setsid", "--ctty", "--wait"] + command,
      environment: [
        "GALLERY_CACHE": library.path, "HOME": library.path, "PATH": "\(folder):/usr/bin:/bin",
        "LC_ALL": "C.UTF-8", "TERM": "xterm",
      ],
      input: inside,
      output: inside,
      errors: inside
    ).endInTime()
  }

  /// Closes the window; the programs on it are sent SIGHUP (tty_ioctl(4), setsid(2)).
  func close() {
    window.withLock { window in
      if let open = window { _ = Glibc.close(open) }
      window = nil
    }
  }
}
