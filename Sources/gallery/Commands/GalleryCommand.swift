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
  static let groups = [
    CommandGroup(
      name: "Follow",
      subcommands: [SyncCommand.self, FeedsCommand.self, RemoveCommand.self]
    ),
    CommandGroup(
      name: "Look",
      subcommands: [
        ListCommand.self, ShowCommand.self, BrowseCommand.self, FrameCommand.self,
        WhyCommand.self,
      ]
    ),
    CommandGroup(
      name: "Keep",
      subcommands: [
        PinCommand.self, UnpinCommand.self, TakeNewerCommand.self, ExportCommand.self,
        BackupCommand.self, RestoreCommand.self, MoveCommand.self, CleanCommand.self,
      ]
    ),
    CommandGroup(
      name: "Serve",
      subcommands: [ServeCommand.self, TokenCommand.self]
    ),
    CommandGroup(
      name: "Check",
      subcommands: [
        StatusCommand.self, NodesCommand.self, VerifyCommand.self, RecoverCommand.self,
        ConfigCommand.self,
      ]
    ),
  ]
  static let commands = groups.flatMap(\.subcommands)

  static let configuration = CommandConfiguration(
    commandName: "gallery",
    abstract: "Keeps image feeds on your own disk: syncs them, lists them, shows their pictures.",
    usage: "gallery <command> [<options>]",
    discussion: """
      Follow a feed and see what it has:

        gallery sync https://www.nasa.gov/feeds/iotd-feed/
        gallery list
        gallery show 1

      Listing and showing what is stored never waits for the network.

      The options that all commands have (--cache, --json, --quiet, --verbose, --color) may stand before \
      the command, too.

      Exit status: 0 done; 1 failed; 2 partly done; 3 no such image or feed; 4 the original \
      is not available now; 64 usage; 130, 143, 129 after an interruption, with what was done kept.

      The library is in the folder that --cache names, else $GALLERY_CACHE, else the Cache of the \
      checkout when the program runs from its .build, else $XDG_DATA_HOME/gallery \
      (~/.local/share/gallery).
      """,
    version: Version.ofBuild(String(cString: cversion_commit())),
    groupedSubcommands: groups
  )

  /// Runs the command that the arguments ask for.
  static func main() async {
    Heap.keepFreedMemory()
    let arguments = Array(ProcessTitle.mask().dropFirst())
    let typed = ConfiguredLine.typedLibrary(in: arguments)
    await SuggestedCommand.$library.withValue(LibraryLocation.suggested(typed)) {
      let question = SuggestedCommand.BackupQuestion {
        LibraryLocation(option: typed).isBackupInFolder
      }
      await SuggestedCommand.$backupQuestion.withValue(question) { await answer(arguments) }
    }
  }

  /// Runs the command that the arguments ask for, or says why it cannot.
  private static func answer(_ arguments: [String]) async {
    var line: ConfiguredLine?
    let typed = TypedWords(
      commands: commands.compactMap { $0.configuration.commandName },
      subcommands: [
        "feeds": ["set"], "config": ["show", "check", "edit"], "token": TokenCommand.names,
      ]
    )
    var words: [String] = []
    var isNoCommand = false
    do {
      words = typed.arranged(arguments)
      if let script = CompletedCommand.script(words) {
        print(script)
      } else if words.first == CompletedCommand.request {
        _ = try await CompletedCommand.asyncParseAsRoot(words)
      } else if words.first == "help", words.count > 1, ["serve", "token"].contains(words[1]) {
        try ServerProgram.replaceThis(with: words.dropFirst() + ["--help"])
      } else if let problem = typed.problem(of: words) {
        isNoCommand = true
        throw ValidationError(problem)
      } else {
        let configured = try ConfiguredLine(words, of: CommandCatalog(table: optionTable))
        line = configured
        try await run(configured.words)
      }
    } catch {
      let code = exitCode(for: error)
      guard code != .success else { exit(withError: error) }
      let message = message(for: error)
      let notes = [typed.hint(on: message, words), line?.note(on: message)]
      let text = isNoCommand ? fullMessage(for: error) : Self.text(for: error, words)
      write(([text] + notes).compactMap(\.self).joined(separator: "\n"), words)
      Glibc.exit(code.rawValue)
    }
  }

  /// The text of an error; an option that the command does not have is named first.
  private static func text(for error: any Error, _ words: [String]) -> String {
    let text = errorText(for: error)
    guard exitCode(for: error) == .validationFailure,
      let unknown = UnknownOption(in: words, of: CommandCatalog(table: optionTable))
    else { return text }
    return unknown.explained(text, advice: Synonym.advice(on: unknown))
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
  ///
  /// On a terminal, the problem is red, and the usage below it is not.
  private static func write(_ message: String, _ words: [String]) {
    guard !message.isEmpty else { return }
    let options = (try? CommonOptions.parse(words.filter { $0.hasPrefix("--color=") })) ?? .init()
    let isRed = isatty(STDERR_FILENO) == 1 && TerminalEnvironment(options.environment).hasStyles
    var style = isRed ? TextStyle.problem : .plain
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { line in
      if line.hasPrefix("Usage:") || line.hasPrefix("Help:") { style = .plain }
      return style.text(HarmlessText.line(String(line))) + "\n"
    }.joined()
    DescriptorSink(STDERR_FILENO) {}.write(Array(text.utf8))
  }
}
