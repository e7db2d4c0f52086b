import Models

/// An option that was typed, and that its command does not have.
package struct UnknownOption: Equatable, Sendable {
  /// The command, as `feeds set`.
  package let command: String
  /// The option as it was typed, without a value: `--every`, `-l`.
  package let option: String
  /// The value that was typed with it; nil without one.
  package let value: String?
  /// The option of the command that was probably meant, which is never a harmful one.
  package let meant: String?

  /// Finds the first such option of a command line; nil without one, or if the command is not in the catalog.
  package init?(in words: [String], of catalog: CommandCatalog) {
    guard let typed = TypedCommand(words, catalog), let place = typed.unknown.first,
      catalog.isOfServer || !typed.command.isOfServer
    else { return nil }
    let parts = typed.words[place].split(separator: "=", maxSplits: 1).map(String.init)
    guard let option = parts.first else { return nil }
    command = typed.command.name
    // What follows a letter may be an address with secrets.
    self.option = String(option[..<(option.firstRange(of: "://")?.lowerBound ?? option.endIndex)])
    let next = place + 1 < typed.words.count ? typed.words[place + 1] : nil
    value = parts.count > 1 ? parts[1] : next.flatMap { $0.hasPrefix("-") ? nil : $0 }
    meant = Self.meant(by: String(option.drop { $0 == "-" }), typed.command.options.map(\.name))
  }

  /// The option with these first letters, if there is only one, or else with similar letters.
  private static func meant(by name: String, _ names: [String]) -> String? {
    if name.count < 2 { return nil }
    let begun = name.count < 3 ? [] : names.filter { $0.hasPrefix(name) }
    let near = begun.count == 1 ? begun[0] : NearestWord.nearest(to: name, among: names)
    return near.flatMap { NearestWord.isHarmful($0) ? nil : "--\($0)" }
  }

  /// The message of the argument parser, with this explanation in the place of its suggestion.
  ///
  /// - Parameters:
  ///   - message: The message, in which the usage follows; the parser may have found another mistake first.
  ///   - advice: What to type instead, by the meaning of the option; nil if that is not known.
  /// - Returns: The message.
  package func explained(_ message: String, advice: String?) -> String {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    let usage = lines.drop { !$0.hasPrefix("Usage:") }.map(String.init)
    let hint = advice.map { "; \($0)" } ?? meant.map { ". Did you mean '\($0)'?" } ?? ""
    return (["Error: Unknown option '\(option)'\(hint)"] + usage).joined(separator: "\n")
  }
}
