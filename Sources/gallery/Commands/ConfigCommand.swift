import ArgumentParser
import FoundationEssentials
import Glibc
import Scenes
import Settings
import Terminal

struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show, check and edit your settings.",
    discussion: """
      Every option of every command can be set permanently, in a file or in the environment:

        jobs = 8                for every command that has --jobs
        [list]                  for 'gallery list' alone
        sort = "added"
        pictures = "never"

      The file is $GALLERY_CONFIG, else $XDG_CONFIG_HOME/gallery/config.toml (~/.config). In the \
      environment, $GALLERY_LIST_SORT is for one command and $GALLERY_JOBS for all. The command line \
      overrides the environment, which overrides the file; an option such as --no-quiet cancels a flag.

        gallery config edit
        gallery config check
        gallery config show
      """,
    subcommands: [ConfigShowCommand.self, ConfigCheckCommand.self, ConfigEditCommand.self],
    defaultSubcommand: ConfigShowCommand.self
  )
}

struct ConfigShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print each setting and its source.",
    usage: "gallery config show [<options>] [<command> ...]",
    discussion: """
      Prints TOML. With a command, prints all of its options, and what holds for those that are not set.

        gallery config show
        gallery config show feeds set
      """
  )

  @Argument(
    help: ArgumentHelp("A command.", valueName: "command"),
    completion: .list(GalleryCommand.commands.compactMap { $0.configuration.commandName })
  )
  var command: [String] = []

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let run = CommandRun(common)
    let settings = try UserSettings.read()
    if !command.isEmpty, settings.configuration.catalog.command(command) == nil {
      throw ValidationError("'\(command.joined(separator: " "))' is not a command")
    }
    let values = try settings.values(of: command.isEmpty ? nil : command)
    if common.json {
      let display = RecordDisplay(console: run.console)
      display.displayRecords(viewModel: .init(values.map(\.record)))
    } else {
      if settings.configuration.file != nil { run.console.print("# \(settings.path)") }
      for value in values { run.console.print("\(value.text)  # \(value.origin)") }
    }
    try await run.end(.done)
  }
}

struct ConfigCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "List the mistakes in your settings, with their lines.",
    usage: "gallery config check [<options>]"
  )

  @OptionGroup var common: CommonOptions

  func run() async throws { try await UserSettings.check(common) }
}

struct ConfigEditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Open the file of settings with $VISUAL or $EDITOR, and check it afterwards.",
    usage: "gallery config edit [<options>]",
    discussion: "A file that is missing is made, with an example in comments."
  )

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let path = try UserSettings.path(in: environment)
    if access(path, F_OK) != 0 { try UserSettings.makeFile(path) }
    let editors = ["VISUAL", "EDITOR"].compactMap { environment[$0] }
    let editor = editors.first { !$0.isEmpty } ?? "vi"
    guard system("\(editor) \(ShellWord.quoted(path))") == 0 else {
      throw ValidationError("cannot edit '\(path)': '\(editor)' failed")
    }
    try await UserSettings.check(common)
  }
}
