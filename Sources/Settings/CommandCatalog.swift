package import Foundation

/// An option of a command, as the parser of arguments knows it.
package struct CommandOption: Equatable, Sendable {
  /// The long name, without dashes.
  package let name: String
  let letters: Set<String>
  package let isFlag: Bool
  package let isRepeating: Bool
  let isPath: Bool
  /// Whether another flag switches it off.
  var isInverted = false
  let help: String
  package let standard: String?

  fileprivate init?(_ info: CommandDescription.Argument) {
    let names = info.names ?? []
    guard info.kind != .positional, let name = names.first(where: { $0.kind == "long" })?.name,
      !["help", "version"].contains(name)
    else { return nil }
    self.name = name
    letters = Set(names.filter { $0.kind == "short" }.map(\.name))
    isFlag = info.kind == .flag
    isRepeating = info.isRepeating
    isPath = info.completionKind?.isPath ?? false
    help = info.abstract ?? ""
    standard = info.defaultValue
  }
}

/// The commands of a program and their options, from the parser of arguments itself.
package struct CommandCatalog: Sendable {
  package struct Command: Sendable {
    /// The words of the command: `feeds`, `set`.
    package let path: [String]
    package let options: [CommandOption]
    /// Whether it takes more than options.
    let hasArguments: Bool
    /// The sub-command of a line that names none.
    let standard: String?
    /// Whether gallery-server runs it.
    let isOfServer: Bool

    package var name: String { path.joined(separator: " ") }

    func option(_ name: String) -> CommandOption? { options.first { $0.name == name } }
  }

  package private(set) var commands: [Command] = []
  /// Whether it is the catalog of gallery-server itself.
  let isOfServer: Bool
  /// Whether the options of gallery-server are known.
  private(set) var hasServer: Bool

  /// Takes the description that a program gives of itself (`--experimental-dump-help`).
  ///
  /// - Throws: when it is none.
  package init(_ description: Data, isOfServer: Bool = false) throws {
    self.isOfServer = isOfServer
    hasServer = isOfServer
    let tool = try JSONDecoder().decode(ToolDescription.self, from: description)
    add(tool.command.subcommands ?? [], to: [])
  }

  /// The options of arguments that no command has, from their own description.
  static func options(ofArguments description: Data) throws -> [CommandOption] {
    let tool = try JSONDecoder().decode(ToolDescription.self, from: description)
    return options(tool.command.arguments ?? [])
  }

  private static let feedCommand = ["feeds", "set"]

  /// The options of 'gallery feeds set' that say something of a feed: all but those of every command.
  var feedOptions: [CommandOption] {
    let own = commands.filter { !$0.isOfServer && !$0.options.isEmpty }
    return command(Self.feedCommand)?.options.filter { option in
      !own.allSatisfy { $0.option(option.name) != nil }
    } ?? []
  }

  /// Adds the options of gallery-server's commands, whose names the catalog has.
  package mutating func add(_ server: CommandCatalog) {
    commands = commands.filter { !$0.isOfServer } + server.commands
    hasServer = true
  }

  private mutating func add(_ infos: [CommandDescription], to path: [String]) {
    // Settings mean nothing to these: they must work with wrong ones.
    for info in infos where !["help", "config"].contains(info.commandName) {
      let arguments = info.arguments ?? []
      commands.append(
        Command(
          path: path + [info.commandName],
          options: Self.options(arguments),
          hasArguments: arguments.contains { $0.kind == .positional },
          standard: info.defaultSubcommand,
          isOfServer: hasServer || arguments.contains { $0.parsingStrategy == "allRemainingInput" }
        )
      )
      add(info.subcommands ?? [], to: path + [info.commandName])
    }
  }

  /// The options among arguments; a flag that only switches another one off is none of its own.
  private static func options(_ arguments: [CommandDescription.Argument]) -> [CommandOption] {
    var options = arguments.compactMap(CommandOption.init)
    let names = Set(options.map(\.name))
    for index in options.indices {
      options[index].isInverted = names.contains("no-" + options[index].name)
    }
    let inversions = Set(options.filter(\.isInverted).map { "no-" + $0.name })
    return options.filter { !inversions.contains($0.name) }
  }

  package func command(_ path: [String]) -> Command? { commands.first { $0.path == path } }

  /// The commands that may follow these words.
  func subcommands(of path: [String]) -> [String] {
    commands.filter { $0.path.dropLast() == path[...] }.compactMap(\.path.last)
  }

  // MARK: Names outside of sections

  /// The names that also hold for gallery-server, where other names have other meanings.
  private static let shared: Set = [
    "cache", "verbose", "keep", "keep-free", "objects", "exec", "notify",
  ]

  /// What is set of a feed stands in the feed's table alone.
  func isShared(_ name: String, by command: Command) -> Bool {
    if command.path == Self.feedCommand { return !feedOptions.contains { $0.name == name } }
    return !command.isOfServer || Self.shared.contains(name)
  }

  /// The names that options of gallery's own commands have.
  var ownNames: Set<String> {
    Set(commands.filter { !$0.isOfServer }.flatMap { $0.options.map(\.name) })
  }

  /// Why a name would say different things to different commands; nil when it does not.
  func ambiguity(_ name: String) -> String? {
    let all = commands.filter { command in
      !command.isOfServer && command.option(name) != nil && isShared(name, by: command)
    }
    guard Set(all.compactMap { $0.option(name)?.help }).count > 1 else { return nil }
    return "'\(name)' means different things to \(all.map(\.name).joined(separator: ", "))"
  }
}

/// What a program says of itself with `--experimental-dump-help`.
private struct ToolDescription: Decodable {
  let command: CommandDescription
}

private struct CommandDescription: Decodable {
  let commandName: String
  let defaultSubcommand: String?
  let subcommands: [CommandDescription]?
  let arguments: [Argument]?

  struct Argument: Decodable {
    enum Kind: String, Decodable { case positional, option, flag }

    struct Name: Decodable {
      let kind: String
      let name: String
    }

    struct Completion: Decodable {
      let isPath: Bool

      init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Key.self)
        isPath = keys.contains(.directory) || keys.contains(.file)
      }

      private enum Key: CodingKey { case directory, file }
    }

    let kind: Kind
    let isRepeating: Bool
    let parsingStrategy: String
    let names: [Name]?
    let defaultValue: String?
    let completionKind: Completion?
    let abstract: String?
  }
}
