import FoundationEssentials
import Models
import Scenes
import Settings
import Terminal

/// Words that people type, because other programs use them, with the command of this program for each.
///
/// A place in angle brackets stands for the words that were typed: the last one for all that are left. A place in square
/// brackets may stay empty.
enum Synonym {
  static let commands: [String: String] = [
    "add": "sync <feed>", "follow": "sync <feed>", "subscribe": "sync <feed>",
    "get": "sync <feed>", "fetch": "sync <feed>", "download": "sync <feed>",
    "clone": "sync <feed>", "install": "sync <feed>", "import": "sync <file>",
    "mirror": "sync <address>",
    "update": "sync [<feed>]", "refresh": "sync [<feed>]", "pull": "sync [<feed>]",
    "upgrade": "sync [<feed>]", "diff": "sync --dry-run [<feed>]",
    "outdated": "sync --dry-run [<feed>]",
    "watch": "sync --watch", "daemon": "sync --watch",
    "search": "list --search <words>", "find": "list --search <words>",
    "grep": "list --search <words>",
    "ls": "list [<option>]", "dir": "list [<option>]", "images": "list [<option>]",
    "pictures": "list [<option>]", "log": "list --sort added [<option>]",
    "history": "list --sort added [<option>]",
    "rm": "remove <feed>", "delete": "remove <feed>", "unfollow": "remove <feed>",
    "uninstall": "remove <feed>", "purge": "remove <feed>",
    "unsubscribe": "remove <feed>", "rename": "feeds set <feed> --title <title>",
    "remote": "feeds [<option>]", "logs": "feeds [<option>]",
    "open": "show --open <id>", "view": "show <id>", "info": "show --info <id>",
    "inspect": "show --info <id>", "cat": "show --output - <id>",
    "explain": "why <id>", "star": "pin <id>", "unstar": "unpin <id>",
    "tui": "browse [<option>]", "slideshow": "frame [<option>]",
    "stats": "status", "du": "status", "df": "status", "ps": "nodes", "top": "nodes",
    "check": "verify", "fsck": "verify", "doctor": "verify", "repair": "verify --repair",
    "gc": "clean", "prune": "clean", "copy": "move <place>", "mv": "move <place>",
    "cp": "export <dir>", "save": "backup [<place>]", "dump": "backup [<place>]",
    "snapshot": "backup [<place>]", "push": "backup [<place>]",
    "server": "serve [<option>]", "web": "serve [<option>]", "start": "serve [<option>]",
    "run": "serve [<option>]", "up": "serve [<option>]", "tokens": "token [<word>]",
    "settings": "config [<word>]", "configure": "config edit", "edit": "config edit",
    "version": "--version", "man": "help [<command>]", "usage": "help [<command>]",
  ]

