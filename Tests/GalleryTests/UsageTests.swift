import Composition
import Testing

struct UsageTests {
  static let commands = [
    "sync", "list", "show", "browse", "frame", "pin", "unpin", "feeds", "remove", "status", "nodes",
    "verify", "clean", "backup", "restore", "move", "recover", "export",
  ]
  /// All commands with their subcommands.
  static let allCommands =
    commands.map { [$0] } + [
      ["why"], ["feeds", "set"], ["config", "show"], ["config", "check"], ["config", "edit"],
      ["serve"], ["token", "list"], ["token", "add"], ["token", "remove"],
    ]
  let library: TestLibrary

  init() throws { library = try TestLibrary() }

  /// The options that the help text of a command lists, without hyphens.
  static func options(of command: [String], _ program: Program) throws -> Set<String> {
    let help = try help(of: command, program)
    let lines = help.split(separator: "\n").filter { $0.contains(/^  (-\w, )?--/) }
    return Set(lines.flatMap { $0.prefix(40).matches(of: /--([a-z][a-z-]+)/).map { String($0.1) } })
  }

  /// The help text of a command; gallery-server has those of its own.
  static func help(of command: [String], _ program: Program) throws -> String {
    try program.finish(program.start(command + ["--help"])).output
  }

  @Test func `prints its version, and the commit that it was built from`() throws {
    let result = try library.program.run("--version")

    let version = /0\.1\.0\+\d+\.g[0-9a-f]{8,} \(\d{4}-\d\d-\d\d\)\n/
    #expect(result.status == 0 && result.output.wholeMatch(of: version) != nil, "\(result)")
    #expect(result.errors == "")
  }

  @Test(arguments: [
    ("784.g98d8ca19 2026-11-28", "0.1.0+784.g98d8ca19 (2026-11-28)"), ("", "0.1.0"),
  ])
  func `a version has the commit as metadata, if the build knows it`(commit: String, text: String) {
    #expect(Version.ofBuild(commit) == text)
  }

  @Test func `a package of a later commit upgrades that of an earlier one`() throws {
    let result = try library.program.shell(
      """
      dpkg --compare-versions 0.1.0+784.g98d8ca19-1 gt 0.1.0-1 &&
        dpkg --compare-versions 0.1.0+1000.g0a1b2c3d-1 gt 0.1.0+999.gf9e8d7c6-1 && echo later
      """
    )
    #expect(result.output == "later\n")
  }

  @Test(arguments: commands)
  func `explains a command`(command: String) throws {
    let result = try library.program.run("help", command)

    #expect(result.status == 0)
    #expect(result.output.contains("USAGE: gallery \(command)"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completes every command and every option`(shell: String) throws {
    let result = try library.program.run("--generate-completion-script", shell)

    #expect(result.status == 0)
    for command in Self.allCommands {
      #expect(result.output.contains(command[0]))
      let help = try Self.help(of: command, library.program)
      let options = Set(help.matches(of: /--([a-z][a-z-]+)/).map { String($0.1) })
      #expect(options.isSuperset(of: ["cache", "color", "json", "quiet", "verbose"]))
      for option in options {
        // Fish writes a long option without its hyphens.
        let name = shell == "fish" ? "-l '\(option)'" : "--\(option)"
        let plain = shell == "fish" ? "-l \(option)" : name
        #expect(result.output.contains(name) || result.output.contains(plain), "\(option)")
      }
    }
  }

