import Foundation
import Glibc
import TestSupport
import Testing
import Threading
import Workers

/// A terminal on which a program runs, and which a test can close like a window.
final class ClosableTerminal: Sendable {
  private let window: Locked<Int32?>
  private let inside: Int32

  init() throws {
    var (window, inside): (Int32, Int32) = (-1, -1)
    try #require(openpty(&window, &inside, nil, nil, nil) == 0)
    // The terminal would stay open if the program inherited this descriptor.
    _ = fcntl(window, F_SETFD, FD_CLOEXEC)
    self.window = Locked(window)
    self.inside = inside
  }

  deinit {
    close()
    _ = Glibc.close(inside)
  }

  /// Starts a program on this terminal.
  ///
  /// setsid(1) makes the terminal the controlling one, and ends with the program's status.
  func run(_ command: [String], in library: TestLibrary) throws -> ChildProcess {
    _ = try Programs.path(of: "gallery")
    return try ChildProcess(
      ["/usr/bin/setsid", "--ctty", "--wait"] + command,
      environment: [
        "GALLERY_CACHE": library.path, "HOME": library.path,
        "PATH": "\(Programs.folder.path):/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm",
      ],
      input: inside,
      output: inside,
      errors: inside
    ).endInTime()
  }

  /// Closes the window; the kernel sends SIGHUP to the programs on it (tty_ioctl(4), setsid(2)).
  func close() {
    window.withLock { window in
      if let open = window { _ = Glibc.close(open) }
      window = nil
    }
  }
}
