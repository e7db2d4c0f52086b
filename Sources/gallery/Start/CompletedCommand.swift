import ArgumentParser
import Composition
import Settings

/// The whole program for shell completion.
///
/// It has the options before a command as its own options, and the options of the commands that gallery-server runs. The
/// parser itself never sees them there (`TypedWords`).
struct CompletedCommand: AsyncParsableCommand {
  static let configuration = {
    var configuration = GalleryCommand.configuration
    configuration.groupedSubcommands = []
    configuration.subcommands =
      GalleryCommand.commands.filter { $0 != ServeCommand.self && $0 != TokenCommand.self }
      + [CompletedServe.self, CompletedToken.self]
    return configuration
  }()

  /// The first word with which a completion script asks for completions.
  static let request = "---completion"

  @OptionGroup var common: CommonOptions

  /// The completion script for a shell; nil when the words do not request one.
  static func script(_ words: [String]) -> String? {
    guard words.count == 2, words[0] == "--generate-completion-script",
      let shell = CompletionShell(rawValue: words[1])
    else { return nil }
    return mended(completionScript(for: shell), shell)
  }

  /// The script with the commands behind `help`, and for fish with descriptions of options alone.
  ///
  /// The parser's script for fish describes each value of an option by the text of the option.
  private static func mended(_ script: String, _ shell: CompletionShell) -> String {
    let names = GalleryCommand.commands.compactMap { $0.configuration.commandName }
      .joined(separator: " ")
    switch shell {
    case .bash:
      return script.replacing(
        "_gallery_help() {\n",
        with: "_gallery_help() {\n    COMPREPLY+=($(compgen -W '\(names)' -- \"${cur}\"))\n"
      )
    case .zsh:
      return script.replacing("'*:subcommands:'", with: "'*:subcommands:(\(names))'")
    default:
      let lines = script.split(separator: "\n", omittingEmptySubsequences: false)
        .map(describedOnce)
      let help = """
        complete -c 'gallery' -n '__gallery_should_offer_completions_for_positional "gallery help" -ge 1' -fa '\(names)'
        """
      return (lines + [help]).joined(separator: "\n")
    }
  }

  /// The line of fish for an option with values, as one line for the option and one for its values.
  private static func describedOnce(_ line: Substring) -> String {
    guard let values = line.firstRange(of: " -rfka '"), line[values.upperBound...] != "'",
      let text = line.firstRange(of: " -d '"), text.lowerBound < values.lowerBound
    else { return String(line) }
    let option = line[..<text.lowerBound]
    let description = line[text.lowerBound..<values.lowerBound]
    return "\(option)\(description) -rf\n\(option)\(line[values.lowerBound...])"
  }
}

/// 'gallery serve' for completion.
struct CompletedServe: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: ServeCommand.configuration.abstract
  )

  @OptionGroup var options: ServeOptions
  @OptionGroup var common: ServerOptions
}

/// 'gallery token' for completion.
struct CompletedToken: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: TokenCommand.configuration.abstract,
    subcommands: [List.self, Add.self, Remove.self],
    defaultSubcommand: List.self
  )

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the tokens with names."
    )

    @OptionGroup var common: ServerOptions
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Make a token, and print it."
    )

    @Argument(help: "A name to remove it by.") var name: String
    @Flag(help: "It may change the library, too.") var admin = false
    @Option(help: "Only images of this feed.", completion: LibraryCompletion.feeds)
    var feed: String?
    @Option(help: "Only images with these words.", completion: LibraryCompletion.words)
    var search: String?
    @Option(help: "How long it is valid: 12h, 30d, 8w.") var expires: String?
    @OptionGroup var common: ServerOptions
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove tokens."
    )

    @Argument(help: "The names of the tokens.", completion: LibraryCompletion.tokens)
    var names: [String]
    @OptionGroup var common: ServerOptions
  }
}