  @Test(arguments: [
    ["lst"], ["show"], ["show", "moon"], ["list", "--sort", "size"], ["list", "--limit", "-1"],
    ["sync", "--jobs", "0"], ["sync", "ftp://example.com/feed"],
    ["show", "1", "2", "--output", "f"],
    ["show", "1", "--json", "--output", "-"], ["sync", "--originals", "--metadata-only"],
    ["show", "1", "--refresh", "--offline"], ["show", "1", "--refresh", "--info"],
    ["show", "1", "--refresh", "--thumbnail"],
    ["sync", "--budget", "1G", "--metadata-only"], ["sync", "--retry-failed", "--metadata-only"],
    ["sync", "--allow-private"], ["list", "--sort", "random", "--offset", "1"],
    ["feeds", "--opml", "--json"], ["sync", "--limit-rate", "5"],
    ["sync", "--requests-per-second", "0"],
    ["list", "--stored", "--missing"], ["list", "--landscape", "--portrait"],
    ["list", "--format", "{id}", "--json"], ["help", "nosuch"],
    ["list", "--pictures", "sometimes"], ["show", "1", "--open", "--json"],
    ["show", "1", "--open", "--output", "-"], ["show", "1", "--open", "--thumbnail"],
    ["backup"], ["restore"], ["backup", "x", "y"], ["restore", "x", "--without-pins"],
    ["export"], ["export", "x", "--static", "--dry-run"], ["export", "x", "--without-originals"],
    ["export", "x", "--metadata", "exif"], ["export", "x", "--template", "{id"],
    ["browse", "--json"], ["browse", "--sort", "size"], ["frame", "--seconds", "1"],
    ["frame", "--landscape", "--portrait"],
  ])
  func `answers a wrong use with status 64 and a message`(arguments: [String]) throws {
    let running = try library.program.start(arguments)
    let result = try library.program.finish(running)

    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errors != "")
  }

  @Test(arguments: [
    (["sync", "--budget", "5X"], "'5X' is not a size; 500M, 1.5G and 4096 are"),
    (
      ["list", "--since", "2026-02-30"],
      "'2026-02-30' is not a date; 2026-11-01, 2026-11-01T08:30Z, yesterday, 7d and 3h are"
    ),
    (["list", "--limit", "-1"], "Error: --limit must be at least 0\n"),
    (["list", "--offset", "-1"], "Error: --offset must be at least 0\n"),
    (["sync", "-j", "-1"], "Error: --jobs must be at least 1\n"),
    (["list", "--serch", "x"], "Did you mean '--search'?"),
    (["show", "1", "--out", "x.jpg"], "Unknown option '--out'. Did you mean '--output'?"),
    (
      ["clean", "--all"],
      "Unknown option '--all'; 'gallery clean --dry-run' prints what would be removed\n"
    ),
    (["sync", "--exce", "x"], "Error: Unknown option '--exce'\n"),
    (["status", "--feed", "1"], "Unknown option '--feed'; 'gallery feeds' tells of each feed\n"),
    (["serve", "--evry", "1h"], "Error: Unknown option '--evry'\n"),
    (["serve", "--listn", ":80"], "Unknown option '--listn'. Did you mean '--listen'?"),
    (["serve", "127.0.0.1:80"], "type: gallery serve --listen 127.0.0.1:80\n"),
    (
      ["list", "--format", "{feed}"],
      "'{feed}' is not a field; did you mean '{feed.id}' or '{feed.title}'? — the fields are id, "
    ),
    (["list", "--format", "{titel}"], "'{titel}' is not a field; did you mean '{title}'?"),
    (["list", "--format", "{nme}"], "'{nme}' is not a field; the fields are id, title, caption"),
    (
      ["list", "--format", "{id} {originalURL}"],
      "a list has no address of an original; 'gallery show --info --json <id>' prints it as originalURL"
    ),
    (
      ["list", "--format", "{original.url}"],
      "'{original.url}' is not a field, because a list has no address of an original"
    ),
    (["list", "--format", "{url}"], "'{url}' is not a field, because a list has no address"),
    (["list", "--format", "{feed.url}"], "'{feed.url}' is not a field; did you mean '{feedURL}'?"),
    (
      ["list", "--format", "{width}"],
      "'{width}' is not a field; did you mean '{original.width}' or '{thumbnail.width}'?"
    ),
    (
      ["list", "--format", "{size}"],
      "did you mean '{original.bytes}' or '{original.width}' or '{original.height}'? — the fields are"
    ),
    (["list", "--format", "{id"], "a brace of '{id' has no counterpart"),
    (
      ["export", "x", "--template", "{nme}"],
      "'{nme}' is not a field; the fields are id, title, feed, feed-id, date"
    ),
    (
      ["export", "x", "--template", "../{id}"],
      "'..' is not a valid name on every file system"
    ),
    (["list", "hubble"], "  Type: gallery list --search hubble\n"),
    (
      ["show", "abc"],
      "an image is named by its number; to find one, type: gallery list --search abc"
    ),
    (
      ["take-newer", "abc"],
      "an image is named by its number; to find one, type: gallery list --search abc"
    ),
    (["show", "4-1"], "a range of ids rises: 1-4"),
    (["pin", "3-"], "a range of ids has an end, as in 3-12"),
    (
      ["list", "--search", "camera:PENTAX", "K-7"],
      #"  Type: gallery list --search 'camera:"PENTAX K-7"'"#
    ),
    (["why", "the moon"], "to find one, type: gallery list --search 'the moon'"),
    (["pin", "1", "x"], "type: gallery list --search x"),
    (["feeds", "set", "1", "2", "--title", "x"], "--title is for one feed"),
    (["feeds", "set", "1"], "name a setting to change: --title, --every, --keep,"),
    (
      ["feeds", "set", "1", "--title", "3-5"],
      "'3-5' cannot be a title, because commands read numbers and ranges as the ids of feeds"
    ),
    (
      ["backup", "list"],
      "'list' is a word of commands, and 'gallery backup ./list' names a folder; other commands read"
    ),
    (["backup", "status"], "'gallery backup ./status' names a folder"),
    (["move"], "name the place of the copy, as in: gallery move /mnt/usb/photos\n"),
    (["move", "--to", " "], "name the place of the copy"),
    (["move", "status"], "'gallery move ./status' names a folder\n"),
    (["export", "ls"], "'ls' is a word of commands, and 'gallery export ./ls' names a folder\n"),
    (["recover", "verify"], "'gallery recover ./verify' names a folder\n"),
    (["snapshot", "/mnt/usb"], "'snapshot' is not a command; type: gallery backup /mnt/usb\n"),
    (["search", "hubble"], "'search' is not a command; type: gallery list --search hubble\n"),
    (["feeds", "add", "x"], "'feeds' has no 'add'; type: gallery sync x\n"),
    (
      ["serve", "--port", "80"],
      "'--port' is not an option of 'serve'; type: gallery serve --listen 80\n"
    ),
    (["lst"], "'lst' is not a command; did you mean 'list'?"),
    (["--json", "lst", "--limit", "1"], "'lst' is not a command; did you mean 'list'?"),
    (["help", "shwo"], "'shwo' is not a command; did you mean 'show'?"),
    (
      ["help", "nosuch"],
      "'nosuch' is not a command; the commands are sync, feeds, remove, list, show, browse, frame, why, pin, unpin, take-newer, export, backup, restore, move, clean, serve, token, status, nodes, verify, recover, config\n"
    ),
  ])
  func `names a value that cannot be read, and says what can`(
    arguments: [String],
    message: String
  ) throws {
    let result = try library.program.finish(library.program.start(arguments))

    #expect(result.status == 64)
    #expect(result.errors.contains(message))
  }

  @Test(arguments: [
    ["sync", "--input", "nosuch.txt"], ["sync", "--cacert", "nosuch.pem", "x"],
    ["serve", "--extra-ca", "nosuch.pem"], ["backup", "nosuch/folder/backup"],
  ])
  func `shows the usage of a command only if the command was mistyped`(arguments: [String]) throws {
    let result = try library.program.finish(library.program.start(arguments))

    #expect(result.errors.hasPrefix("Error: "), "\(result)")
    #expect(!result.errors.contains("Usage:") && result.errors.contains("\n"), "\(result)")
    #expect(result.status != 0)
    let mistyped = try library.program.finish(
      library.program.start([arguments[0], "--nosuch-option"])
    )
    #expect(mistyped.errors.contains("Usage: gallery \(arguments[0])"), "\(mistyped)")
  }

  @Test func `takes a value right behind the letter of its option`() throws {
    let photos = (1...4).map { #"{"id":\#($0),"url":"http://127.0.0.1:1/\#($0).jpg"}"# }
    let feed = "[\(photos.joined(separator: ","))]"
    let result = try library.program.shell(
      """
      echo '\(feed)' >feed.json
      gallery sync --metadata-only -j4 feed.json >/dev/null
      gallery list -n2 --format '{id}' && gallery list -n3 -f1 --sort feed | wc -l
      gallery list -q -n1 | wc -l
      """
    )

    #expect(result == Program.Result(status: 0, output: "1\n2\n3\n1\n", errors: ""))
  }

  @Test func `takes several feeds where it takes one`() throws {
    let result = try library.program.shell(
      """
      for n in 1 2 3; do echo "[{\\"url\\":\\"http://127.0.0.1:1/$n.jpg\\"}]" >$n.json; done
      gallery sync --metadata-only -q 1.json && gallery sync --metadata-only -q 2.json 3.json
      gallery feeds set 1 2 --every 2h >/dev/null && gallery feeds --json | grep -c '"every":7200'
      gallery remove 1 3 | wc -l
      gallery remove 2 9; echo $?
      """
    )

    #expect(result.output.hasPrefix("2\n2\nremoved "), "\(result)")
    #expect(result.output.hasSuffix("\n3\n") || result.output.hasSuffix("\n2\n"), "\(result)")
    #expect(result.errors.contains("no feed '9' is followed"), "\(result)")
  }
}
