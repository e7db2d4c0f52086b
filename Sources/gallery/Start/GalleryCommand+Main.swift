import ArgumentParser
import Glibc
import Terminal

extension GalleryCommand {
  /// Runs what the arguments ask for.
  ///
  /// A wrong argument is told by what it says, and that can be a stranger's words: a script may have
  /// taken it from a feed.
  static func main() async {
    do {
      let typed = TypedWords(commands: commands.map { $0._commandName })
      let words = typed.arranged(Array(CommandLine.arguments.dropFirst()))
      if var command = named(words) {
        try await command.run()
      } else if let script = CompletedCommand.script(words) {
        print(script)
      } else if let problem = typed.problem(of: words) {
        throw ValidationError(problem)
      } else {
        try await runAny(words)
      }
      // To return would be to wait for the main queue, for which two more threads would be started.
      Program.end(EXIT_SUCCESS)
    } catch {
      let code = exitCode(for: error)
      guard code != .success else { exit(withError: error) }
      write(fullMessage(for: error))
      Program.end(code.rawValue)
    }
  }

  /// The command that the first argument names, when its own arguments are right; nil when they ask for
  /// help, or are wrong, which is for the whole program to say.
  ///
  /// With a whole program the parser looks for requests first that nearly nobody makes, for a shell's
  /// completions for one; that takes as long as reading an image from the library.
  private static func named(_ arguments: [String]) -> (any AsyncParsableCommand)? {
    let command = commands.first { $0._commandName == arguments.first }
    return command.flatMap { parsed($0, Array(arguments.dropFirst())) }
  }

  private static func parsed<Command: AsyncParsableCommand>(
    _ command: Command.Type,
    _ arguments: [String]
  ) -> (any AsyncParsableCommand)? {
    try? command.parse(arguments)
  }

  private static func runAny(_ words: [String]) async throws {
    var command = try await asyncParseAsRoot(words)
    if var command = command as? any AsyncParsableCommand {
      try await command.run()
    } else {
      try command.run()
    }
  }

  private static func write(_ message: String) {
    guard !message.isEmpty else { return }
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { HarmlessText.line(String($0)) + "\n" }.joined()
    DescriptorSink(STDERR_FILENO) {}.write(Array(text.utf8))
  }
}
