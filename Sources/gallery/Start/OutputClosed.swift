import Glibc

/// What a command does when nothing reads its results any more.
enum OutputClosed: Sendable {
  /// There is other work than output: it goes on.
  case goOn
  /// Output was all: the program ends quietly.
  case end

  func happen() {
    if self == .end { Program.end(EXIT_SUCCESS) }
  }
}
