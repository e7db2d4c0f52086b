import Glibc

/// The window behind a standard stream.
package struct TerminalWindow: Sendable, Equatable {
  package var columns: Int
  package var rows: Int
  /// All of the text area; nil when the terminal does not tell.
  package var pixels: PixelSize?

  package init(columns: Int, rows: Int, pixels: PixelSize? = nil) {
    self.columns = columns
    self.rows = rows
    self.pixels = pixels
  }

  /// Asks the terminal; nil when the descriptor is none (isatty(3), ioctl_tty(2)).
  package init?(descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    columns = isKnown ? Int(size.ws_col) : 80
    rows = isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24
    if isKnown, size.ws_row > 0, size.ws_xpixel > 0, size.ws_ypixel > 0 {
      pixels = PixelSize(width: Int(size.ws_xpixel), height: Int(size.ws_ypixel))
    }
  }

  var size: CellSize { CellSize(columns: columns, rows: rows) }
}
