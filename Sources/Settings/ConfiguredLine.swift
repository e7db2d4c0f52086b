import ArgumentParser
import FoundationEssentials

/// A command line with the user's settings inserted as if they had been typed.
///
/// They follow the command, and typed options override them.
package struct ConfiguredLine: Sendable {
  package private(set) var words: [String]
  /// The settings that were inserted.
  private(set) var settings: [Setting] = []
  private var file: ConfigurationFile?

  /// Inserts the settings; the catalog of the program's options is made only if a setting may apply.
  ///
  /// - Throws: `ValidationError` when a setting is wrong.
  package init(
    _ words: [String],
    of catalog: @autoclosure () throws -> CommandCatalog,
    environment: [String: String]? = nil
  ) throws {
    let environment = environment ?? ProcessInfo.processInfo.environment
    self.words = words
    guard Self.mayHaveSettings(words) else { return }
    let path = ConfigurationFile.path(in: environment) ?? ""
    do {
      file = try ConfigurationFile.ofUser(in: environment)
      let isPlain =
        (file?.values.isEmpty ?? true) && !words.contains { $0.hasPrefix("--no-") }
        && !environment.keys.contains {
          $0.hasPrefix("GALLERY_") && !Self.ownVariables.contains($0)
        }
      if isPlain { return }
      let configuration = Configuration(try catalog(), file: file, environment: environment)
      if let mistake = configuration.mistakes.first { throw mistake }
      try insertSettings(of: configuration)
    } catch let mistake as ConfigurationMistake {
      throw ValidationError(mistake.text(path: path))
    }
  }

  /// Variables that are not options of commands.
  static let ownVariables: Set = ["GALLERY_CACHE", "GALLERY_CONFIG"]

  /// Whether settings apply to a command line.
  ///
  /// Requests for help do not need them, and `config` must work even if the settings are wrong.
  private static func mayHaveSettings(_ words: [String]) -> Bool {
    guard let command = words.first, !command.hasPrefix("-") else { return false }
    let typed = words.prefix { $0 != "--" }
    return !["help", "config"].contains(command)
      && !typed.contains { ["-h", "--help", "--version", "--experimental-dump-help"].contains($0) }
  }

  private mutating func insertSettings(
    of configuration: Configuration
  ) throws(ConfigurationMistake) {
    guard let typed = TypedCommand(words, configuration.catalog) else { return }
    let settings = try configuration.settings(of: typed.command)
    self.settings = settings.filter { !typed.names.contains($0.option.name) }
    words = typed.words
    words.insert(contentsOf: self.settings.flatMap(\.words), at: typed.start)
  }

  /// The library that a command line names by `--cache`, before settings are inserted; nil without the option.
  package static func typedLibrary(in words: [String]) -> String? {
    takingLibrary(from: words).library
  }

  /// The words of a command line that do not name the library.
  package static func withoutLibrary(_ words: [String]) -> [String] {
    takingLibrary(from: words).rest
  }

  /// Separates `--cache`, of which the last one counts, from the other words.
  private static func takingLibrary(from words: [String]) -> (library: String?, rest: [String]) {
    let option = "--cache"
    var library: String?
    var others: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == option, let value = rest.popFirst() {
        library = value
      } else if word.hasPrefix("\(option)=") {
        library = String(word.dropFirst(option.count + 1))
      } else if word == "--" {
        return (library, others + [word] + rest)
      } else {
        others.append(word)
        if wordsOrName.contains(word), let value = rest.popFirst() { others.append(value) }
      }
    }
    return (library, others)
  }

  /// The options that take the next word, whatever it is.
  private static let wordsOrName: Set = ["-f", "--feed", "--search"]

  /// The origins of the settings that a message names; nil when it does not name any.
  package func note(on message: String) -> String? {
    let named = settings.filter { $0.isNamed(in: message) }
    guard !named.isEmpty else { return nil }
    let lines = file?.lines ?? [:]
    return named.map { setting in
      let name = setting.option.name
      let hint = "; --no-\(name) leaves it out"
      return switch setting.origin {
      case .environment(let variable): "--\(name) comes from $\(variable)\(hint)"
      case .file(let key):
        "--\(name) comes from '\(file?.path ?? "")', line \(lines[key] ?? 1)\(hint)"
      }
    }.joined(separator: "\n")
  }
}

extension ConfigurationMistake {
  /// The message for a command that cannot run because of the mistake.
  package func text(path: String) -> String {
    guard line != nil || !message.hasPrefix("$") else { return message }
    let place = line.map { ", line \($0)" } ?? ""
    return """
      cannot use '\(path)'\(place): \(message) — 'gallery config check' tells all mistakes, and with \
      GALLERY_CONFIG=/dev/null commands go without the file
      """
  }
}

/// The command on a line, and the typed options.
struct TypedCommand {
  let command: CommandCatalog.Command
  /// The index after the command's words, where settings are inserted.
  let start: Int
  /// The long names of the options that were typed.
  private(set) var names: Set<String> = []
  /// The words, without each `--no-…` that is not an option itself and only excludes a setting.
  private(set) var words: [String] = []
  /// The places in `words` of options that the command does not have.
  private(set) var unknown: [Int] = []

  /// Returns nil when the words do not name a command whose options are known.
  init?(_ words: [String], _ catalog: CommandCatalog) {
    var path: [String] = []
    var start = 0
    for (index, word) in words.enumerated() {
      if catalog.command(path + [word]) != nil {
        path.append(word)
        start = index + 1
      } else if !word.hasPrefix("-") || word == "--" {
        break
      }
    }
    if let standard = catalog.command(path)?.standard { path.append(standard) }
    guard let command = catalog.command(path) else { return nil }
    self.command = command
    self.start = start
    read(words)
  }

  private mutating func read(_ words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        self.words += [word] + rest
        return
      }
      if let name = dropped(word) {
        names.insert(name)
        continue
      }
      self.words.append(word)
      guard let takesNext = takesNext(word) else {
        if !Self.namesOfParser.contains(word) { unknown.append(self.words.count - 1) }
        continue
      }
      if takesNext, let value = rest.popFirst() { self.words.append(value) }
    }
  }

  /// The option whose setting a word excludes.
  private func dropped(_ word: String) -> String? {
    guard word.hasPrefix("--no-"), let option = command.option(String(word.dropFirst(5))),
      !option.isInverted
    else { return nil }
    return option.name
  }

  /// The options that the argument parser adds to each command.
  private static let namesOfParser: Set = ["-h", "--help", "--version", "--experimental-dump-help"]

  /// Records the options in a word, and returns whether the next word is the value of the last one; nil for an option
  /// that the command does not have.
  private mutating func takesNext(_ word: String) -> Bool? {
    if word.hasPrefix("--") {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1)
      let name = String(parts.first ?? "")
      let inverted = name.hasPrefix("no-") ? command.option(String(name.dropFirst(3))) : nil
      guard let option = command.option(name) ?? inverted else { return nil }
      names.insert(option.name)
      return !option.isFlag && !word.contains("=")
    }
    guard word.hasPrefix("-"), word.count > 1 else { return false }
    for (index, letter) in word.dropFirst().enumerated() {
      guard let option = command.options.first(where: { $0.letters.contains(String(letter)) })
      else { return nil }
      names.insert(option.name)
      if !option.isFlag { return index + 2 == word.count }
    }
    return false
  }
}
