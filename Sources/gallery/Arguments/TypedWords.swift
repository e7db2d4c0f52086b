import Models
import Settings
import Terminal

/// Prepares the words of a command line for the argument parser, and explains errors that the parser cannot explain.
struct TypedWords {
  private static let flags = ["--json", "--quiet", "--verbose", "-q", "-v", "-qv", "-vq"]

  let commands: [String]

  /// Moves options of every command from before the command to after it.
  func arranged(_ words: [String]) -> [String] {
    var options: [String] = []
    var rest = words[...]
    while let word = rest.first {
      let isOption = Self.flags.contains(word) || word.hasPrefix("--cache=")
      guard isOption || word == "--cache" else { break }
      let length = isOption ? 1 : 2
      options += rest.prefix(length)
      rest = rest.dropFirst(length)
    }
    guard let command = rest.first, !command.hasPrefix("-") else { return Array(rest) }
    let own = joiningSearch(Array(rest.dropFirst()))
    return [command] + (commands.contains(command) ? options : []) + own
  }

  /// Joins `--search` and its value, because the parser would refuse a value that begins with a dash.
  private func joiningSearch(_ words: [String]) -> [String] {
    guard let index = words.firstIndex(of: "--search"), index + 1 < words.count else {
      return words
    }
    let joined = ["--search=" + words[index + 1]]
    return words[..<index] + joined + words[(index + 2)...]
  }

  /// Why the first word is not a command; nil when it is a command, or without words.
  func problem(of words: [String]) -> String? {
    guard var word = words.first, !word.hasPrefix("-") else { return nil }
    if word == "help" {
      guard let asked = words.dropFirst().first(where: { !$0.hasPrefix("-") }) else { return nil }
      word = asked
    }
    if commands.contains(word) || word == "help" { return nil }
    let list = "the commands are \(commands.joined(separator: ", "))"
    let nearest = NearestWord.nearest(to: word, among: commands)
    return "'\(word)' is not a command; \(nearest.map { "did you mean '\($0)'?" } ?? list)"
      + (words.first == "help" && nearest != nil ? " — \(list)" : "")
  }
}

/// Makes the command that lists the next page, which people can copy.
enum NextPage {
  /// The typed words, with another offset, and without the secrets of addresses.
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
    let words = kept + ["--offset", String(offset)]
    return words.map { ShellWord.quoted(masked($0)) }.joined(separator: " ")
  }

  private static func masked(_ word: String) -> String {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else {
      return WebAddress.masking(word)
    }
    return word[...equals] + WebAddress.masking(String(word[word.index(after: equals)...]))
  }
}
