import Models
import Terminal

/// Words that people type, because other programs use them, with the command of this program for each.
///
/// A place in angle brackets stands for the words that were typed: the last one for all that are left. A place in square
/// brackets may stay empty.
enum Synonym {
  static let commands: [String: String] = [
    "add": "sync <feed>", "follow": "sync <feed>", "subscribe": "sync <feed>",
    "get": "sync <feed>", "fetch": "sync <feed>", "download": "sync <feed>",
    "import": "sync <file>", "mirror": "sync <address>",
    "update": "sync [<feed>]", "refresh": "sync [<feed>]", "pull": "sync [<feed>]",
    "watch": "sync --watch",
    "search": "list --search <words>", "find": "list --search <words>",
    "grep": "list --search <words>",
    "ls": "list [<option>]", "images": "list [<option>]", "pictures": "list [<option>]",
    "rm": "remove <feed>", "delete": "remove <feed>", "unfollow": "remove <feed>",
    "unsubscribe": "remove <feed>", "rename": "feeds set <feed> --title <title>",
    "open": "show --open <id>", "view": "show <id>", "info": "show --info <id>",
    "explain": "why <id>", "star": "pin <id>", "unstar": "unpin <id>",
    "tui": "browse [<option>]", "slideshow": "frame [<option>]",
    "stats": "status", "check": "verify", "fsck": "verify", "repair": "verify --repair",
    "gc": "clean", "prune": "clean", "copy": "move --to <place>",
    "save": "backup [<place>]", "dump": "backup [<place>]", "snapshot": "backup [<place>]",
    "server": "serve [<option>]", "web": "serve [<option>]", "tokens": "token [<word>]",
    "settings": "config [<word>]", "configure": "config edit", "version": "--version",
  ]

  /// The words that follow a command, by the command.
  static let subcommands: [String: [String: String]] = [
    "feeds": [
      "add": "sync <feed>", "follow": "sync <feed>", "get": "sync <feed>", "new": "sync <feed>",
      "sync": "sync [<feed>]", "update": "sync [<feed>]", "import": "sync <file>",
      "list": "feeds [<option>]", "ls": "feeds [<option>]", "show": "feeds [<option>]",
      "rm": "remove <feed>", "remove": "remove <feed>", "delete": "remove <feed>",
      "unfollow": "remove <feed>", "export": "feeds --opml",
      "rename": "feeds set <feed> --title <title>", "title": "feeds set <feed> --title <title>",
    ],
    "config": [
      "list": "config show [<command>]", "ls": "config show [<command>]",
      "get": "config show [<command>]", "set": "config edit", "open": "config edit",
    ],
    "token": [
      "ls": "token list", "show": "token list", "new": "token add <name>",
      "create": "token add <name>", "make": "token add <name>", "rm": "token remove <name>",
      "delete": "token remove <name>", "revoke": "token remove <name>",
    ],
  ]

  /// The options of other servers for the address at which 'serve' listens.
  private static let listenOptions: Set = ["--port", "-p", "--bind", "--address"]

  /// The command to type instead of some words, quoted for a shell and without secrets.
  static func command(_ pattern: String, _ typed: some Sequence<String>) -> String {
    var rest = typed.map(WebAddress.masking)[...]
    var words = ["gallery"]
    let parts = pattern.split(separator: " ")
    for (index, part) in parts.enumerated() {
      guard part.contains("<") else {
        words.append(String(part))
        continue
      }
      // The words of a search or a title are one word of the shell.
      let isText = ["<words>", "<title>"].contains(part)
      let count =
        isText ? rest.prefix { !$0.hasPrefix("-") }.count : index + 1 < parts.count ? 1 : rest.count
      let values = rest.prefix(count)
      if values.isEmpty, !part.hasPrefix("[") { words.append(String(part)) }
      words += (isText && !values.isEmpty ? [values.joined(separator: " ")] : Array(values))
        .map(ShellWord.quoted)
      rest = rest.dropFirst(count)
      if index + 1 == parts.count { words += rest.map(ShellWord.quoted) }
    }
    return words.joined(separator: " ")
  }

  /// The command for an address or a number in the place of a command; nil for anything else.
  static func command(forArgument word: String) -> String? {
    if word.contains("://") { return "sync <feed>" }
    return Int64(word) == nil ? nil : "show <id>"
  }

  /// The line with `--listen` in the place of another server's option; nil when there is none to replace.
  static func listening(_ words: [String]) -> (option: String, command: String)? {
    for (index, word) in words.enumerated() {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard let option = parts.first, listenOptions.contains(option) else { continue }
      let rest = words[(index + 1)...]
      let value = parts.count > 1 ? parts[1] : rest.first ?? "<port>"
      let others = words[1..<index] + rest.dropFirst(parts.count > 1 ? 0 : 1)
      return (option, command("serve --listen [<address>]", [value] + others))
    }
    return nil
  }

  /// The command for words that a command takes no such arguments for: a search, or the images with some ids.
  static func command(for unexpected: [String], of command: String) -> String? {
    guard ["list", "browse", "frame"].contains(command), !unexpected.isEmpty else { return nil }
    return unexpected.allSatisfy { Int64($0) != nil }
      ? self.command("show <id>", unexpected)
      : self.command("\(command) --search <words>", [unexpected.joined(separator: " ")])
  }
}
