import Foundation
import Glibc

/// The browser of the desktop.
enum DesktopBrowser {
  /// Starts xdg-open(1), and does not wait for it.
  static func open(_ address: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["xdg-open", address]
    do {
      try process.run()
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
