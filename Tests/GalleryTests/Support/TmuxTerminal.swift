import Foundation

/// A program in a terminal of tmux, with a server of its own: keys go in, and its screen comes out as text.
final class TmuxTerminal {
  private let library: TestLibrary
  private let socket = "gallery-\(UUID())"

  /// Runs a line of shell, and then tells its exit status and the terminal's mode, as after the program.
  init(_ line: String, in library: TestLibrary, columns: Int = 80, rows: Int = 24) throws {
    self.library = library
    let script = """
      export TERM=screen-256color
      \(line)
      echo "status $? $(stty -a | tr ' ;' '\\n\\n' | grep -x -e '-*icanon' -e '-*echo' | tr '\\n' ' ')"
      exec cat
      """
    try Data(script.utf8).write(to: URL(filePath: library.folder + "/session.sh"))
    try tmux(
      "-f /dev/null new-session -d -x \(columns) -y \(rows) 'sh \(library.folder)/session.sh'"
    )
  }

  deinit { _ = try? tmux("kill-server") }

  @discardableResult
  func tmux(_ words: String) throws -> String {
    try library.program.shell("tmux -L \(socket) \(words)").output
  }

  func press(_ keys: String...) throws {
    for key in keys { try tmux("send-keys '\(key)'") }
  }

  var screen: String { get throws { try tmux("capture-pane -p") } }

  /// Looks until the screen has some words; the suite's time limit ends a wait in vain.
  @discardableResult
  func wait(for words: String) throws -> String {
    while true {
      let screen = try screen
      if screen.contains(words) { return screen }
    }
  }

  /// The number of the program's process.
  func process(of name: String) throws -> Int32? {
    let shell = try tmux("display-message -p '#{pane_pid}'")
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let found = try library.program.shell("pgrep -P \(shell) -x \(name)").output
    return Int32(found.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
