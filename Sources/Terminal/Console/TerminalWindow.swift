package import Glibc
package import Workers

/// The window of a terminal.
package struct TerminalWindow: Sendable, Equatable {
  package var columns: Int
  package var rows: Int
  /// The size of the text area; nil when the terminal does not report it.
  package var pixels: PixelSize?

  /// The part of a window that is used: larger ones exist only by mistake, and a screen needs memory for each cell.
  private static let most = CellSize(columns: 1_000, rows: 300)
  private static let mostPixels = 16_384

  package init(columns: Int, rows: Int, pixels: PixelSize? = nil) {
    self.columns = columns
    self.rows = rows
    self.pixels = pixels
  }

  /// Gets the window of a descriptor; nil when it is not a terminal (isatty(3), ioctl_tty(2)).
  package init?(descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let (allColumns, allRows) = (Int(size.ws_col), Int(size.ws_row))
    columns = isKnown ? min(allColumns, Self.most.columns) : 80
    rows = isKnown && allRows > 0 ? min(allRows, Self.most.rows) : 24
    guard isKnown, allRows > 0 else { return }
    let width = Int(size.ws_xpixel) * columns / allColumns
    let height = Int(size.ws_ypixel) * rows / allRows
    guard width > 0, height > 0, max(width, height) <= Self.mostPixels else { return }
    pixels = PixelSize(width: width, height: height)
  }

  var size: CellSize { CellSize(columns: columns, rows: rows) }
}

/// A size in character cells; both sides are at least 1.
package struct CellSize: Sendable, Equatable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

extension PixelSize {
  /// The range of plausible sides of a cell.
  private static let plausible = 2...512

  /// The size of one cell, if all of the cells together have this size; nil when it is not plausible.
  func divided(among cells: CellSize) -> PixelSize? {
    let cell = PixelSize(width: width / cells.columns, height: height / cells.rows)
    return cell.isCell ? cell : nil
  }

  /// Whether it is a plausible size of a character cell.
  var isCell: Bool { Self.plausible.contains(width) && Self.plausible.contains(height) }
}

/// The mode of a terminal in which a program has the whole screen and receives every key at once.
package enum TerminalMode {
  /// Switches to the alternate screen, hides the cursor, and enables mouse events and bracketed paste (xterm, ctlseqs:
  /// modes 1049, 25, 1000, 1006, 2004).
  package static let enter =
    "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[0m\u{1B}[2J"

  /// Ends a synchronized update if one has begun, and then undoes `enter`.
  package static let leave: StaticString =
    "\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?25h\u{1B}[?1049l"

  /// Changes a terminal's settings for this mode (termios(3)).
  ///
  /// They disable echo, line editing, the translation of Return, Ctrl-S and Ctrl-Z. Ctrl-C still sends a signal, so it
  /// works even while the program is busy.
  package static func raw(_ settings: termios) -> termios {
    var raw = settings
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
    withUnsafeMutableBytes(of: &raw.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
      // _POSIX_VDISABLE of Linux.
      characters[Int(VSUSP)] = 0
    }
    return raw
  }
}
