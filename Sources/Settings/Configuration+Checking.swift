package import ArgumentParser
import Models

extension Configuration {
  /// A mistake at a key of the file.
  private typealias Fault = (key: [String], message: String)

  /// The mistakes in the file, by line: unknown names, and values of a wrong kind.
  package var mistakes: [ConfigurationMistake] {
    guard let file else { return [] }
    var faults = catalog.isOfServer ? [] : commonFaults(file.values)
    for command in catalog.commands where catalog.hasServer || !command.isOfServer {
      faults += self.faults(in: command, file.section(command.path) ?? [:])
    }
    if !catalog.isOfServer { faults += feedFaults(file.feedTables) }
    guard !faults.isEmpty else { return [] }
    let lines = file.lines
    return faults.map { ConfigurationMistake(line: lines[$0.key], message: $0.message) }
      .sorted { ($0.line ?? 0, $0.message) < ($1.line ?? 0, $1.message) }
  }

  /// The variables of the environment that are named like settings, and set none.
  package var unknownVariables: [ConfigurationMistake] {
    var known = ConfiguredLine.ownVariables
    for command in catalog.commands {
      for option in command.options { known.formUnion(Self.variables(of: option, command)) }
    }
    let unknown = environment.keys.filter { $0.hasPrefix("GALLERY_") && !known.contains($0) }
    return unknown.sorted().map { name in
      let near = NearestWord.nearest(to: name, among: known.sorted()).map {
        "; did you mean '$\($0)'?"
      }
      return ConfigurationMistake(line: nil, message: "$\(name) sets no option\(near ?? "")")
    }
  }

  /// The mistakes outside of sections.
  private func commonFaults(_ values: [String: FileValue]) -> [Fault] {
    let sections = catalog.subcommands(of: [])
    let names = catalog.ownNames
    return values.compactMap { name, value in
      if name == "feed", value.table != nil { return nil }
      if value.table != nil {
        let fault: Fault = (value.key, "'\(name)' is not a command\(nearest(name, sections))")
        return sections.contains(name) ? nil : fault
      }
      guard let owner = catalog.commands.first(where: { !$0.isOfServer && $0.option(name) != nil }),
        let option = owner.option(name)
      else {
        let hint = sections.contains(name) ? "; '[\(name)]' begins its section" : nil
        return (value.key, "'\(name)' is not an option\(hint ?? nearest(name, Array(names)))")
      }
      if let ambiguity = catalog.ambiguity(name) {
        return (value.key, "\(ambiguity); put it into '[\(owner.path[0])]' or another section")
      }
      return texts(of: value, for: option) == nil ? (value.key, option.kindMessage) : nil
    }
  }

  private func faults(
    in command: CommandCatalog.Command,
    _ values: [String: FileValue]
  ) -> [Fault] {
    let subcommands = catalog.subcommands(of: command.path)
    let names = command.options.map(\.name) + subcommands
    return values.compactMap { name, value in
      if value.table != nil, subcommands.contains(name) { return nil }
      guard let option = command.option(name) else {
        return (value.key, "'\(command.name)' has no option '\(name)'\(nearest(name, names))")
      }
      return texts(of: value, for: option) == nil ? (value.key, option.kindMessage) : nil
    }
  }

  /// The mistakes in the tables of feeds.
  private func feedFaults(_ tables: [String: FileValue]) -> [Fault] {
    if tables.isEmpty { return [] }
    let options = FeedOptions.list
    return tables.flatMap { feed, value -> [Fault] in
      guard let table = value.table else {
        return [(value.key, "a feed has a table: [feed.\"\(WebAddress.masking(feed))\"]")]
      }
      return table.compactMap { name, value in
        guard let option = options.first(where: { $0.name == name }) else {
          let hint = nearest(name, options.map(\.name))
          return (value.key, "a feed has no setting '\(name)'\(hint)")
        }
        return texts(of: value, for: option) == nil ? (value.key, option.kindMessage) : nil
      }
    }
  }

  private func nearest(_ name: String, _ names: [String]) -> String {
    NearestWord.nearest(to: name, among: names.sorted()).map { "; did you mean '\($0)'?" } ?? ""
  }

  // MARK: Values

  /// The mistakes that the program's argument parser finds in the values, for each command.
  package func valueMistakes(
    of program: any ParsableCommand.Type
  ) -> [ConfigurationMistake] {
    let lines = file?.lines ?? [:]
    var mistakes: [ConfigurationMistake] = []
    for command in catalog.commands where command.isOfServer == catalog.isOfServer {
      do throws(ConfigurationMistake) {
        var settings = try self.settings(of: command)
        // The setting that a mistake names is removed, and the rest is parsed again.
        while let (index, message) = Self.mistake(in: settings, of: command, program) {
          mistakes.append(settings.remove(at: index).mistake(message, lines))
        }
      } catch {
        mistakes.append(error)
      }
    }
    // A wrong value that several commands use is reported once.
    return mistakes.enumerated().filter { !mistakes[..<$0.offset].contains($0.element) }
      .map(\.element)
  }

  /// The first setting that the parser's message names, with the message.
  private static func mistake(
    in settings: [Setting],
    of command: CommandCatalog.Command,
    _ program: any ParsableCommand.Type
  ) -> (index: Int, message: String)? {
    let arguments = command.hasArguments ? ["1"] : []
    do {
      _ = try program.parseAsRoot(command.path + settings.flatMap(\.words) + arguments)
      return nil
    } catch {
      let message = program.message(for: error)
      guard let index = settings.firstIndex(where: { $0.isNamed(in: message) }) else { return nil }
      return (index, String(message.prefix { !$0.isNewline }))
    }
  }
}

extension Setting {
  /// Whether a message of the parser names the setting.
  func isNamed(in message: String) -> Bool {
    words.contains { word in
      let name = word.prefix { $0 != "=" }
      return message.ranges(of: name).contains { range in
        let next = message[range.upperBound...].first
        return next.map { !$0.isLetter && $0 != "-" } ?? true
      }
    }
  }

  fileprivate func mistake(_ message: String, _ lines: [[String]: Int]) -> ConfigurationMistake {
    switch origin {
    case .environment(let name): .init(line: nil, message: "$\(name): \(message)")
    case .file(let key): .init(line: lines[key], message: message)
    }
  }
}
