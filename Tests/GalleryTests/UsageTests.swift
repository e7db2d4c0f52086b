import Composition
import Testing

struct UsageTests {
  static let commands = [
    "sync", "list", "show", "browse", "frame", "pin", "unpin", "feeds", "remove", "status", "nodes",
    "verify", "clean", "move", "export",
  ]
  let library: TestLibrary

  init() throws { library = try TestLibrary() }

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
    for command in Self.commands {
      #expect(result.output.contains(command))
      let help = try library.program.run("help", command).output
      let options = Set(help.matches(of: /--([a-z][a-z-]+)/).map { String($0.1) })
      #expect(options.isSuperset(of: ["cache", "json", "quiet", "verbose"]))
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
      "'2026-02-30' is not a date; 2026-11-01, 2026-11-01T08:30Z, 7d and 3h are"
    ),
    (["list", "--limit", "-1"], "Error: --limit must be at least 0\n"),
    (["list", "--offset", "-1"], "Error: --offset must be at least 0\n"),
    (["sync", "-j", "-1"], "Error: --jobs must be at least 1\n"),
    (["list", "--serch", "x"], "Did you mean '--search'?"),
    (["list", "--format", "{nme}"], "'{nme}' is not a field; the fields are id, title, caption"),
    (["list", "--format", "{id"], "a brace of '{id' has no counterpart"),
    (
      ["export", "x", "--template", "{nme}"],
      "'{nme}' is not a field; the fields are id, title, feed, feed-id, date"
    ),
    (
      ["export", "x", "--template", "../{id}"],
      "'..' is not a valid name on every file system"
    ),
    (["lst"], "'lst' is not a command; did you mean 'list'?"),
    (["--json", "lst", "--limit", "1"], "'lst' is not a command; did you mean 'list'?"),
    (["help", "shwo"], "'shwo' is not a command; did you mean 'show'?"),
    (
      ["help", "nosuch"],
      "'nosuch' is not a command; the commands are sync, list, show, browse, frame, why, pin, unpin, feeds, remove, status, nodes, verify, clean, move, export, config, serve, token\n"
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
}
