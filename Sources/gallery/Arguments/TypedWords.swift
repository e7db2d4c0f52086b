import Models
import Scenes
import Settings
import Terminal
import Workers

/// Prepares the words of a command line for the argument parser, and explains errors that the parser cannot explain.
struct TypedWords {
  private static let flags = ["--json", "--quiet", "--verbose", "-q", "-v", "-qv", "-vq"]
  private static let valued = ["--cache", "--color"]
  /// The commands to which the word `help` cannot be the name of a feed, a file or a place.
  private static let commandsWithoutNames = [
    "list", "show", "browse", "frame", "why", "pin", "unpin", "take-newer", "feeds", "status",
    "nodes", "verify", "clean",
  ]

  let commands: [String]
  /// The subcommands of commands that have some.
  var subcommands: [String: [String]] = [:]

  /// Moves options of every command from before the command, and its subcommand, to after them.
  func arranged(_ words: [String]) -> [String] {
    var rest = words[...]
    var options = Self.leadingOptions(&rest)
    if let first = rest.first, ["-h", "--help"].contains(first),
      let asked = rest.dropFirst().first, commands.contains(asked)
    {
      return ["help"] + rest.dropFirst()
    }
    guard let command = rest.first, !command.hasPrefix("-") else { return Array(rest) }
    rest = rest.dropFirst()
    guard commands.contains(command) else { return [command] + rest }
    if rest == ["help"], Self.commandsWithoutNames.contains(command) { return ["help", command] }
    var (path, behind) = ([command], rest)
    let more = Self.leadingOptions(&behind)
    if let word = behind.first, subcommands[command]?.contains(word) == true {
      path.append(word)
      options += more
      rest = behind.dropFirst()
    }
    return path + options + joiningSearch(Array(rest))
  }

  /// Takes the options of every command from the beginning of some words.
  private static func leadingOptions(_ words: inout ArraySlice<String>) -> [String] {
    var options: [String] = []
    while let word = words.first {
      let isOption = flags.contains(word) || valued.contains { word.hasPrefix("\($0)=") }
      guard isOption || valued.contains(word) else { break }
      let length = isOption ? 1 : 2
      options += words.prefix(length)
      words = words.dropFirst(length)
    }
    return options
  }

  /// Joins `--search` and its value, because the parser would refuse a value that begins with a dash.
  ///
  /// It also joins the words of several such options, of which the parser would take the last one.
  private func joiningSearch(_ words: [String]) -> [String] {
    let option = "--search"
    var (others, searches) = ([String](), [String]())
    var place = 0
    var rest = words[...]
    while let word = rest.popFirst() {
      let value: String
      if word == option, let next = rest.popFirst() {
        value = next
      } else if word.hasPrefix("\(option)=") {
        value = String(word.dropFirst(option.count + 1))
      } else {
        others.append(word)
        if word == "--" { break }
        // A feed may have any name.
        if ["-f", "--feed"].contains(word), let name = rest.popFirst() { others.append(name) }
        continue
      }
      if searches.isEmpty { place = others.count }
      searches.append(value)
    }
    others += rest
    if searches.isEmpty { return others }
    let joined = searches.count == 1 ? searches[0] : searches.joined(separator: " ").trimmed
    return others[..<place] + ["\(option)=\(joined)"] + others[place...]
  }

  /// Why the first words do not begin a command; nil when they do, or without words.
  func problem(of words: [String]) -> String? {
    if words.first == "-V" { return "'-V' is not an option; type: gallery --version" }
    guard let first = words.first, !first.hasPrefix("-") else { return nil }
    guard first == "help" else {
      return commands.contains(first)
        ? problem(behind: words)
        : problem(first, Synonym.kept(Array(words.dropFirst()), behind: first), isHelp: false)
    }
    guard let asked = words.dropFirst().first(where: { !$0.hasPrefix("-") }),
      asked != "help", !commands.contains(asked)
    else { return nil }
    return problem(asked, [], isHelp: true)
  }

