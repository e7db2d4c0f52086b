import Glibc

/// The terminal that started the program, which can be asked even when standard input is a file.
enum ControllingTerminal {
  /// Runs `body` with `/dev/tty` (tty(4)); nil when that is not what `output` goes to, or when the
  /// program is in the background, where touching the terminal would stop it.
  static func run<Result>(output: Int32, _ body: (Int32) -> Result?) -> Result? {
    // Fails for any terminal but the controlling one (tcgetpgrp(3)).
    guard tcgetpgrp(output) == getpgrp() else { return nil }
    let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return body(descriptor)
  }
}