  /// The words of other programs that make a library; here, the first sync makes it.
  static let beginnings: Set = ["init", "create", "setup"]

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
    "remote": [
      "add": "sync <feed>", "rm": "remove <feed>", "remove": "remove <feed>",
      "show": "feeds [<option>]", "rename": "feeds set <feed> --title <title>",
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

  /// Words that are rather what a command is to do than the folder that it is to make.
  private static let actions: Set = [
    "add", "check", "clean", "config", "create", "delete", "diff", "forget", "help", "history",
    "info", "init", "list", "log", "logs", "ls", "now", "prune", "recover", "remove", "restore",
    "rm", "run", "set", "show", "snapshots", "start", "stats", "status", "sync", "update", "verify",
  ]

  /// Asks whether a folder is meant that a command would make, if its name is rather an action; nil for other names, and
  /// for a folder that is there.
  static func question(aboutFolder name: String, of command: String) -> String? {
    guard actions.contains(name), !FileManager.default.fileExists(atPath: name) else { return nil }
    let folder = SuggestedCommand.quoted("\(command) ./\(name)")
    let reading = command == "backup" ? "; other commands read a backup that --cache names" : ""
    return "'\(name)' is a word of commands, and \(folder) names a folder\(reading)"
  }

  /// The options of other servers for the address at which 'serve' listens.
  private static let listenOptions: Set = ["--port", "-p", "--bind", "--address"]

  /// The command to type instead of some words, quoted for a shell; a place stands for an address with secrets.
  ///
  /// It begins with the library that was typed, wherever that stood.
  static func command(_ pattern: String, _ typed: some Sequence<String>) -> String {
    var words = [SuggestedCommand.program]
    let parts = pattern.split(separator: " ")
    let place = parts.first { $0.contains("<") }?.filter { !"[]".contains($0) }
    var rest = ConfiguredLine.withoutLibrary(Array(typed)).map {
      WebAddress.masking($0) == $0 ? $0 : place ?? ""
    }[...]
    func quoted(_ word: String) -> String { word == place ? word : ShellWord.quoted(word) }
    for (index, part) in parts.enumerated() {
      guard part.contains("<") else {
        words.append(String(part))
        continue
      }
      // The words of a search or a title are one word of the shell.
      let isText = ["<words>", "<title>"].contains(part)
      let text = rest.prefix { !$0.hasPrefix("-") || part == "<words>" && isLeftOut($0) }
      let count = isText ? text.count : index + 1 < parts.count ? 1 : rest.count
      let values = rest.prefix(count)
      if values.isEmpty, !part.hasPrefix("[") { words.append(String(part)) }
      let joined = values.joined(separator: " ")
      let search = part == "<words>" ? ImageQuery.quotingCamera(joined) : joined
      words += (isText && !values.isEmpty ? [search] : Array(values)).map(quoted)
      rest = rest.dropFirst(count)
      if index + 1 == parts.count { words += rest.map(quoted) }
    }
    return words.joined(separator: " ")
  }

  /// Whether a word is probably one that a search leaves out (`-clouds`), and not an option.
  private static func isLeftOut(_ word: String) -> Bool {
    let rest = word.dropFirst()
    return rest.count > 2 && rest.allSatisfy(\.isLetter)
  }

  /// The command to type instead of some words; it says of numbers that they are of feeds, and not of images.
  static func advice(_ pattern: String, _ typed: some Sequence<String>) -> String {
    let command = self.command(pattern, typed)
    let numbers = ConfiguredLine.withoutLibrary(Array(typed)).drop { $0.hasPrefix("-") }
      .prefix { IDList($0) != nil }
    // A title, which may begin with a number, stands behind a single feed.
    let feeds = pattern.contains("<title>") ? numbers.prefix(1) : numbers
    guard pattern.contains("<feed>"), let first = feeds.first else { return "type: \(command)" }
    let noun = feeds.count == 1 && Int64(first) != nil ? "feed" : "feeds"
    return "for the \(noun) \(feeds.joined(separator: ", ")), type: \(command)"
  }

  /// The command for an address or for numbers in the place of a command; nil for anything else.
  static func command(forArgument word: String) -> String? {
    if word.contains("://") { return "sync <feed>" }
    return IDList(word) == nil ? nil : "show <id>"
  }

  /// The first sync of a library, for the words behind one of `beginnings`: an address, or the folder for the library.
  static func beginning(_ typed: [String]) -> String {
    let isFolder = typed.first.map { !$0.contains("://") && !$0.hasPrefix("-") } ?? false
    return command(isFolder ? "--cache <dir> sync <feed>" : "sync <feed>", typed)
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

  /// The line with `--listen` before an address that stands right behind 'serve'; nil when none does.
  static func listening(at words: [String]) -> (address: String, command: String)? {
    guard words.count > 1 else { return nil }
    let address = words[1]
    let isAddress =
      address.hasPrefix("unix:") || address.contains(/^[^-\s\/]*:\d{1,5}$/)
      || address.contains(/^\d{1,5}$/) || address.contains(/^\d{1,3}(\.\d{1,3}){3}$/)
    guard isAddress else { return nil }
    return (address, command("serve --listen [<address>]", words.dropFirst()))
  }

  /// What to type instead of options that a command does not have, by the command and the option.
  ///
  /// A command is in square brackets, and `VALUE` stands for the value that was typed. The advice on an empty name is for
  /// all options that are not similar to one of the command.
  private static let options: [String: [String: String]] = {
    let every = """
      [feeds set <feed> --every VALUE] sets how often a feed is asked for, and [sync --watch] asks for each when it is due
      """
    let until = "a list has no last day; [list --sort oldest] begins with the oldest images"
    let search = "type: [list --search VALUE]"
    let kept = "[remove <feed>] deletes nothing: a sync of the same address brings the images back"
    let perFeed = "[feeds] tells of each feed"
    return [
      "sync": [
        "every": every, "interval": every, "schedule": every, "daemon": "type: [sync --watch]",
        "feed": "type: [sync VALUE]", "url": "type: [sync VALUE]",
        "file": "type: [sync --input VALUE]",
        "all": "without the name of a feed, [sync] asks for all",
      ],
      "feeds set": ["interval": "type: [feeds set <feed> --every VALUE]"],
      "list": [
        "until": until, "before": until, "after": "type: [list --since VALUE]",
        "from": "type: [list --since VALUE]", "camera": "type: [list --search camera:VALUE]",
        "query": search, "filter": search, "grep": search, "find": search,
        "order": "type: [list --sort VALUE]", "count": "[list | wc -l] counts the images",
        "all": "through a pipe, [list | cat] lists all",
        "l": "[list --format '{id} {title}'] prints what you name",
      ],
      "remove": [
        "dry-run": kept, "n": kept,
        "all": "[feeds] lists the feeds, each with the id to remove it by",
        "feed": "type: [remove VALUE]",
      ],
      "status": ["feed": perFeed, "feeds": perFeed, "f": perFeed],
      "verify": ["fix": "type: [verify --repair]"],
      "clean": ["": "[clean --dry-run] prints what would be removed"],
    ]
  }()

  /// What to type instead of an option, by its meaning; nil if that is not known.
  static func advice(on unknown: UnknownOption) -> String? {
    let name = String(unknown.option.drop { $0 == "-" })
    if Int64(name) != nil {
      let takesIDs = ["show", "why", "pin", "unpin", "take-newer", "remove", "feeds set"]
      if takesIDs.contains(unknown.command) {
        return "an id is a number from 1 on, and a range is as 3-12"
      }
      return unknown.command == "list" ? "type: \(SuggestedCommand.program) list -n \(name)" : nil
    }
    guard let options = options[unknown.command],
      let advice = options[name] ?? (unknown.meant == nil ? options[""] : nil)
    else { return nil }
    // The value may be an address with secrets.
    let value = unknown.value.flatMap { WebAddress.masking($0) == $0 ? $0 : nil }
    let camera = value.map { ShellWord.quoted(ImageQuery.quotingCamera("camera:\($0)")) }
    return advice.replacing(/\[([^\]]*)\]/) { match in
      let command = match.1.replacing("camera:VALUE", with: camera ?? "camera:<word>")
        .replacing("VALUE", with: value.map(ShellWord.quoted) ?? "<value>")
      // As in other messages, a command behind "type:" ends the line.
      return advice.hasPrefix("type: ")
        ? "\(SuggestedCommand.program) \(command)" : SuggestedCommand.quoted(String(command))
    }
  }

  /// Whether a word of other programs leads to a command that deletes, replaces or runs something.
  static func isHarmful(_ word: String) -> Bool {
    (commands[word] ?? word).split(separator: " ").contains { NearestWord.isHarmful(String($0)) }
  }

  /// The words behind a word of other programs, without its options that mean nothing here.
  static func kept(_ typed: [String], behind word: String) -> [String] {
    guard ["ls", "dir"].contains(word) else { return typed }
    return typed.filter { $0 == "-h" || $0.wholeMatch(of: /-[1AFGRSUXacdghiklmoprstux]+/) == nil }
  }

  /// The command for words that a command takes no such arguments for: a search, or the images with some ids.
  ///
  /// `search` has the words that were typed behind `--search`.
  static func command(
    for unexpected: [String],
    behind search: String? = nil,
    of command: String
  ) -> String? {
    guard ["list", "browse", "frame"].contains(command), !unexpected.isEmpty else { return nil }
    if search == nil, unexpected.allSatisfy({ IDList($0) != nil }) {
      return self.command("show <id>", unexpected)
    }
    let words = ([search].compactMap(\.self) + unexpected).joined(separator: " ")
    return self.command("\(command) --search <words>", [words])
  }
}
