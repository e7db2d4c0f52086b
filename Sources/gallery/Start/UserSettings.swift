import ArgumentParser
import FoundationEssentials
import Glibc
import Models
import Scenes
import Settings
import Terminal
import Workers

/// The user's settings for every command, including those of gallery-server.
struct UserSettings {
  let path: String
  let configuration: Configuration

  /// - Throws: A message for the user when the file cannot be read.
  init() throws {
    let environment = ProcessInfo.processInfo.environment
    path = try Self.path(in: environment)
    var catalog = CommandCatalog(table: GalleryCommand.optionTable)
    let server = try ServerProgram.output(of: "--experimental-dump-help")
    catalog.add(try CommandCatalog(server, isOfServer: true))
    configuration = Configuration(
      catalog,
      file: try ConfigurationFile.ofUser(in: environment),
      environment: environment
    )
  }

  /// Reads the settings.
  ///
  /// - Throws: `ValidationError` with the mistake because of which the file cannot be read.
  static func read() throws -> UserSettings {
    do {
      return try UserSettings()
    } catch let mistake as ConfigurationMistake {
      throw ValidationError(mistake.text(path: try path(in: ProcessInfo.processInfo.environment)))
    }
  }

  static func path(in environment: [String: String]) throws -> String {
    guard let path = ConfigurationFile.path(in: environment) else {
      throw ValidationError("the file of settings has no place: $HOME is not set")
    }
    return path
  }

  // MARK: Show

  /// A value with its origin.
  struct Value: Equatable {
    var command: String?
    var option: String
    /// The value as in TOML; nil when it is not set and does not have a default.
    var value: String?
    var source: String
    var line: Int?
    var variable: String?

    var text: String {
      let name = (command.map { $0.replacing(" ", with: ".") + "." } ?? "") + option
      return value.map { "\(name) = \($0)" } ?? "# \(name)"
    }

    var origin: String {
      variable.map { "$\($0)" } ?? line.map { "line \($0)" }
        ?? (value == nil ? "not set" : source)
    }

    var record: Record {
      [
        "command": .text(command), "option": .text(option), "value": .text(value),
        "source": .text(source), "line": .number(line), "variable": .text(variable),
      ]
    }
  }

  /// The values that are set, or the values of all options of one command.
  func values(of path: [String]?) throws -> [Value] {
    let lines = configuration.file?.lines ?? [:]
    var values: [Value] = []
    for command in configuration.catalog.commands where path == nil || path == command.path {
      let settings = try configuration.settings(of: command)
      for option in command.options {
        let setting = settings.first { $0.option == option }
        if let setting {
          let value = Value(setting, command, isOfCommand: path != nil, lines)
          if !values.contains(value) { values.append(value) }
        } else if path != nil {
          values.append(Value(option, command))
        }
      }
    }
    return path == nil ? values + feedValues(lines) : values
  }

  /// The settings of feeds in the file.
  private func feedValues(_ lines: [[String]: Int]) -> [Value] {
    (configuration.file?.feedValues ?? []).map { key, text, isText in
      Value(
        command: nil,
        option: key.enumerated().map { $0.offset == 1 ? Value.quoted($0.element) : $0.element }
          .joined(separator: "."),
        value: isText ? Value.quoted(text) : text,
        source: "file",
        line: lines[key]
      )
    }
  }

  // MARK: Check

  /// Prints the mistakes; the command fails if there are any.
  static func check(_ common: CommonOptions) async throws {
    let run = CommandRun(common)
    let path = try path(in: ProcessInfo.processInfo.environment)
    let mistakes = try mistakes()
    if common.json {
      RecordDisplay(console: run.console)
        .displayRecords(
          viewModel: .init(
            mistakes.map { ["line": .number($0.line), "message": .text($0.message)] }
          )
        )
    } else if mistakes.isEmpty {
      let isThere = FileManager.default.fileExists(atPath: path)
      let text =
        isThere
        ? "'\(path)' has no mistakes" : "there is no file '\(path)': options have their defaults"
      if !common.quiet { run.console.print(text) }
    } else {
      for mistake in mistakes {
        let place = mistake.line.map { "\(path):\($0): " } ?? ""
        run.console.print(place + mistake.message)
      }
    }
    try await run.end(mistakes.isEmpty ? .done : .failed)
  }

