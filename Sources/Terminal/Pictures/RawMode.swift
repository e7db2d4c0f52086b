import Glibc

/// A terminal that gives each byte at once and shows none of them, for as long as `body` runs.
///
/// Signals from the keyboard stay as they are, so that Ctrl-C works meanwhile.
enum RawMode {
  /// Runs `body`; nil, without running it, when the terminal does not let itself be set
  /// (termios(3)).
  static func run<Result>(_ descriptor: Int32, _ body: () -> Result?) -> Result? {
    var saved = termios()
    guard tcgetattr(descriptor, &saved) == 0 else { return nil }
    var raw = saved
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &raw.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    guard tcsetattr(descriptor, TCSANOW, &raw) == 0 else { return nil }
    defer { tcsetattr(descriptor, TCSANOW, &saved) }
    return body()
  }
}
