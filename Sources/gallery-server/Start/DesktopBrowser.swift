import Glibc
import Threading

/// The browser of the desktop.
enum DesktopBrowser {
  /// Starts xdg-open(1), and does not wait for it.
  static func open(_ address: String) {
    do {
      try ChildProcess(["/usr/bin/env", "xdg-open", address], isApart: true).letGo()
    } catch {
      StandardError.write("cannot open a browser: \(error)\n")
    }
  }
}

/// Standard error, for messages that no request waits for.
enum StandardError {
  static func write(_ text: String) {
    _ = Glibc.write(STDERR_FILENO, text, text.utf8.count)
  }
}