  /// Why a word is not a command; a word of other programs is explained by its meaning, and another one by its letters.
  private func problem(_ word: String, _ typed: [String], isHelp: Bool) -> String {
    let problem = "'\(WebAddress.masking(word))' is not a command"
    if let pattern = Synonym.command(forArgument: word), !isHelp {
      return "\(problem); \(Synonym.advice(pattern, [word] + typed))"
    }
    if Synonym.beginnings.contains(word) {
      let command = isHelp ? "gallery help sync" : Synonym.beginning(typed)
      return "\(problem): the first sync makes the library; type: \(command)"
    }
    if let next = typed.first, let pattern = Synonym.subcommands[word]?[next] {
      return "\(problem); \(Synonym.advice(pattern, typed.dropFirst()))"
    }
    let list = "the commands are \(commands.joined(separator: ", "))"
    // Almost any short word is near another one.
    let others = Synonym.commands.keys.filter { $0.count > 4 }.sorted()
    let near = NearestWord.nearest(
      to: word,
      among: commands + others.filter { !Synonym.isHarmful($0) },
      avoiding: others.filter(Synonym.isHarmful)
    )
    guard let known = Synonym.commands[word] == nil ? near : word else {
      return "\(problem); \(list)"
    }
    guard let pattern = Synonym.commands[known] else {
      return "\(problem); did you mean '\(known)'?" + (isHelp ? " — \(list)" : "")
    }
    let name = String(pattern.prefix { $0 != " " })
    let help = commands.contains(name) ? "gallery help \(name)" : "gallery \(name)"
    return "\(problem); \(isHelp ? "type: \(help)" : Synonym.advice(pattern, typed))"
  }

  /// Why the word behind a command is not its subcommand, or an option is one of another program.
  private func problem(behind words: [String]) -> String? {
    if words[0] == "serve", let (option, command) = Synonym.listening(words) {
      return "'\(option)' is not an option of 'serve'; type: \(command)"
    }
    if words[0] == "serve", let (address, command) = Synonym.listening(at: words) {
      return "'\(address)' stands behind --listen; type: \(command)"
    }
    let rest = words.dropFirst()
    guard let word = rest.first, let pattern = Synonym.subcommands[words[0]]?[word] else {
      return nil
    }
    return "'\(words[0])' has no '\(word)'; \(Synonym.advice(pattern, rest.dropFirst()))"
  }

  /// What to type instead of a command with words that it does not take, which a message of the parser names.
  func hint(on message: String, _ words: [String]) -> String? {
    guard let command = words.first, message.contains(/nexpected argument/) else { return nil }
    let unexpected = words.dropFirst().filter { message.contains("'\($0)'") }
    let option = "--search="
    let search = words.last { $0.hasPrefix(option) }?.dropFirst(option.count)
    return Synonym.command(for: unexpected, behind: search.map { String($0) }, of: command)
      .map { "  Type: \($0)" }
  }
}

/// Makes the command that lists the next page, which people can copy.
enum NextPage {
  /// The typed words, with another offset; only the offset if one of them is an address with secrets.
  static func command(_ words: [String], offset: Int) -> String {
    var kept: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--offset": _ = rest.popFirst()
      case "-f", "-n", "--feed", "--search", "--since", "--added-since", "--cache":
        kept.append(word)
        if let value = rest.popFirst() { kept.append(value) }
      default: if !word.hasPrefix("--offset=") { kept.append(word) }
      }
    }
    if kept.contains(where: hasSecrets) { return "the same command with --offset \(offset)" }
    let words = kept + ["--offset", String(offset)]
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  private static func hasSecrets(_ word: String) -> Bool {
    let value =
      word.hasPrefix("--") ? word.drop { $0 != "=" }.dropFirst() : word[...]
    return WebAddress.masking(String(value)) != value
  }
}
