package import FoundationEssentials

/// An option of a command, as described by the argument parser.
package struct CommandOption: Equatable, Sendable {
  /// The long name, without dashes.
  package let name: String
  let letters: Set<String>
  package let isFlag: Bool
  package let isRepeating: Bool
  let isPath: Bool
  /// Whether another flag, such as `--no-…`, switches it off.
  var isInverted = false
  let help: String
  package let standard: String?

  /// Reads a line of `CommandCatalog.table`; nil for a line of another form.
  fileprivate init?(line: Substring) {
    guard line.utf8.first == UInt8(ascii: "\t") else { return nil }
    let fields = CommandCatalog.fields(of: line, 6)
    name = fields[1]
    letters = Set(fields[2].map { String($0) })
    let kind = fields[3].utf8
    isFlag = kind.contains(UInt8(ascii: "f"))
    isRepeating = kind.contains(UInt8(ascii: "r"))
    isPath = kind.contains(UInt8(ascii: "p"))
    isInverted = kind.contains(UInt8(ascii: "i"))
    standard = fields[4].isEmpty ? nil : fields[4]
    help = fields[5]
  }

  /// The line of `CommandCatalog.table`.
  fileprivate var line: String {
    let marks = [(isFlag, "f"), (isRepeating, "r"), (isPath, "p"), (isInverted, "i")]
    let kind = marks.filter(\.0).map(\.1).joined()
    return CommandCatalog.line(["", name, letters.sorted().joined(), kind, standard ?? "", help])
  }

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

extension CommandCatalog.Command {
  /// Reads a line of `CommandCatalog.table`.
  fileprivate init(line: Substring, _ options: [CommandOption]) {
    let fields = CommandCatalog.fields(of: line, 3)
    self.init(
      path: fields[0].split(separator: " ").map(String.init),
      options: options,
      hasArguments: fields[1].contains("a"),
      standard: fields[2].isEmpty ? nil : fields[2],
      isOfServer: fields[1].contains("s")
    )
  }
}

/// The commands of a program and their options, as described by the argument parser.
package struct CommandCatalog: Sendable {
  package struct Command: Sendable {
    /// The words of the command: `feeds`, `set`.
    package let path: [String]
    package let options: [CommandOption]
    /// Whether it takes positional arguments.
    let hasArguments: Bool
    /// The default sub-command.
    let standard: String?
    /// Whether gallery-server runs it.
    let isOfServer: Bool

    package var name: String { path.joined(separator: " ") }

    func option(_ name: String) -> CommandOption? { options.first { $0.name == name } }

    /// The line of `CommandCatalog.table`.
    fileprivate var line: String {
      let kind = (hasArguments ? "a" : "") + (isOfServer ? "s" : "")
      return CommandCatalog.line([name, kind, standard ?? ""])
    }
  }

  package private(set) var commands: [Command] = []
  /// Whether it is the catalog of gallery-server itself.
  let isOfServer: Bool
  /// Whether the options of gallery-server's commands are known.
  private(set) var hasServer: Bool

  /// Reads a program's own description (`--experimental-dump-help`).
  ///
  /// - Throws: when the data is not such a description.
  package init(_ description: Data, isOfServer: Bool = false) throws {
    self.isOfServer = isOfServer
    hasServer = isOfServer
    let tool = try JSONDecoder().decode(ToolDescription.self, from: description)
    add(tool.command.subcommands ?? [], to: [])
  }

  /// Reads the table of gallery's commands; lines of another form are left out.
  ///
  /// Programs that start read it, because it takes the argument parser several times as long as a command to describe
  /// all options.
  package init(table: String) {
    isOfServer = false
    hasServer = false
    var (start, options): (Substring?, [CommandOption]) = (nil, [])
    for line in table.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
      if let option = CommandOption(line: line) {
        options.append(option)
      } else {
        if let start { commands.append(Command(line: start, options)) }
        (start, options) = (line, [])
      }
    }
    if let start { commands.append(Command(line: start, options)) }
  }

  /// The catalog as text: a line for each command, followed by a line for each of its options, which begins with a tab.
  package var table: String {
    commands.flatMap { [$0.line] + $0.options.map(\.line) }.map { $0 + "\n" }.joined()
  }

  /// The fields of a line of the table; those that the line does not have are empty.
  fileprivate static func fields(of line: Substring, _ count: Int) -> [String] {
    let fields = line.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    return (0..<max(count, fields.count)).map { index in
      index < fields.count ? String(Substring(fields[index])) : ""
    }
  }

  /// A line of the table, without the tabs of empty fields at its end.
  fileprivate static func line(_ fields: [String]) -> String {
    let end = fields.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
    return fields[..<end].joined(separator: "\t")
  }

  /// Reads the options of a group of arguments that does not belong to a command.
  static func options(ofArguments description: Data) throws -> [CommandOption] {
    let tool = try JSONDecoder().decode(ToolDescription.self, from: description)
    return options(tool.command.arguments ?? [])
  }

  private static let feedCommand = ["feeds", "set"]

  /// The options of 'gallery feeds set' that set something of a feed: those that not every command has.
  var feedOptions: [CommandOption] {
    let own = commands.filter { !$0.isOfServer && !$0.options.isEmpty }
    return command(Self.feedCommand)?.options.filter { option in
      !own.allSatisfy { $0.option(option.name) != nil }
    } ?? []
  }

  /// Adds the options of gallery-server's commands, whose names are already in the catalog.
  package mutating func add(_ server: CommandCatalog) {
    commands = commands.filter { !$0.isOfServer } + server.commands
    hasServer = true
  }

  private mutating func add(_ infos: [CommandDescription], to path: [String]) {
    // These commands ignore settings, because they must work even if the settings are wrong.
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

  /// The options among arguments; a flag that only switches another one off is not included.
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

  /// The commands that may follow the given words.
  func subcommands(of path: [String]) -> [String] {
    commands.filter { $0.path.dropLast() == path[...] }.compactMap(\.path.last)
  }

  // MARK: Names outside of sections

  /// The names that also apply to gallery-server; there, other names have different meanings.
  private static let shared: Set = [
    "cache", "json", "quiet", "verbose", "keep", "keep-free", "objects", "exec", "notify",
    "extra-ca",
  ]

  /// Whether a name outside of sections applies to a command; settings of a feed are only in the feed's table.
  func isShared(_ name: String, by command: Command) -> Bool {
    if command.path == Self.feedCommand { return !feedOptions.contains { $0.name == name } }
    return !command.isOfServer || Self.shared.contains(name)
  }

  /// The option names of gallery's own commands.
  var ownNames: Set<String> {
    Set(commands.filter { !$0.isOfServer }.flatMap { $0.options.map(\.name) })
  }

  /// A message if a name has different meanings in different commands; nil if it does not.
  func ambiguity(_ name: String) -> String? {
    let all = commands.filter { command in
      !command.isOfServer && command.option(name) != nil && isShared(name, by: command)
    }
    guard Set(all.compactMap { $0.option(name)?.help }).count > 1 else { return nil }
    return "'\(name)' means different things to \(all.map(\.name).joined(separator: ", "))"
  }
}

/// A program's own description, as printed by `--experimental-dump-help`.
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
