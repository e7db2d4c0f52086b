package import Glibc

/// The mode of a terminal in which a program has the whole screen and gets every key at once.
package enum TerminalMode {
  /// Switches to the other screen, hides the cursor, and asks for mouse events and for marks around pasted text
  /// (xterm, ctlseqs: modes 1049, 25, 1000, 1006, 2004).
  package static let enter =
    "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[0m\u{1B}[2J"

  /// Undoes all of it, after the synchronized update that may be under way.
  package static let leave: StaticString =
    "\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?25h\u{1B}[?1049l"

  /// The settings for it: no echo, no lines, no translation of Return, no Ctrl-S and no Ctrl-Z; Ctrl-C still is a
  /// signal, so that it works whatever the program does (termios(3)).
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
