import Glibc

/// The window behind a standard stream.
package struct TerminalWindow: Sendable, Equatable {
  package var columns: Int
  package var rows: Int

  /// Asks the terminal; nil when the descriptor is none (isatty(3), ioctl_tty(2)).
  package init?(descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    columns = isKnown ? Int(size.ws_col) : 80
    rows = isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24
  }
}
