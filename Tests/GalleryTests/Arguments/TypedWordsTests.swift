import Scenes
import Settings
import Testing

@testable import gallery

struct TypedWordsTests {
  private let typed = TypedWords(
    commands: ["sync", "list", "show", "feeds", "remove", "config", "token", "serve", "status"],
    subcommands: ["feeds": ["set"], "config": ["show", "check"], "token": ["list", "add"]]
  )

  @Test(arguments: [
    (["list", "--json"], ["list", "--json"]),
    (
      ["--cache", "X", "-q", "list", "--limit", "1"],
      ["list", "--cache", "X", "-q", "--limit", "1"]
    ),
    (["--json", "--cache=X", "sync", "a"], ["sync", "--json", "--cache=X", "a"]),
    (["--json", "--version"], ["--version"]), (["--json", "help", "list"], ["help", "list"]),
    (["list", "--search", "---", "-n", "1"], ["list", "--search=---", "-n", "1"]),
    (
      ["list", "--search", "sea", "-n", "1", "--search=camera:\"eos 5d\""],
      ["list", "--search=sea camera:\"eos 5d\"", "-n", "1"]
    ),
    (["list", "--search", "--search", "--search", "a"], ["list", "--search=--search a"]),
    (
      ["list", "-f", "--search", "--search", "a", "--", "--search", "b"],
      ["list", "-f", "--search", "--search=a", "--", "--search", "b"]
    ),
    (["list", "--search=", "--search", "a"], ["list", "--search=a"]),
    (["list", "--search", "a", "--search"], ["list", "--search=a", "--search"]),
    (["list", "--search"], ["list", "--search"]), (["--cache", "X"], []), (["--cache"], []),
    (["--serch", "list"], ["--serch", "list"]),
    (["--cache", "X", "config", "check"], ["config", "check", "--cache", "X"]),
    (["-q", "config", "--json", "show", "list"], ["config", "show", "-q", "--json", "list"]),
    (["--json", "config"], ["config", "--json"]),
    (["config", "--cache", "X"], ["config", "--cache", "X"]),
    (
      ["--cache=X", "feeds", "set", "1", "--every", "2h"],
      ["feeds", "set", "--cache=X", "1", "--every", "2h"]
    ),
    (["feeds", "-q", "set", "1"], ["feeds", "set", "-q", "1"]),
    (["token", "--json", "add", "tv"], ["token", "add", "--json", "tv"]),
    (["-q", "serve", "--listen", ":1"], ["serve", "-q", "--listen", ":1"]),
    (["--help", "list"], ["help", "list"]), (["-h", "feeds", "set"], ["help", "feeds", "set"]),
    (["--help"], ["--help"]), (["--help", "--json"], ["--help", "--json"]),
    (["list", "--help"], ["list", "--help"]), (["list", "help"], ["help", "list"]),
    (["-q", "show", "help"], ["help", "show"]), (["sync", "help"], ["sync", "help"]),
    (["list", "help", "-n", "3"], ["list", "help", "-n", "3"]),
  ])
  func `puts the options of all commands behind the command`(words: [String], arranged: [String]) {
    #expect(typed.arranged(words) == arranged)
  }

  @Test(arguments: [
    ("lst", "list"), ("lits", "list"), ("snyc", "sync"), ("feed", "feeds"), ("srve", "serve"),
    ("moon", nil), ("x", nil), ("photograph", nil), ("stop", nil), ("login", nil),
    ("confgi", "config"), ("tokne", "token"), ("remvoe", nil), ("remov", nil), ("deelte", nil),
    ("unfolow", nil), ("uninstal", nil), ("unsubscrbe", nil), ("unstarr", nil),
  ])
  func `suggests the command that is near`(word: String, near: String?) {
    let end = near.map { "did you mean '\($0)'?" }
    let message =
      "'\(word)' is not a command; \(end ?? "the commands are \(typed.commands.joined(separator: ", "))")"

    #expect(typed.problem(of: [word, "--json"]) == message)
  }

