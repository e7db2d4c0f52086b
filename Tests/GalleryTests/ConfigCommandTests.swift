import Foundation
import Testing

/// Settings in the file and in the environment, and the command that shows, checks and edits them.
struct ConfigCommandTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary(syncing: site.feed, "--metadata-only")
  }

  private var path: String { "\(library.folder)/.config/gallery/config.toml" }

  private func write(_ text: String) throws {
    let folder = URL(filePath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private func ids(_ line: String) throws -> String {
    try library.program.shell("\(line) | cut -f 1 | tr '\\n' ' '").output
  }

  // MARK: Precedence

  @Test func `what is typed comes before the environment, and that before the file`() throws {
    try write("limit = 3\nsort = 'title'\n[list]\nlimit = 1\n")
    let reversed = try ids("GALLERY_CONFIG=/dev/null gallery list --sort title")

    #expect(try ids("gallery list") == reversed.prefix(2))
    #expect(try ids("GALLERY_LIMIT=2 gallery list") == reversed.prefix(4))
    #expect(try ids("GALLERY_LIMIT=2 GALLERY_LIST_LIMIT=3 gallery list") == reversed)
    #expect(try ids("GALLERY_LIST_LIMIT=3 gallery list -n 2") == reversed.prefix(4))
    #expect(try ids("gallery list --limit 3 --sort oldest") != reversed)
    #expect(try ids("GALLERY_LIST_LIMIT= gallery list") == reversed.prefix(2))
  }

  @Test func `a flag is left out for one command`() throws {
    try write("json = true\n[feeds]\njson = false\n")

    #expect(try library.program.run("list", "--limit", "1").output.hasPrefix("{"))
    #expect(try library.program.run("list", "--no-json", "-n", "1").output.hasPrefix("1\t"))
    #expect(try library.program.shell("GALLERY_JSON=0 gallery list").output.hasPrefix("1\t"))
    #expect(try library.program.run("feeds").output.hasPrefix("1\t"))
    #expect(try library.program.run("--json", "feeds").output.hasPrefix("{"))
  }

  @Test func `a sub-command has a section of its own`() throws {
    try write("[feeds.set]\ntitle = 'Mine'\n[feeds]\nopml = true\n")

    #expect(try library.program.run("feeds", "set", "1").output.contains("is called 'Mine'"))
    #expect(try library.program.run("feeds", "--json", "set", "1").status == 0)
    #expect(try library.program.run("feeds").output.contains("<opml"))
  }

  /// `--keep` of a feed is a number of images.
  @Test func `a bound of originals holds for every command, and that of a feed for the feed`()
    throws
  {
    try write("keep = '3M'\nkeep-free = '1K'\n[feed.1]\nkeep = 2\nkeep-originals = 1\n")

    #expect(try library.program.run("config", "check").status == 0)
    #expect(
      try library.program.run("status").output.contains(
        "at most 3.0 MiB, 1.0 KiB of the disk stay free"
      )
    )
    #expect(try library.program.run("sync", "--metadata-only").status == 0)
    #expect(try library.program.run("list").output.split(separator: "\n").count == 2)
    #expect(
      try library.program.run("feeds", "--json").output.contains("\"keep\":2,\"keepOriginals\":1")
    )
    #expect(try library.program.run("feeds", "set", "1", "--every", "2h").status == 0)
    #expect(try library.program.shell("GALLERY_KEEP=1G gallery status").output.contains("1.0 GiB"))
    #expect(try library.program.run("serve", "--help").status == 0)
  }

  /// A service that runs as another user may still have the home of the first user.
  @Test func `a file in a home that may not be entered is another user's`() throws {
    try write("nonsense = 1\n")
    let other = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    // The other user may not enter the folder of the programs either, if that is in a private home.
    let listed = try library.program.shell(
      """
      test "$(id -u)" = 0 || exit 0
      chmod 700 "$HOME"
      programs=$(mktemp -d)
      trap 'rm -r "$programs"' EXIT
      chmod 755 "$programs"
      cp "$(command -v gallery)" "$programs/"
      cd /
      \(other) env -u GALLERY_CONFIG -u XDG_CONFIG_HOME GALLERY_CACHE=/nowhere/library \
        "$programs/gallery" list
      """
    )

    #expect(listed.status == 0, "\(listed)")
  }

  @Test func `paths begin at the folder of the file, or at the home`() throws {
    try write("cache = 'there'\n")
    let there = try library.program.shell("unset GALLERY_CACHE; gallery list -v")
    try write("cache = '~/elsewhere'\n")
    let elsewhere = try library.program.shell("unset GALLERY_CACHE; gallery list -v")

    let folder = URL(filePath: path).deletingLastPathComponent().path
    #expect(there.errors.contains("the library is \(folder)/there\n"))
    #expect(elsewhere.errors.contains("the library is \(library.path)/elsewhere\n"))
  }

  @Test func `shells complete from the library that the file names`() throws {
    try write("cache = '\(library.path)'\n")
    let offers = try library.program.shell(
      "unset GALLERY_CACHE; SAP_SHELL=fish gallery ---completion show -- positional@0 2 1 gallery show 2"
    )

    #expect(offers.output == "2\tSun\n")
  }

  // MARK: Mistakes

  @Test(arguments: [
    ("a = [\n", "line 1: Error while parsing array"),
    ("sort = 'title'\nsort = 'title'\n", "line 2: "),
    ("# one\nquite = true\n", "line 2: 'quite' is not an option; did you mean 'quiet'?"),
    ("[lst]\n", "line 1: 'lst' is not a command; did you mean 'list'?"),
    ("[list]\n\nlimits = 1\n", "line 3: 'list' has no option 'limits'; did you mean 'limit'?"),
    // No mistyped name leads to what deletes, evicts or runs something.
    ("[sync]\nexce = 'x'\n", "line 2: 'sync' has no option 'exce' — "),
    ("kep = '1G'\n", "line 1: 'kep' is not an option — "),
    ("[cleen]\nnow = true\n", "line 1: 'cleen' is not a command — "),
    ("a = '''\nb = 1\n'''\n[list]\njson = 1", "line 1: 'a' is not an option"),
    ("format = '''\njson = 1\n'''\n[list]\njson = 1", "line 5: 'json' takes true or false"),
    ("limit = [1]\n", "line 1: 'limit' takes a text or a number"),
    ("[config.show]\njson = true\n", "line 1: 'config' is not a command"),
    ("list = 1\n", "line 1: 'list' is not an option; '[list]' begins its section"),
    (
      "force = true\n", "line 1: 'force' means different things to sync, show; put it into '[sync]'"
    ),
    ("[list]\nsearch = \"a\\u0000b\"\n", "line 2: a text cannot hold a zero byte"),
    ("[list]\nstored = { deep = 1 }\n", "line 2: 'stored' takes true or false"),
  ])
  func `a mistake stops a command, and is named with its line`(
    text: String,
    message: String
  ) throws {
    try write(text)
    let result = try library.program.run("list")

    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("Error: cannot use '\(path)', \(message)"))
    #expect(result.errors.contains("GALLERY_CONFIG=/dev/null"))
    #expect(try library.program.run("help", "list").status == 0)
    #expect(try library.program.run("list", "--help").status == 0)
    let check = try library.program.run("config", "check")
    #expect(check.status == 1)
    let place = message.dropFirst("line ".count).prefix { $0 != ":" }
    #expect(check.output.hasPrefix("\(path):\(place): "))
  }

  @Test func `a file that cannot be read stops a command`() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let folder = try library.program.run("list")
    let binary = try library.program.shell("printf '\\377' > x; GALLERY_CONFIG=x gallery list")

    #expect(folder.status == 64)
    #expect(folder.errors.hasPrefix("Error: cannot use '\(path)': Is a directory — "))
    #expect(binary.errors.hasPrefix("Error: cannot use 'x': it is not in UTF-8 — "))
  }

  @Test func `a setting that does not go with what is typed is named with its place`() throws {
    try write("[list]\nstored = true\n")
    let file = try library.program.run("list", "--missing")
    let variable = try library.program.shell("GALLERY_LIST_SORT=size gallery list --missing")

    #expect(file.status == 64)
    #expect(file.errors.contains("--stored and --missing exclude each other"))
    #expect(
      file.errors.contains("--stored comes from '\(path)', line 2; --no-stored leaves it out\n")
    )
    #expect(try library.program.run("list", "--missing", "--no-stored").status == 0)
    #expect(
      variable.errors.contains("--sort comes from $GALLERY_LIST_SORT; --no-sort leaves it out\n")
    )
  }

  @Test func `names all mistakes, also in values and for the server`() throws {
    try write(
      """
      pictures = 5
      [list]
      srot = "title"
      limit = -1
      [sync]
      jobs = "many"
      [serve]
      listn = ["x"]
      sync = "often"
      [token.add]
      admin = 1
      """
    )
    let result = try library.program.run("config", "check")
    let json = try library.program.run("config", "check", "--json")

    #expect(result.status == 1)
    let lines = result.output.split(separator: "\n").map { $0.dropFirst(path.count) }
    #expect(
      lines.map { $0.prefix(4).split(separator: ":").first } == [
        "1", "3", "4", "6", "8", "9", "11",
      ]
    )
    #expect(lines[1] == ":3: 'list' has no option 'srot'; did you mean 'sort'?")
    #expect(lines[2] == ":4: --limit must be at least 0")
    #expect(lines[4] == ":8: 'serve' has no option 'listn'; did you mean 'listen'?")
    #expect(json.output.contains(#"{"line":4,"message":"--limit must be at least 0"}"#))
  }

  @Test(arguments: [
    ("keep = 20G", "1: '20G' needs quotes: keep = \"20G\""),
    ("[list]\nsort = title # by name", "2: 'title' needs quotes: sort = \"title\""),
    ("cache = ~/photos", "1: '~/photos' needs quotes: cache = \"~/photos\""),
    ("jobs = 8\nquiet = True", "2: 'True' is written in small letters: quiet = true"),
    ("[feed.1]\nevery = 6h\n", "2: '6h' needs quotes: every = \"6h\""),
    (
      "keep = 20",
      "1: The value '20' is invalid for '--keep <size>': '20' is a number of bytes; did you mean 20G?"
    ),
  ])
  func `says what to write instead of a value without quotes or a unit`(
    text: String,
    mistake: String
  ) throws {
    try write(text + "\n")
    let checked = try library.program.run("config", "check")

    #expect(checked.status == 1)
    #expect(checked.output == "\(path):\(mistake)\n")
  }

  @Test func `a file that the environment names must exist`() throws {
    let listed = try library.program.shell("GALLERY_CONFIG=nosuch.toml gallery list")
    let checked = try library.program.shell("GALLERY_CONFIG=nosuch.toml gallery config check")
    let served = try library.program.shell("GALLERY_CONFIG=nosuch.toml gallery serve")
    let shown = try library.program.shell("GALLERY_CONFIG=nosuch.toml gallery config show")
    let unnamed = try library.program.shell("GALLERY_CONFIG= gallery list")
    let home = try library.program.shell(
      "mkdir -p \"$HOME\"; touch \"$HOME/s\"; GALLERY_CONFIG='~/s' gallery list"
    )

    for result in [listed, served, shown] {
      #expect(
        result.status == 64
          && result.errors.contains("$GALLERY_CONFIG names 'nosuch.toml', which does not exist"),
        "\(result)"
      )
    }
    #expect(checked.status == 1 && checked.output.contains("names 'nosuch.toml'"), "\(checked)")
    #expect(unnamed.status == 0 && home.status == 0, "\(home)")
  }

  @Test func `a check tells the variables that set nothing`() throws {
    let result = try library.program.shell(
      """
      export GALLERY_LIST_SROT=title GALLERY_CACHEE=x GALLERY_LIST_SORT=title GALLERY_SERVE_LISTEN=:0
      gallery config check
      """
    )
    let others = try library.program.shell("GALLERY_XYZ=1 gallery config check")
    let harmful = try library.program.shell(
      "GALLERY_CLEAN_NWO=1 GALLERY_SYNC_EXCE=x gallery config check"
    )

    #expect(
      result.output == """
        $GALLERY_CACHEE sets no option; did you mean '$GALLERY_CACHE'?
        $GALLERY_LIST_SROT sets no option; did you mean '$GALLERY_LIST_SORT'?

        """
    )
    #expect(result.status == 1)
    #expect(others.output.hasPrefix("$GALLERY_XYZ sets no option"))
    #expect(
      harmful.output == "$GALLERY_CLEAN_NWO sets no option\n$GALLERY_SYNC_EXCE sets no option\n"
    )
  }

  @Test func `options stand before a command with subcommands, too`() throws {
    try write("[list]\nlimit = 3\n")
    let shown = try library.program.run("--json", "config", "show", "list")
    let checked = try library.program.run("--cache", "x", "-q", "config", "check")
    let between = try library.program.run("config", "--json", "check")

    #expect(shown.output.contains(#""command":"list","option":"limit","value":"3""#), "\(shown)")
    #expect(checked == Program.Result(status: 0, output: "", errors: ""))
    #expect(between == Program.Result(status: 0, output: "", errors: ""))
  }

  // MARK: The server

  @Test func `the server has the settings of its section`() throws {
    try write("limit = 3\n[serve]\nlisten = ['localhost:x']\n")
    let file = try library.program.run("serve")
    let typed = try library.program.run("serve", "--listen", "localhost:y")

    #expect(file.errors.contains("--listen localhost:x: the port is not a number"))
    #expect(
      file.errors.contains("--listen comes from '\(path)', line 3; --no-listen leaves it out\n")
    )
    #expect(typed.errors.contains("--listen localhost:y: the port is not a number"))
    #expect(!typed.errors.contains("comes from"))
  }

  @Test func `the tokens are those of the library that the file names`() throws {
    try write("cache = '\(library.folder)/other'\n[token.add]\nadmin = true\n")
    let line = "unset GALLERY_CACHE; gallery token add ann >/dev/null; gallery token"
    let result = try library.program.shell(line)

    #expect(result == Program.Result(status: 0, output: "ann\tchanges and reads\n", errors: ""))
    #expect(try library.program.run("token").output == "")
  }

  // MARK: Show and edit

  @Test(arguments: [[], ["--json"]])
  func `shows no password`(options: [String]) throws {
    try write("cache = 'postgresql://ann:s3cret1@db.example/p?password=s3cret2'\n")
    let line = "config show \(options.joined(separator: " "))"
    let inFile = try library.program.shell("unset GALLERY_CACHE; gallery \(line)")
    let address = "postgresql://ann:s3/cret@db.example/p"
    let inEnvironment = try library.program.shell("GALLERY_CACHE=\(address) gallery \(line)")

    #expect(inFile.output.contains("postgresql://***@db.example/p?password=***"))
    #expect(inEnvironment.output.contains("postgresql://***@db.example/p"))
    for result in [inFile, inEnvironment] { #expect(!"\(result)".contains("cret"), "\(result)") }
  }

  @Test func `shows each setting with where it comes from`() throws {
    try write("pictures = 'never'\n[serve]\nhost = ['a', 'b\"']\n[list]\nstored = true\n")
    let shown = try library.program.shell("GALLERY_LIST_LIMIT=2 gallery config show")
    let feeds = try library.program.run("config", "show", "feeds", "--json")

    #expect(
      shown.output == """
        # \(path)
        cache = "\(library.path)"  # $GALLERY_CACHE
        list.stored = true  # line 5
        list.limit = 2  # $GALLERY_LIST_LIMIT
        pictures = "never"  # line 1
        serve.host = ["a", "b\\""]  # line 3

        """
    )
    #expect(
      feeds.output.hasPrefix(
        #"{"command":"feeds","option":"opml","value":"false","source":"default","line":null,"variable":null}"#
      )
    )
    #expect(try library.program.run("config", "show", "lst").status == 64)
  }

  @Test func `edits the file, makes it when it is missing, and checks it`() throws {
    let made = try library.program.shell("EDITOR=true gallery config edit")
    let example = try String(contentsOfFile: path, encoding: .utf8)
    // An editor with an option, which adds a mistake.
    let edited = try library.program.shell("EDITOR='echo jbos = 1 >>' gallery config edit")
    let failed = try library.program.shell("VISUAL=false gallery config edit")

    #expect(made == Program.Result(status: 0, output: "'\(path)' has no mistakes\n", errors: ""))
    #expect(example.split(separator: "\n").allSatisfy { $0.hasPrefix("#") })
    #expect(edited.status == 1)
    #expect(edited.output.hasSuffix(": 'jbos' is not an option; did you mean 'jobs'?\n"))
    #expect(failed.status == 64)
  }

  @Test func `says in the system's words why it cannot make the file`() throws {
    let result = try library.program.shell("GALLERY_CONFIG=/dev/null/settings gallery config edit")

    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("Error: cannot make '/dev/null': File exists\n"))
  }

  @Test func `the example of a new file is right`() throws {
    _ = try library.program.shell("EDITOR=true gallery config edit")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let settings = text.replacing(/(?m)^# (?=\w+ = |\[)/, with: "")
    try write(settings)

    #expect(settings.contains("\n[serve]\nlisten = "))
    #expect(try library.program.run("config", "check").status == 0)
  }
}
