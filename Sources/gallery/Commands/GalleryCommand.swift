import ArgumentParser
import CVersion
import Composition
import Glibc
import Scenes
import Settings
import Terminal
import Threading

@main
struct GalleryCommand: AsyncParsableCommand {
  // Of the type that `subcommands` takes, because a cast of the array takes a quarter of the start.
  static let commands: [any ParsableCommand.Type] = [
    SyncCommand.self, ListCommand.self, ShowCommand.self, BrowseCommand.self, FrameCommand.self,
    WhyCommand.self, PinCommand.self, UnpinCommand.self, FeedsCommand.self, RemoveCommand.self,
    StatusCommand.self, NodesCommand.self, VerifyCommand.self, CleanCommand.self, MoveCommand.self,
    ExportCommand.self, ConfigCommand.self, ServeCommand.self, TokenCommand.self,
  ]

  static let configuration = CommandConfiguration(
    commandName: "gallery",
    abstract: "Keeps image feeds on your own disk: syncs them, lists them, shows their pictures.",
    discussion: """
      Follow a feed and see what it has:

        gallery sync https://www.nasa.gov/feeds/iotd-feed/
        gallery list
        gallery show 1

      Listing and showing what is stored never waits for the network.

      The options that all commands have (--cache, --json, --quiet, --verbose) may stand before the \
      command, too.

      Exit status: 0 done; 1 failed; 2 partly done; 3 no such image or feed; 4 the original \
      is not available now; 64 usage; 130, 143, 129 after an interruption, with what was done kept.

      The library is in the folder that --cache names, else $GALLERY_CACHE, else the Cache of the \
      checkout when the program runs from its .build, else $XDG_DATA_HOME/gallery \
      (~/.local/share/gallery).
      """,
    version: Version.ofBuild(String(cString: cversion_commit())),
    subcommands: commands
  )

  /// Runs the command that the arguments ask for.
  static func main() async {
    var line: ConfiguredLine?
    do {
      let typed = TypedWords(commands: commands.compactMap { $0.configuration.commandName })
      let words = typed.arranged(Array(ProcessTitle.mask().dropFirst()))
      if let script = CompletedCommand.script(words) {
        print(script)
      } else if let problem = typed.problem(of: words) {
        throw ValidationError(problem)
      } else {
        let configured = try ConfiguredLine(words, of: Self.self)
        line = configured
        try await run(configured.words)
      }
    } catch {
      let code = exitCode(for: error)
      guard code != .success else { exit(withError: error) }
      let note = line?.note(on: message(for: error))
      write([fullMessage(for: error), note].compactMap(\.self).joined(separator: "\n"))
      Glibc.exit(code.rawValue)
    }
  }

  private static func run(_ words: [String]) async throws {
    var command = try await asyncParseAsRoot(words)
    if var command = command as? any AsyncParsableCommand {
      try await command.run()
    } else {
      try command.run()
    }
  }

  /// Writes a message that is harmless for a terminal; a script may have passed an argument from a feed.
  private static func write(_ message: String) {
    guard !message.isEmpty else { return }
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { HarmlessText.line(String($0)) + "\n" }.joined()
    DescriptorSink(STDERR_FILENO) {}.write(Array(text.utf8))
  }
}

/// The whole program for shell completion, with the options before a command as its own options.
///
/// The parser itself never sees them there (`TypedWords`).
struct CompletedCommand: ParsableCommand {
  static let configuration = GalleryCommand.configuration

  @OptionGroup var common: CommonOptions

  /// The completion script for a shell; nil when the words do not request one.
  static func script(_ words: [String]) -> String? {
    guard words.count == 2, words[0] == "--generate-completion-script" else { return nil }
    return CompletionShell(rawValue: words[1]).map(completionScript)
  }
}