  private static func mistakes() throws -> [ConfigurationMistake] {
    do {
      let configuration = try UserSettings().configuration
      let server = try ServerProgram.output(of: ConfigurationMistake.request)
      let all =
        configuration.mistakes + configuration.unknownVariables
        + configuration.valueMistakes(of: GalleryCommand.self)
        + feedMistakes(configuration)
        + (try JSONDecoder().decode([ConfigurationMistake].self, from: server))
      let unique = all.enumerated().filter { !all[..<$0.offset].contains($0.element) }
      return unique.map(\.element).sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    } catch let mistake as ConfigurationMistake {
      return [mistake]
    }
  }

  /// The mistakes in the settings of feeds, and in the files that they name.
  private static func feedMistakes(_ configuration: Configuration) -> [ConfigurationMistake] {
    guard configuration.mistakes.isEmpty, let file = configuration.file else { return [] }
    let home = ProcessInfo.processInfo.environment["HOME"]
    return file.feedNames.compactMap { name in
      do {
        var settings = FeedSettings()
        try settings.add(file.feed(name, home: home))
        for feed in settings.authorities { _ = try feed.certificates.get() }
        return nil
      } catch let problem as FeedAuthorities.Problem {
        return ConfigurationMistake(line: file.lines[["feed", name]], message: problem.message)
      } catch {
        let message = GalleryCommand.message(for: error)
        return ConfigurationMistake(line: file.lines[["feed", name]], message: message)
      }
    }
  }

  // MARK: Edit

  /// Creates the file, with an example in comments.
  static func makeFile(_ path: String) throws {
    let url = URL(filePath: path)
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(example.utf8).write(to: url, options: .withoutOverwriting)
    } catch let error as CocoaError {
      // The description of the error is meant for programmers.
      let cause = (error.underlying as? POSIXError)?.code.rawValue
      let reason = cause.map { String(cString: strerror($0)) } ?? "the system does not say why"
      throw ValidationError("cannot make '\(error.filePath ?? path)': \(reason)")
    }
  }

  private static let example = """
    # Settings of gallery. 'gallery config check' finds mistakes, 'gallery help config' tells more.
    #
    # Names are those of options, without dashes. Here they hold for every command that has the option:

    # cache = "~/Pictures/gallery"
    # pictures = "never"

    # Each command has a section:

    # [list]
    # sort = "added"

    # [sync]
    # jobs = 8

    # [serve]
    # listen = ["127.0.0.1:8470"]

    """
}

extension UserSettings.Value {
  fileprivate init(
    _ setting: Setting,
    _ command: CommandCatalog.Command,
    isOfCommand: Bool,
    _ lines: [[String]: Int]
  ) {
    let texts = setting.texts.map { setting.option.isFlag ? $0 : Self.quoted($0) }
    option = setting.option.name
    value = setting.option.isRepeating ? "[\(texts.joined(separator: ", "))]" : texts.first
    let isCommon: Bool
    switch setting.origin {
    case .environment(let name):
      (source, variable) = ("environment", name)
      isCommon = name == Configuration.variables(of: setting.option, command).last
    case .file(let key):
      (source, line) = ("file", lines[key])
      isCommon = key.count == 1
    }
    self.command = isCommon && !isOfCommand ? nil : command.name
  }

  fileprivate init(_ option: CommandOption, _ command: CommandCatalog.Command) {
    self.command = command.name
    self.option = option.name
    value = option.isFlag ? "false" : option.standard.map(Self.quoted)
    source = "default"
  }

  /// A value of TOML 1.0, with the secrets of an address masked.
  fileprivate static func quoted(_ text: String) -> String {
    if Int(text) != nil { return text }
    return TOMLString.quoted(WebAddress.masking(text))
  }
}
