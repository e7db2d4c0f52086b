import Foundation
import Glibc

/// A program in a terminal of a separate tmux server: keys go in, and the screen comes out as text.
final class TmuxTerminal {
  private let library: TestLibrary

  /// Runs a shell command, then prints its exit status and the mode in which it left the terminal.
  init(_ line: String, in library: TestLibrary, columns: Int = 80, rows: Int = 24) throws {
    self.library = library
    let script = """
      export TERM=screen-256color
      \(line)
      echo "status $? $(stty -a | tr ' ;' '\\n\\n' | grep -x -e '-*icanon' -e '-*echo' | tr '\\n' ' ')"
      exec cat
      """
    try Data(script.utf8).write(to: URL(filePath: library.folder + "/session.sh"))
    try tmux("-f /dev/null new-session -d -x \(columns) -y \(rows) 'sh session.sh'")
  }

  deinit { _ = try? tmux("kill-server") }

  @discardableResult
  func tmux(_ words: String) throws -> String {
    // The server leaves its socket behind, in the folder of the library.
    try library.program.shell("tmux -S '\(library.folder)/tmux' \(words)").output
  }

  func press(_ keys: String...) throws {
    for key in keys { try tmux("send-keys '\(key)'") }
  }

  var screen: String { get throws { try tmux("capture-pane -p") } }

  /// Waits until the screen contains some words.
  ///
  /// - Throws: The screen after ten minutes without them.
  @discardableResult
  func wait(for words: String) throws -> String {
    let end = ContinuousClock.now + .seconds(600)
    while true {
      let screen = try screen
      if screen.contains(words) { return screen }
      guard ContinuousClock.now < end else { throw MissingWords(words: words, screen: screen) }
      usleep(50_000)
    }
  }

  struct MissingWords: Error {
    var words: String
    var screen: String
  }

  /// The process number of the program.
  func process(of name: String) throws -> Int32? {
    let shell = try tmux("display-message -p '#{pane_pid}'")
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let found = try library.program.shell("pgrep -P \(shell) -x \(name)").output
    return Int32(found.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