  @Test(arguments: [
    ("search hubble", "gallery list --search hubble"),
    ("search evening clouds --limit 5", "gallery list --search 'evening clouds' --limit 5"),
    ("search", "gallery list --search <words>"), ("serch moon", "gallery list --search moon"),
    ("search camera:PENTAX K-7", #"gallery list --search 'camera:"PENTAX K-7"'"#),
    ("find camera:eos 5d -n 3", #"gallery list --search 'camera:"eos 5d"' -n 3"#),
    ("search -foo", "gallery list --search -foo"),
    ("search moon -clouds -n 3", "gallery list --search 'moon -clouds' -n 3"),
    ("find --limit 5", "gallery list --search <words> --limit 5"),
    ("add example.com/photos.xml", "gallery sync example.com/photos.xml"),
    ("follow http://a/b http://c/d", "gallery sync http://a/b http://c/d"),
    ("get", "gallery sync <feed>"), ("fetch 3", "gallery sync 3"), ("update", "gallery sync"),
    ("add https://me:secret@example.com/x", "gallery sync <feed>"),
    ("add http://a/b https://a/?token=x --originals", "gallery sync http://a/b <feed> --originals"),
    ("https://me:secret@example.com/x", "gallery sync <feed>"),
    ("pull https://me:secret@example.com/x", "gallery sync <feed>"),
    ("add https://a.example/?q=1&r=2", "gallery sync 'https://a.example/?q=1&r=2'"),
    ("ls -n 3", "gallery list -n 3"), ("ls -l", "gallery list"),
    ("ls -lah -n 3", "gallery list -n 3"), ("dir -1", "gallery list"), ("ls -h", "gallery list -h"),
    ("ls -f 2", "gallery list -f 2"), ("rm 1 2", "gallery remove 1 2"),
    ("unfollow it's", "gallery remove 'it'\\''s'"), ("delete", "gallery remove <feed>"),
    ("open 7", "gallery show --open 7"), ("info 7", "gallery show --info 7"),
    ("rename 2 My moon", "gallery feeds set 2 --title 'My moon'"),
    ("dump /mnt/disk", "gallery backup /mnt/disk"), ("version", "gallery --version"),
    ("https://example.com/photos.xml", "gallery sync https://example.com/photos.xml"),
    ("7 8", "gallery show 7 8"),
    ("feeds add http://a/b", "gallery sync http://a/b"), ("feeds list", "gallery feeds"),
    ("feeds rm 1 2", "gallery remove 1 2"), ("feeds ls --json", "gallery feeds --json"),
    ("feeds rename 2", "gallery feeds set 2 --title <title>"),
    ("config set jobs 8", "gallery config edit"), ("config ls", "gallery config show"),
    ("token rm tv", "gallery token remove tv"), ("token new", "gallery token add <name>"),
    ("serve --port 80", "gallery serve --listen 80"),
    ("serve --open --port=80 -q", "gallery serve --listen 80 --open -q"),
    ("serve --bind 0.0.0.0:80", "gallery serve --listen 0.0.0.0:80"),
    ("serve 0.0.0.0:80 --open", "gallery serve --listen 0.0.0.0:80 --open"),
    ("serve 8080", "gallery serve --listen 8080"), ("serve :80", "gallery serve --listen :80"),
    ("serve photos.home:8470", "gallery serve --listen photos.home:8470"),
    ("serve 192.168.1.2", "gallery serve --listen 192.168.1.2"),
    ("serve unix:/run/gallery", "gallery serve --listen unix:/run/gallery"),
    ("help search", "gallery help list"), ("help rm", "gallery help remove"),
    ("help version", "gallery --version"), ("help man", "gallery help"),
    ("help init", "gallery help sync"), ("man list", "gallery help list"),
    ("init", "gallery sync <feed>"), ("init photos", "gallery --cache photos sync <feed>"),
    ("init https://a.example/x", "gallery sync https://a.example/x"),
    ("clone https://a.example/x", "gallery sync https://a.example/x"),
    ("pull", "gallery sync"), ("pull 3", "gallery sync 3"), ("push", "gallery backup"),
    ("install x", "gallery sync x"), ("download x", "gallery sync x"),
    ("remote add https://a.example/x", "gallery sync https://a.example/x"),
    ("remote -v", "gallery feeds -v"), ("log -n 3", "gallery list --sort added -n 3"),
    ("inspect 7", "gallery show --info 7"), ("cat 7", "gallery show --output - 7"),
    ("start", "gallery serve"), ("1,2", "gallery show 1,2"), ("-V", "gallery --version"),
  ])
  func `gives the command for a word of other programs`(line: String, command: String) {
    let words = line.split(separator: " ").map(String.init)
    #expect(typed.problem(of: words)?.hasSuffix("type: \(command)") == true)
  }

  @Test(arguments: [
    ("delete 4", "for the feed 4, type: gallery remove 4"),
    ("download 4 --originals", "for the feed 4, type: gallery sync 4 --originals"),
    ("rm 1 2", "for the feeds 1, 2, type: gallery remove 1 2"),
    ("rm 3-5", "for the feeds 3-5, type: gallery remove 3-5"),
    ("rename 2 2024 trip", "for the feed 2, type: gallery feeds set 2 --title '2024 trip'"),
    ("delete moon", "'delete' is not a command; type: gallery remove moon"),
    ("delete", "'delete' is not a command; type: gallery remove <feed>"),
    ("view 4", "'view' is not a command; type: gallery show 4"),
    ("4", "'4' is not a command; type: gallery show 4"),
  ])
  func `says of numbers that they are of feeds`(line: String, end: String) {
    let words = line.split(separator: " ").map(String.init)
    #expect(typed.problem(of: words)?.hasSuffix(end) == true)
  }

  @Test(arguments: [
    ("list", nil, "list"), ("--cache lib list", "lib", "list"),
    ("list -n 3 --cache=lib", "lib", "list -n 3"),
    ("--cache a list --cache b", "b", "list"), ("sync -- --cache lib", nil, "sync -- --cache lib"),
    ("list --search --cache -f --cache", nil, "list --search --cache -f --cache"),
    ("list --cache", nil, "list --cache"), ("list --cached lib", nil, "list --cached lib"),
  ])
  func `finds the library that is typed`(line: String, library: String?, rest: String) {
    let words = line.split(separator: " ").map(String.init)
    #expect(ConfiguredLine.typedLibrary(in: words) == library)
    #expect(ConfiguredLine.withoutLibrary(words).joined(separator: " ") == rest)
  }

  @Test(arguments: [
    ("--cache lib delete 4", "gallery --cache lib remove 4"),
    ("delete 4 --cache lib", "gallery --cache lib remove 4"),
    ("--cache=lib search moon", "gallery --cache lib list --search moon"),
    ("--cache lib https://a.example/x", "gallery --cache lib sync https://a.example/x"),
    ("--cache lib status", nil),
  ])
  func `keeps the library in the command to type`(line: String, command: String?) {
    let words = line.split(separator: " ").map(String.init)
    SuggestedCommand.$library.withValue(ConfiguredLine.typedLibrary(in: words)) {
      let problem = typed.problem(of: typed.arranged(words))
      #expect(problem?.hasSuffix("type: \(command ?? "")") ?? (command == nil))
    }
  }

  @Test(arguments: [
    ("list hubble", "Unexpected argument 'hubble'", "gallery list --search hubble"),
    (
      "list evening clouds -n 5", "2 unexpected arguments: 'evening', 'clouds'",
      "gallery list --search 'evening clouds'"
    ),
    ("list 3 4", "2 unexpected arguments: '3', '4'", "gallery show 3 4"),
    ("list 3-5", "Unexpected argument '3-5'", "gallery show 3-5"),
    (
      "list camera:PENTAX K-7", "2 unexpected arguments: 'camera:PENTAX', 'K-7'",
      #"gallery list --search 'camera:"PENTAX K-7"'"#
    ),
    (
      "list sea camera: PENTAX K-7 -n 5",
      "4 unexpected arguments: 'sea', 'camera:', 'PENTAX', 'K-7'",
      #"gallery list --search 'sea camera:"PENTAX K-7"'"#
    ),
    (
      "list --search=camera:PENTAX K-7", "Unexpected argument 'K-7'",
      #"gallery list --search 'camera:"PENTAX K-7"'"#
    ),
    (
      "list --search=camera:pentax butterfly", "Unexpected argument 'butterfly'",
      "gallery list --search 'camera:pentax butterfly'"
    ),
    (
      "list --search=evening clouds 7", "2 unexpected arguments: 'clouds', '7'",
      "gallery list --search 'evening clouds 7'"
    ),
    (
      "list camera:PENTAX", "Unexpected argument 'camera:PENTAX'",
      "gallery list --search camera:PENTAX"
    ),
    ("browse sea", "Unexpected argument 'sea'", "gallery browse --search sea"),
    ("status now", "Unexpected argument 'now'", nil),
    ("list --limit x", "The value 'x' is invalid for '-n <n>'", nil),
  ])
  func `gives the search for words that a command does not take`(
    line: String,
    message: String,
    command: String?
  ) {
    let words = line.split(separator: " ").map(String.init)
    #expect(typed.hint(on: message, words) == command.map { "  Type: \($0)" })
  }

  private func unknown(_ line: String) -> UnknownOption? {
    let words = line.split(separator: " ").map(String.init)
    return UnknownOption(in: words, of: CommandCatalog(table: GalleryCommand.optionTable))
  }

  @Test(arguments: [
    (
      "sync --every 1h",
      "'gallery feeds set <feed> --every 1h' sets how often a feed is asked for, and 'gallery sync --watch' asks for each when it is due"
    ),
    (
      "sync --interval NASA",
      "'gallery feeds set <feed> --every NASA' sets how often a feed is asked for, and 'gallery sync --watch' asks for each when it is due"
    ),
    ("sync --feed=2", "type: gallery sync 2"),
    ("sync --feed=https://me:secret@a.example/x", "type: gallery sync <value>"),
    ("feeds set 1 --interval 1h", "type: gallery feeds set <feed> --every 1h"),
    ("status --feed 1", "'gallery feeds' tells of each feed"),
    ("clean --all", "'gallery clean --dry-run' prints what would be removed"),
    ("clean --force", "'gallery clean --dry-run' prints what would be removed"),
    ("clean --nw", "'gallery clean --dry-run' prints what would be removed"),
    (
      "list --until 2026-11-01",
      "a list has no last day; 'gallery list --sort oldest' begins with the oldest images"
    ),
    ("list --camera PENTAX", "type: gallery list --search camera:PENTAX"),
    ("list --camera=it's", #"type: gallery list --search 'camera:it'\''s'"#),
    ("list --camera", "type: gallery list --search camera:<word>"),
    ("show -1", "an id is a number from 1 on, and a range is as 3-12"),
    ("list -5", "type: gallery list -n 5"),
    ("list -l", #""gallery list --format '{id} {title}'" prints what you name"#),
    (
      "remove --dry-run 1",
      "'gallery remove <feed>' deletes nothing: a sync of the same address brings the images back"
    ),
    (
      "remove --all", "'gallery feeds' lists the feeds, each with the id to remove it by"
    ),
  ])
  func `says what to type instead of an option, by its meaning`(line: String, advice: String) throws
  {
    #expect(Synonym.advice(on: try #require(unknown(line))) == advice)
  }

  @Test(arguments: [
    ("list --serch x", "--search"), ("list --limt=3", "--limit"),
    ("show 1 --out x.jpg", "--output"),
    ("clean --dry", "--dry-run"), ("sync --jbos 3", "--jobs"), ("sync --orig", "--originals"),
    ("feeds set 1 --titel x", "--title"), ("list -limit 3", "--limit"),
    ("sync --origi --x", "--originals"),
    // Several options begin so, or none is near.
    ("list --p", nil), ("list --whatever", nil), ("list -l", nil), ("show -1", nil),
    // What deletes, replaces or runs something is not suggested by its letters.
    ("clean --nw", nil), ("clean --now1", nil), ("clean --no", nil), ("sync --exce x", nil),
    ("sync --kep 1G", nil), ("sync --forc", nil), ("sync --accept", nil), ("status --kepe", nil),
    ("verify --repiar", nil), ("verify --rep", nil), ("remove 1 --prge", nil),
    ("backup x --nwe", nil),
    ("feeds set 1 --kep 5", nil), ("sync --take", nil), ("sync --no-limit", nil),
  ])
  func `suggests the option that is near, but none that does harm`(line: String, meant: String?)
    throws
  {
    #expect(try #require(unknown(line)).meant == meant)
  }

  @Test func `no mistyped word leads to an option that does harm`() {
    let catalog = CommandCatalog(table: GalleryCommand.optionTable)
    let harmful: Set = [
      "--now", "--purge", "--repair", "--exec", "--force", "--keep", "--keep-free",
      "--keep-originals", "--accept-removals", "--allow-private", "--new", "--take-over",
    ]
    let others = [
      "all", "every", "feed", "no", "not", "exit", "ever", "kelp", "keen", "purse", "forced",
    ]
    for command in catalog.commands {
      let names = command.options.map(\.name)
      let mistyped = names.flatMap { name in
        [String(name.dropLast()), String(name.dropFirst()), name + "s", String(name.reversed())]
      }
      for word in mistyped + others {
        let unknown = UnknownOption(in: command.path + ["--\(word)"], of: catalog)
        #expect(!harmful.contains(unknown?.meant ?? ""), "\(command.name) --\(word)")
      }
    }
  }

  @Test(arguments: [
    "list --limit 3 --json", "list -n3", "list -n 3 -f 2", "list -n -5", "list --format --x",
    "sync -qv -j 4 a b", "list --help", "sync -- --every 1h", "clean --no-keep",
    "export x --no-follow",
    "export x --follow", "config --zzz", "serve --listen :1", "nosuch --x", "sync -",
  ])
  func `has nothing to say of options that there are`(line: String) {
    #expect(unknown(line) == nil)
  }

  @Test func `an address behind an unknown letter is not repeated`() {
    #expect(unknown("sync -uhttps://me:secret@a.example/x")?.option == "-uhttps")
  }

  @Test func `names the option that a command does not have, whatever else is wrong`() throws {
    let message = """
      Error: The value 'x.jpg' is invalid for '<id>'
      Help:  <id>  The ids of images.
      Usage: gallery show [<options>] <id> ...
        See 'gallery show --help' for more information.
      """
    let usage = """
      Usage: gallery show [<options>] <id> ...
        See 'gallery show --help' for more information.
      """
    let option = try #require(unknown("show 1 --out x.jpg"))

    #expect(
      option.explained(message, advice: nil)
        == "Error: Unknown option '--out'. Did you mean '--output'?\n\(usage)"
    )
    #expect(
      option.explained(message, advice: "type: x")
        == "Error: Unknown option '--out'; type: x\n\(usage)"
    )
    #expect(
      try #require(unknown("show -1")).explained("Error: Missing expected argument", advice: nil)
        == "Error: Unknown option '-1'"
    )
  }

  @Test(arguments: [["list"], ["help"], ["help", "list"], ["help", "help"], ["--version"], []])
  func `has nothing to say of a command that there is`(words: [String]) {
    #expect(typed.problem(of: words) == nil)
  }

  @Test(arguments: [
    (["gallery", "list"], "gallery list --offset 24"),
    (
      ["./gallery", "--cache", "my photos", "list", "--search", "it's", "-f", "2"],
      "./gallery --cache 'my photos' list --search 'it'\\''s' -f 2 --offset 24"
    ),
    (
      ["gallery", "list", "--offset", "12", "--sort=title"], "gallery list --sort=title --offset 24"
    ),
    (
      ["gallery", "list", "--offset=12", "--search", "--offset"],
      "gallery list --search --offset --offset 24"
    ),
    (["gallery", "list", "--search", ""], "gallery list --search '' --offset 24"),
    (
      ["gallery", "list", "-f", "https://me:secret@a.example/x"],
      "the same command with --offset 24"
    ),
    (
      ["gallery", "list", "--feed=https://a.example/?token=x", "--offset", "12"],
      "the same command with --offset 24"
    ),
  ])
  func `gives the command of the next page as a shell takes it`(words: [String], command: String) {
    #expect(NextPage.command(words, offset: 24) == command)
  }
}
