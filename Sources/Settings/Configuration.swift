/// A value for an option of a command, with its origin.
package struct Setting: Equatable, Sendable {
  package enum Origin: Equatable, Sendable {
    case environment(String)
    /// A value in the file, with the keys that lead to it.
    case file([String])
  }

  package let option: CommandOption
  /// A single text, or several for a repeatable option; `true` or `false` for a flag.
  package let texts: [String]
  package let origin: Origin

  /// The equivalent words of a command line.
  var words: [String] {
    guard option.isFlag else { return texts.map { "--\(option.name)=\($0)" } }
    if texts == ["true"] { return ["--\(option.name)"] }
    return option.isInverted ? ["--no-\(option.name)"] : []
  }
}

/// A user's settings from the environment and the file; the environment takes precedence.
package struct Configuration: Sendable {
  package let catalog: CommandCatalog
  package let file: ConfigurationFile?
  let environment: [String: String]

  package init(
    _ catalog: CommandCatalog,
    file: ConfigurationFile?,
    environment: [String: String]
  ) {
    self.catalog = catalog
    self.file = file
    self.environment = environment
  }

  /// The values for a command's options, in the order of its help.
  package func settings(
    of command: CommandCatalog.Command
  ) throws(ConfigurationMistake) -> [Setting] {
    var settings: [Setting] = []
    for option in command.options {
      if let setting = try environmentSetting(of: option, command) {
        settings.append(setting)
      } else if let setting = try fileSetting(of: option, command) {
        settings.append(setting)
      }
    }
    return settings
  }

  // MARK: Environment

  /// The environment variables for an option; the first applies only to this command.
  package static func variables(
    of option: CommandOption,
    _ command: CommandCatalog.Command
  ) -> [String] {
    [command.path + [option.name], [option.name]].map { words in
      "GALLERY_" + words.joined(separator: "_").uppercased().replacing("-", with: "_")
    }
  }

  private func environmentSetting(
    of option: CommandOption,
    _ command: CommandCatalog.Command
  ) throws(ConfigurationMistake) -> Setting? {
    let names = Self.variables(of: option, command)
    guard let name = names.first(where: { environment[$0]?.isEmpty == false }),
      let text = environment[name]
    else { return nil }
    if name == names[1] {
      guard catalog.isShared(option.name, by: command) else { return nil }
      if let ambiguity = catalog.ambiguity(option.name) {
        throw ConfigurationMistake(line: nil, message: "$\(name): \(ambiguity); use $\(names[0])")
      }
    }
    var texts = option.isRepeating ? text.split(separator: ",").map(String.init) : [text]
    if option.isFlag {
      guard let flag = Self.flag(text) else {
        throw ConfigurationMistake(line: nil, message: "$\(name) is 1 or 0, not '\(text)'")
      }
      texts = [String(flag)]
    }
    return Setting(option: option, texts: texts, origin: .environment(name))
  }

  private static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "true", "yes", "on": true
    case "0", "false", "no", "off": false
    default: nil
    }
  }

  // MARK: File

  private func fileSetting(
    of option: CommandOption,
    _ command: CommandCatalog.Command
  ) throws(ConfigurationMistake) -> Setting? {
    guard let file else { return nil }
    let common = catalog.isShared(option.name, by: command) ? file.values[option.name] : nil
    guard let value = file.section(command.path)?[option.name] ?? common, value.table == nil else {
      return nil
    }
    guard let texts = texts(of: value, for: option) else {
      throw ConfigurationMistake(line: file.lines[value.key], message: option.kindMessage)
    }
    return Setting(option: option, texts: texts, origin: .file(value.key))
  }

  /// The texts of a value; nil when its kind does not match the option.
  func texts(of value: FileValue, for option: CommandOption) -> [String]? {
    switch value.content {
    case .flag(let flag) where option.isFlag: return [String(flag)]
    case .text(let text) where !option.isFlag: return [path(text, for: option)]
    case .list(let contents) where option.isRepeating:
      let texts = contents.compactMap { if case .text(let text) = $0 { text } else { nil } }
      return texts.count == contents.count ? texts.map { path($0, for: option) } : nil
    default: return nil
    }
  }

  private func path(_ text: String, for option: CommandOption) -> String {
    guard let file, option.isPath, text != "-" else { return text }
    return file.resolved(text, home: environment["HOME"])
  }
}

extension ConfigurationFile {
  /// The values of a command's section; nil when the section is missing.
  func section(_ path: [String]) -> [String: FileValue]? {
    path.reduce(values) { $0?[$1]?.table }
  }
}

extension CommandOption {
  /// The message for a value of a wrong kind.
  var kindMessage: String {
    let kind =
      isFlag ? "true or false" : isRepeating ? "a text, or several in []" : "a text or a number"
    return "'\(name)' takes \(kind)"
  }
}
